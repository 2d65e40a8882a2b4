import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { HANDLERS, PHASES, PRIORITIES, type Phase, type Suppressor } from './rule-words.ts';
import type { RuledFinding } from './ruling.ts';

/** One line of `rule_violations.jsonl`. */
export const violationEntrySchema = lazy(() =>
  z.strictObject({
    log_id: z.string().regex(/^RULE-\d{8}-\d{3,}$/),
    timestamp: z.iso.datetime(),
    rule_id: z.string(),
    handler: z.enum(HANDLERS),
    priority: z.enum(PRIORITIES),
    phase: z.enum(PHASES).nullable(),
    context: z.strictObject({
      file: z.string().nullable(),
      line: z.int().nullable(),
      agent: z.string(),
      task: z.string().nullable(),
      surface: z.string(),
    }),
    violation: z.strictObject({ message: z.string(), suggestion: z.string().nullable(), fingerprint: z.string() }),
    action: z
      .string()
      .describe(
        'What was done about it: stop, quick_fix, regenerate (the answer went back), fallback (another text replaces it), log, hook, later, suppressed (by waiver, baseline or inline), fixed or not fixed (a quick fix, one attempt later), or the exit code.',
      ),
    quick_fix: z
      .strictObject({ applied: z.boolean(), change: z.string().nullable(), verified: z.boolean() })
      .optional()
      .describe('What became of a quick fix: whether the place was changed, how, and whether the rule holds now.'),
    previous: z.string().describe('The hash of the entry before it.'),
    hash: z.string(),
  }),
);
export type AuditEntry = z.infer<ReturnType<typeof violationEntrySchema>>;

/** One line of `soft_hooks.log`. */
const hookEntrySchema = lazy(() =>
  z.strictObject({
    log_id: z.string().regex(/^SOFT_HOOK-\d{8}-\d{3,}$/),
    timestamp: z.iso.datetime(),
    rule_id: z.string(),
    action: z.enum(['RAISED', 'IGNORED', 'COMPLIED']),
    ignore_count: z.int(),
    answer: z
      .enum(['IGNORE', 'COMPLY'])
      .optional()
      .describe('What the agent said it would do; the action is what it did.'),
    metadata: z.strictObject({
      agent: z.string(),
      phase: z.enum(PHASES).nullable(),
      upgrade_threshold: z.int().nullable(),
      task: z.string().nullable(),
    }),
    previous: z.string(),
    hash: z.string(),
  }),
);
type HookEntry = z.infer<ReturnType<typeof hookEntrySchema>>;

type Unnumbered<Entry> = Omit<Entry, 'log_id' | 'previous' | 'hash'>;

/** An entry before it is numbered and chained, and the log that it goes into. */
export type NewAuditEntry =
  | { readonly log: 'violations'; readonly entry: Unnumbered<AuditEntry> }
  | { readonly log: 'hooks'; readonly entry: Unnumbered<HookEntry> };

/** One violation that is written down, whether an inspection or the line found it. */
type FoundViolation = Pick<
  RuledFinding,
  'rule' | 'handler' | 'priority' | 'message' | 'suggestion' | 'file' | 'line' | 'fingerprint'
>;

/** When and where it was found, and what was done about it. */
interface Occasion {
  readonly at: string;
  readonly phase: Phase | undefined;
  readonly agent: string;
  readonly task: string | null;
  readonly surface: string;
  readonly action: string;
  readonly quickFix?: NonNullable<AuditEntry['quick_fix']> | undefined;
}

/** The one way in which a violation becomes an entry of the audit. */
export const createViolationEntry = (
  { rule, handler, priority, message, suggestion, file, line, fingerprint }: FoundViolation,
  { at, phase, agent, task, surface, action, quickFix }: Occasion,
): NewAuditEntry => ({
  log: 'violations',
  entry: {
    timestamp: at,
    rule_id: rule,
    handler,
    priority,
    phase: phase ?? null,
    context: { file: file ?? null, line: line ?? null, agent, task, surface },
    violation: { message, suggestion: suggestion ?? null, fingerprint },
    action,
    ...(quickFix === undefined ? {} : { quick_fix: quickFix }),
  },
});

/** What the audit says was done about a violation that does not count. */
export const describeSuppressor = (suppressor: Suppressor): string => `suppressed by ${suppressor}`;

export interface RuleStatistics {
  readonly rule: string;
  readonly violations: number;
  readonly waived: number;
  readonly baselined: number;
  readonly allowedInline: number;
  readonly markedFalse: number;
  readonly byHandler: Readonly<Record<string, number>>;
  readonly last: string;
}

/** Counts the entries of the record per rule, most violated first. */
export function countViolations(
  entries: readonly AuditEntry[],
  falseMarks: readonly string[],
): readonly RuleStatistics[] {
  // What became of a quick fix is the same violation, one attempt later.
  const found = Map.groupBy(
    entries.filter(({ quick_fix: fix }) => fix === undefined),
    (entry) => entry.rule_id,
  );
  const rules = [...new Set([...found.keys(), ...falseMarks])].map((rule): RuleStatistics => {
    const mine = found.get(rule) ?? [];
    const suppressed = mine.filter(({ action }) => action.startsWith('suppressed')).length;
    const countBy = (suppressor: Suppressor): number =>
      mine.filter(({ action }) => action === describeSuppressor(suppressor)).length;
    const [baselined, allowedInline] = [countBy('baseline'), countBy('inline')];
    return {
      rule,
      violations: mine.length - suppressed,
      waived: suppressed - baselined - allowedInline,
      baselined,
      allowedInline,
      markedFalse: falseMarks.filter((one) => one === rule).length,
      byHandler: Object.fromEntries(
        [...Map.groupBy(mine, ({ handler }) => handler)].map(([handler, some]) => [handler, some.length]),
      ),
      last: mine.reduce((last, { timestamp }) => (timestamp > last ? timestamp : last), ''),
    };
  });
  return rules.toSorted((a, b) => b.violations - a.violations || (a.rule < b.rule ? -1 : 1));
}
