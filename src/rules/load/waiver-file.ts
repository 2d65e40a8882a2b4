import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { findNearestLine } from '../../base/fault.ts';
import type { Waiver } from '../model/inspection.ts';
import { checkGlobPattern } from '../../base/path-globs.ts';
import { readYaml } from '../../base/strict-yaml.ts';
import { faultAt, type RuleFault } from '../../project/config/rule-fault.ts';
import { faultsOf } from './rule-faults.ts';

export const WAIVERS_FILE = '.andon/waivers.yaml';

/** The waivers of a file, or its faults: a file with one fault in it waives nothing at all. */
interface ReadWaivers {
  readonly waivers: readonly Waiver[];
  readonly faults: readonly RuleFault[];
}

export function readWaivers(name: string, text: string): ReadWaivers {
  const read = readYaml(text);
  if (!read.ok) {
    const { line, path, message, remedy } = read.why;
    return { waivers: [], faults: [faultAt(name, line, path, message, remedy)] };
  }
  const { value, lineOf } = read.value;
  if (value === null) return { waivers: [], faults: [] };
  const isBare = Array.isArray(value);
  const listed: unknown = isBare ? { waivers: value as unknown } : value;
  const parsed = waiversSchema().safeParse(listed);
  if (parsed.success) return { waivers: parsed.data.waivers as readonly Waiver[], faults: [] };
  const faults = faultsOf(parsed.error, waiversSchema(), listed).map(({ path, message, remedy }) => {
    const place = isBare ? path.slice(1) : path;
    return faultAt(name, findNearestLine(lineOf, place), place, message, `${remedy}; ${REMEDY}`);
  });
  return { waivers: [], faults };
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
