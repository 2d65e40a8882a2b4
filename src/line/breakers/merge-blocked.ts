import type { Facts } from '../record/facts.ts';
import { listNames } from '../../base/list-names.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Path } from '../record/trip.ts';
import { abandon, describeKept, type Breaker } from './breaker.ts';

/** A judged change that does not merge cleanly waits for a person: andon never resolves a conflict. */
export const mergeBlocked: Breaker = {
  question: 'Can the judged change not be merged cleanly?',
  check(record) {
    const { mergeBlocked: blocked } = record.lastFacts;
    if (blocked === undefined) return undefined;
    const { reason, wide } = blocked;
    return {
      // A cause that blocks every merge halts the line.
      ...(wide === true ? { reach: 'line' } : {}),
      reason,
      sides: [{ who: 'git', says: reason }],
      paths: listPaths(record, blocked),
    };
  },
};

function listPaths(
  record: TaskRecord,
  { conflictsWith, takenBack, inTheWay = [] }: NonNullable<Facts['mergeBlocked']>,
): readonly [Path, Path] {
  if (takenBack !== undefined)
    return [
      {
        title: 'Merge it again',
        does: 'The task continues on the current target branch and is merged again.',
        effect: { to: record.status, onlyGates: record.onlyGates, mergeAgain: takenBack },
      },
      { ...abandon(record, `The merge stays taken back. ${describeKept(record)}`), title: 'Leave it out' },
    ];
  const again: Path =
    conflictsWith === undefined
      ? {
          title: 'Try the merge again',
          does: 'Remove the cause named above first. The judged tree is merged if that is clean now; otherwise it halts again.',
          effect: { to: record.status },
        }
      : {
          title: 'Run the task again on the new target',
          does: 'The implementer starts again from the current target branch. The attempt stays reachable in git.',
          effect: {
            to: 'pending_implementer',
            fresh: true,
            base: conflictsWith,
            say: 'The target branch has changed since your last attempt; make the change again on the files as they are now.',
          },
        };
  const does = `The task ends as abandoned, and its branch stays. On the target branch, type "git merge task/${record.taskId}".${inTheWay.length === 0 ? '' : ` Move your own ${listNames(inTheWay)} away first: git overwrites files that it ignores.`}`;
  return [again, { ...abandon(record, does), title: 'I merge it myself' }];
}
