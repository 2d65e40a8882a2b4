import { abandon, type Breaker } from './breaker.ts';

/** Halts when andon itself cannot continue (a gate that will not run, git, the disk). */
export const fault: Breaker = {
  question: 'Can a gate not run, is a program missing, or did git, the disk or andon fail?',
  check(record) {
    const { fault: reason, unreadable, change } = record.lastFacts;
    if (reason === undefined) return undefined;
    const isUnread = unreadable !== undefined;
    return {
      // A fault of andon would hit the next task as well; an unreadable entry concerns its own task.
      ...(isUnread ? {} : { reach: 'line' }),
      reason,
      sides: [{ who: 'andon', says: reason }],
      paths: [
        {
          title: isUnread ? 'Go on without that entry' : 'Try again',
          does: isUnread
            ? 'The current step runs without the entry, which stays in the journal. Its cost counts as unknown. Or run the version of andon that wrote it.'
            : 'The same step runs once more. Repair the cause first.',
          effect: { to: record.status, onlyGates: change !== undefined || record.onlyGates },
        },
        abandon(record),
      ],
    };
  },
};
