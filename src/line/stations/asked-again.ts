import type { LineRecord } from '../../record/line-record.ts';

/** Why the judge's last answer about this very change did not count; undefined when he was not asked before. */
export function whyAskedAgain({ history }: Pick<LineRecord, 'history'>): string | undefined {
  const last = history.findLast(({ event }) => event !== 'review_started');
  return last !== undefined && NOT_COUNTED.has(last.event) ? last.reason : undefined;
}

/** How the line tells of an answer that did not count. */
const NOT_COUNTED: ReadonlySet<string> = new Set(['report_unproven', 'report_unreadable']);
