import { describeSuppressor, type AuditEntry } from './audit-entry.ts';

/** What is known of one rule from the record. */
export interface RuleStatistics {
  readonly rule: string;
  readonly violations: number;
  readonly waived: number;
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
  const rules = new Map<string, { -readonly [Key in keyof RuleStatistics]: RuleStatistics[Key] }>();
  const of = (rule: string) => {
    const known = rules.get(rule) ?? {
      rule,
      violations: 0,
      waived: 0,
      allowedInline: 0,
      markedFalse: 0,
      byHandler: {},
      last: '',
    };
    rules.set(rule, known);
    return known;
  };
  for (const entry of entries) {
    if (entry.quick_fix !== undefined) continue; // the same violation, one attempt later
    const one = of(entry.rule_id);
    if (entry.action === describeSuppressor('inline')) one.allowedInline += 1;
    else if (entry.action.startsWith('suppressed')) one.waived += 1;
    else one.violations += 1;
    one.byHandler = { ...one.byHandler, [entry.handler]: countIn(one.byHandler, entry.handler) + 1 };
    if (entry.timestamp > one.last) one.last = entry.timestamp;
  }
  for (const rule of falseMarks) of(rule).markedFalse += 1;
  return [...rules.values()].toSorted((a, b) => b.violations - a.violations || (a.rule < b.rule ? -1 : 1));
}

/** Whether the record holds a violation of a rule whose fingerprint begins so. */
export const isRecorded = (entries: readonly AuditEntry[], rule: string, fingerprint: string): boolean =>
  entries.some((entry) => entry.rule_id === rule && entry.violation.fingerprint.startsWith(fingerprint));

const countIn = (counts: Readonly<Record<string, number>>, key: string): number =>
  Object.hasOwn(counts, key) ? (counts[key] ?? 0) : 0;
