import { abandon } from './breaker.ts';
import type { Breaker } from './breaker.ts';

/** When andon itself cannot go on (a gate that will not run, git, the disk), it says so and stops. */
export const fault: Breaker<'fault'> = {
  id: 'fault',
  // What made andon fail would make the next task fail as well; an entry that cannot be read is its own task's.
  reach: ({ lastFacts }) => (lastFacts.unreadable === undefined ? 'line' : 'task'),
  question: "Did something fail that is neither the agents' nor the project's doing?",
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
          ? 'The step at which the line stands runs as if the entry had not been written; it stays in the journal, and what it cost counts as unknown. Instead you may run the andon that wrote it.'
          : 'The same step runs once more. Repair the cause first.',
        effect: {
          to: record.status,
          onlyGates: record.lastFacts.change !== undefined || record.onlyGates,
        },
      },
      abandon('Everything stays as it is in git; nothing is merged.'),
    ];
  },
};
