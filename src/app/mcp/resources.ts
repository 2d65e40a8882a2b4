import { readRuleStats } from '../checks/feedback.ts';
import { openAudit } from '../../rules/files/audit-log.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';

/** What can be read: what the rules found so far, and the sums of it. */
export const RESOURCES = [
  {
    uri: 'andon://audit/rule_violations',
    name: 'rule_violations',
    title: 'Recorded violations',
    description: 'The last 500 violations that were written down, oldest first, one JSON object per line.',
    mimeType: 'application/x-ndjson',
  },
  {
    uri: 'andon://audit/statistics',
    name: 'rule_statistics',
    title: 'Violations per rule',
    description: 'How often each rule was violated, waived and marked as wrong.',
    mimeType: 'application/json',
  },
] as const;

const MOST = 500;

/** The text of one of them; undefined for any other address. */
export function readResource(place: Workspace, uri: string): string | undefined {
  if (uri === RESOURCES[0].uri)
    return openAudit(place)
      .violations()
      .entries.slice(-MOST)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('');
  if (uri !== RESOURCES[1].uri) return undefined;
  return JSON.stringify(readRuleStats(place), null, 2);
}
