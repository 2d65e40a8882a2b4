import { abandon, describeKept, type Breaker } from './breaker.ts';

/** A judged change that does not merge cleanly waits for a person: andon never resolves a conflict. */
export const mergeBlocked: Breaker = {
  // A cause that blocks every merge halts the line.
  reach: ({ lastFacts }) => (lastFacts.mergeBlocked?.wide === true ? 'line' : 'task'),
  question: 'Can the judged change not be merged cleanly?',
  check(record) {
    const { mergeBlocked: blocked } = record.lastFacts;
    if (blocked === undefined) return undefined;
    return { breaker: 'merge_blocked', reason: blocked.reason, sides: [{ who: 'git', says: blocked.reason }] };
  },
  paths(_trip, record) {
    const conflictsWith = record.lastFacts.mergeBlocked?.conflictsWith;
    const takenBack = record.lastFacts.mergeBlocked?.takenBack;
    if (takenBack !== undefined)
      return [
        {
          title: 'Merge it again',
          does: 'The task continues on the current target branch and is merged again.',
          effect: { to: record.status, onlyGates: record.onlyGates, mergeAgain: takenBack },
        },
        {
          ...abandon(record, `The merge stays taken back. ${describeKept(record)}`),
          title: 'Leave it out',
        },
      ];
    const byHand = {
      title: 'I merge it myself',
      does: `The task ends as abandoned, and its branch stays. On the target branch, type "git merge task/${record.taskId}".`,
      effect: { to: 'abandoned' },
    } as const;
    if (conflictsWith !== undefined) {
      return [
        {
          title: 'Run the task again on the new target',
          does: 'The implementer starts again from the current target branch. The attempt stays reachable in git.',
          effect: {
            to: 'pending_implementer',
            fresh: true,
            base: conflictsWith,
            say: 'The target branch has changed since your last attempt; make the change again on the files as they are now.',
          },
        },
        byHand,
      ];
    }
    return [
      {
        title: 'Try the merge again',
        does: 'Remove the cause named above first. The judged tree is merged if that is clean now; otherwise it halts again.',
        effect: { to: record.status },
      },
      byHand,
    ];
  },
};
