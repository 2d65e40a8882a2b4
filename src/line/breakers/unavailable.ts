import { OUTSIDE_JUDGE, abandon, type Breaker } from './breaker.ts';
import { getNextImplementer } from '../record/implementers.ts';

/** The wait for a provider's limit or a server has an end. */
export const unavailable: Breaker = {
  reach: 'task',
  question: 'Was an agent out of reach for longer than andon waits?',
  check({ lastFacts: { unavailable: facts } }) {
    if (facts === undefined) return undefined;
    return {
      breaker: 'unavailable',
      reason: `${facts.station}: ${facts.reason}`,
      sides: [{ who: facts.station, says: facts.reason }],
    };
  },
  paths(_trip, record) {
    const again = {
      title: 'Wait longer',
      does: 'The call is repeated now. If the program is still unavailable, andon waits as long as before.',
      effect: { to: record.status },
    };
    const station = record.lastFacts.unavailable?.station;
    const next = station === 'implementer' ? getNextImplementer(record) : undefined;
    if (next !== undefined)
      return [
        again,
        {
          title: `Let ${next} take over`,
          does: `The next implementer of the contract goes on: ${next}.`,
          effect: { to: record.status, nextImplementer: true },
        },
      ];
    if (station !== 'judge') return [again, abandon(record)];
    return [
      again,
      {
        title: 'Use an external judge',
        does: OUTSIDE_JUDGE,
        effect: { to: 'pending_judge_review', judgeOutside: true },
      },
    ];
  },
};
