import type { Breaker } from './breaker.ts';
import { formatFinding } from '../../rules/model/finding.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { formatRebuttalPoint } from '../record/review.ts';

/** Floor manager and judge may disagree a few times; then a person decides. */
export const rebuttalLimit: Breaker = {
  question: 'Have floor manager and judge disagreed more often than `max_rebuttals`?',
  check(record) {
    const limit = record.contract.limits.maxRebuttals + record.grants.rebuttals;
    if (record.lastFacts.rebuttal === undefined || record.rebuttals <= limit) return undefined;
    const tree = record.change?.tree;
    return {
      reason: `${record.rebuttals} rebuttals, more than the ${limit} allowed: the floor manager contradicts the judge`,
      sides: [
        { who: 'floor manager', says: record.rebuttal.map(formatRebuttalPoint).join('\n') },
        { who: 'judge', says: issuesOf(record) },
      ],
      paths: [
        {
          title: 'Side with the floor manager',
          does: 'The judged change is merged although the judge said no. The judge is not asked again.',
          effect: { to: 'review_complete', verdict: 'PASS', ...(tree === undefined ? {} : { approveTree: tree }) },
        },
        {
          title: 'Side with the judge',
          does: "The implementer gets the judge's required fixes. One more rebuttal halts again.",
          effect: { to: 'review_complete', verdict: 'FAIL' },
        },
      ],
    };
  },
};

/** The judge's demands; a report without issues has only its summary. */
function issuesOf(record: TaskRecord): string {
  const { blocking = [], summary = '' } = record.report ?? {};
  return blocking.length === 0 ? summary : blocking.map(formatFinding).join('\n');
}
