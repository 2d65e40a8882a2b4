import type { LineRecord } from '../../record/line-record.ts';

/** Why the judge's last answer about this change did not count; undefined at the first try. */
export function explainRepeat({ history }: Pick<LineRecord, 'history'>): string | undefined {
  const last = history.findLast(({ event }) => event !== 'review_started');
  return last !== undefined && NOT_COUNTED.has(last.event) ? last.reason : undefined;
}

const NOT_COUNTED: ReadonlySet<string> = new Set(['report_unproven', 'report_unreadable']);
