import { formatPlace } from '../../base/format-place.ts';
import { openAudit } from '../../rules/files/audit-log.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readProjectRulebook } from '../../rules/files/rulebook.ts';
import { readRuleStats } from '../checks/record-feedback.ts';
import { isExpired, toInspectionFault } from '../../rules/model/inspection.ts';
import type { AuditEntry } from '../../rules/model/audit-entry.ts';
import type { ViolationResponse, RulesResponse } from './api-types.ts';

/** The newest violations, at most this many. */
const MOST_FOUND = 50;

export async function readRules(place: Workspace, today: string): Promise<RulesResponse> {
  const book = await readProjectRulebook(place.facts.root);
  const stats = new Map(readRuleStats(place).rules.map((one) => [one.rule, one]));
  const { waivers } = book.suppressions;
  return {
    rules: book.rules.map(({ rule }) => {
      const { violations = 0, waived = 0, markedFalse = 0, last = '' } = stats.get(rule.id) ?? {};
      const { id, title, severity, is_hard_constraint: hard } = rule;
      return { id, title, severity, hard, violations, waived, markedFalse, last: last === '' ? null : last };
    }),
    found: openAudit(place).violations().entries.slice(-MOST_FOUND).toReversed().map(foundIn),
    waivers: waivers.map((one) => ({ ...one, is_over: isExpired(one, today) })),
    faults: book.faults.map(toInspectionFault).map(({ where, what }) => `${where}: ${what}`),
  };
}

function foundIn({
  timestamp: at,
  rule_id: rule,
  priority,
  context,
  violation,
  action,
}: AuditEntry): ViolationResponse {
  const { file, line, surface, task } = context;
  const where = file === null ? surface : formatPlace(file, line);
  return { at, rule, priority, where, task, message: violation.message, action };
}
