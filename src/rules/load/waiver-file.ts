import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { findNearestLine, formatJsonPath } from '../../base/fault.ts';
import { formatPlace } from '../../base/format-place.ts';
import type { InspectionFault, Waiver } from '../model/inspection.ts';
import { checkGlobPattern } from '../../base/path-globs.ts';
import { readYaml } from '../../base/strict-yaml.ts';
import type { Suppressions } from '../enforce/suppress.ts';
import { faultsOf } from './rule-faults.ts';

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
    ...faultsOf(parsed.error, waiversSchema(), listed).map(({ path, message, remedy }) => {
      const place = isBare ? path.slice(1) : path;
      const line = findNearestLine(read.value.lineOf, place);
      return {
        where: `${formatPlace(name, line)} ${formatJsonPath(place)}`,
        what: message,
        remedy: `${remedy}; ${REMEDY}`,
      };
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

const filled = (): z.ZodString => z.string().trim().min(1).max(2000);

/** A day, or a moment with its zone, as other tools write an end: `2026-12-31T18:00:00Z`. */
const expirySchema = lazy(() => z.union([z.iso.date(), z.iso.datetime({ offset: true })]));

const waiverSchema = lazy(() =>
  z.strictObject({
    rule: filled().describe('the id of a rule'),
    reason: filled().describe('why it need not hold'),
    owner: filled().describe('the name of who answers for it'),
    expires: z
      .string()
      .refine((text) => expirySchema().safeParse(text).success, 'expires is no day that exists; write it as YYYY-MM-DD')
      .describe('the last day on which it counts'),
    path: z
      .string()
      .superRefine((pattern, context) => {
        const fault = checkGlobPattern(pattern);
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
      })
      .optional(),
    signed_by: filled()
      .optional()
      .describe('the human who answers for waiving a hard constraint, a P0 rule, or one that says waivable: false'),
  }),
);

const waiversSchema = lazy(() =>
  z.strictObject({ schema: z.literal('andon.waivers/v1').optional(), waivers: z.array(waiverSchema()) }),
);

const refused = (...faults: readonly InspectionFault[]): ReturnType<typeof readWaivers> => ({ waivers: [], faults });
