import { abandon, type Breaker } from './breaker.ts';

/** Halts when andon itself cannot continue (a gate that will not run, git, the disk). */
export const fault: Breaker = {
  // A fault of andon would hit the next task as well; an unreadable entry concerns its own task.
  reach: ({ lastFacts }) => (lastFacts.unreadable === undefined ? 'line' : 'task'),
  question: 'Can a gate not run, is a program missing, or did git, the disk or andon fail?',
  check(record) {
    if (record.lastFacts.fault === undefined) return undefined;
    return {
      breaker: 'fault',
      reason: record.lastFacts.fault,
      sides: [{ who: 'andon', says: record.lastFacts.fault }],
    };
  },
  paths(_trip, record) {
    const isUnread = record.lastFacts.unreadable !== undefined;
    return [
      {
        title: isUnread ? 'Go on without that entry' : 'Try again',
        does: isUnread
          ? 'The current step runs without the entry, which stays in the journal. Its cost counts as unknown. Or run the version of andon that wrote it.'
          : 'The same step runs once more. Repair the cause first.',
        effect: {
          to: record.status,
          onlyGates: record.lastFacts.change !== undefined || record.onlyGates,
        },
      },
      abandon(record),
    ];
  },
};
