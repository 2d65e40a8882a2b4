import { STOP_FILE } from '../../base/names.ts';
import { abandon, type Breaker } from './breaker.ts';

export const cord: Breaker = {
  question: 'Did a person stop the line, or this task?',
  check(record) {
    const { cord: pulled } = record.lastFacts;
    if (pulled === undefined) return undefined;
    return {
      // A cord on a named task lets the others continue.
      ...(pulled.reach === 'task' ? {} : { reach: 'line' }),
      reason: `${pulled.by} stopped the ${pulled.reach === 'task' ? 'task' : 'line'}${pulled.reason === '' ? ' and gave no reason' : `: ${pulled.reason}`}`,
      sides: [{ who: pulled.by, says: pulled.reason }],
      paths: [
        {
          title: 'Go on',
          does: `The stopped step runs again. A call that was broken off is paid for, but is no failure of its agent. Remove ${STOP_FILE} first, if it is there.`,
          effect: { to: record.status, onlyGates: record.onlyGates },
        },
        abandon(record),
      ],
    };
  },
};
