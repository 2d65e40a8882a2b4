import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { formatJsonPath, formatValue } from '../../base/fault.ts';
import { formatPlace } from '../../base/format-place.ts';
import type { InspectionFault, Waiver } from '../model/inspection.ts';
import { checkGlobPattern } from '../../base/path-globs.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { readYaml } from '../../base/strict-yaml.ts';
import type { Suppressions } from '../enforce/suppress.ts';

export const WAIVERS_FILE = '.andon/waivers.yaml';

/** Reads a file of waivers; a file with one fault in it gives none at all. */
export function readWaivers(name: string, text: string): Pick<Suppressions, 'waivers' | 'faults'> {
  const read = readYaml(text);
  if (!read.ok) {
    const { line, message, remedy } = read.why;
    return refused({ where: formatPlace(name, line), what: message, remedy });
  }
  if (read.value.value === null) return { waivers: [], faults: [] };
  const listed = Array.isArray(read.value.value) ? { waivers: read.value.value as unknown } : read.value.value;
  const parsed = waiversSchema().safeParse(listed);
  if (parsed.success) return { waivers: parsed.data.waivers as readonly Waiver[], faults: [] };
  const isBare = listed !== read.value.value;
  return refused(
    ...parsed.error.issues.map((issue) => {
      const place = (isBare ? issue.path.slice(1) : issue.path).filter((part) => typeof part !== 'symbol');
      const key = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
      const line = read.value.lineOf(key === undefined ? place : [...place, key]);
      const what = key === undefined ? issue.message : unknownKey(key, issue.path.length > 0);
      return { where: `${formatPlace(name, line)} ${formatJsonPath(place)}`, what, remedy: REMEDY };
    }),
  );
}

/** What an editor needs to know about `.andon/waivers.yaml`. */
export const waiversJsonSchema = (): object => ({
  title: 'Waivers of andon',
  description: '.andon/waivers.yaml: which rules need not hold for a while, why, and who answers for it.',
  ...z.toJSONSchema(z.union([waiversSchema(), z.array(waiverSchema())]), { io: 'input' }),
});

const REMEDY =
  'a waiver has rule, reason, owner and expires (YYYY-MM-DD, or a time with its zone); path and signed_by may be added';

const filled = (what: string): z.ZodString =>
  z.string(`${what} is missing`).trim().min(1, `${what} is empty`).max(2000);

/** A day, or a moment with its zone, as other tools write an end: `2026-12-31T18:00:00Z`. */
const expirySchema = lazy(() => z.union([z.iso.date(), z.iso.datetime({ offset: true })]));

const waiverSchema = lazy(() =>
  z.strictObject({
    rule: filled('rule').describe('The id of the rule.'),
    reason: filled('reason'),
    owner: filled('owner').describe('Who answers for it.'),
    expires: z
      .string('expires is missing: the last day on which it counts')
      .refine(
        (text) => expirySchema().safeParse(text).success,
        'expires is no day that exists; write it as YYYY-MM-DD',
      ),
    path: z
      .string()
      .superRefine((pattern, context) => {
        const fault = checkGlobPattern(pattern);
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
      })
      .optional(),
    signed_by: filled('signed_by')
      .optional()
      .describe('The human who answers for waiving a hard constraint, a P0 rule, or one that says waivable: false.'),
  }),
);

const NO_LIST = 'waivers is missing: the list of waivers';

const waiversSchema = lazy(() =>
  z.strictObject(
    {
      schema: z.literal('andon.waivers/v1').optional(),
      waivers: z.array(waiverSchema(), NO_LIST),
    },
    { error: ({ code }) => (code === 'invalid_type' ? NO_LIST : undefined) },
  ),
);

function unknownKey(key: string, isWaiver: boolean): string {
  const known = Object.keys(isWaiver ? waiverSchema().shape : waiversSchema().shape);
  const nearest = findNearestWord(key, known);
  return `the key ${formatValue(key)} is not known${nearest === undefined ? '' : `; the nearest is ${nearest}`}. Known: ${known.join(', ')}`;
}

const refused = (...faults: readonly InspectionFault[]): ReturnType<typeof readWaivers> => ({ waivers: [], faults });
