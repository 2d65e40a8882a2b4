import { countViolations } from '../rule-model/rule-audit.ts';
import type { RuleStatistics } from '../rule-model/rule-audit.ts';
import { readFeedback } from './feedback.ts';
import { auditOf } from '../wiring/open-audit.ts';
import type { Workspace } from '../wiring/load-workspace.ts';

/** What the record of violations says per rule; undefined when nothing was recorded yet. */
export function readRuleStats(
  place: Workspace,
): { readonly rules: readonly RuleStatistics[]; readonly unreadable: number } | undefined {
  const { entries, unreadable } = auditOf(place).violations();
  const marks = readFeedback(place).map(({ rule }) => rule);
  if (entries.length + unreadable + marks.length === 0) return undefined;
  return { rules: countViolations(entries, marks), unreadable };
}
