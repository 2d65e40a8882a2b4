import { OUTSIDE_JUDGE, abandon, type Breaker } from './breaker.ts';
import type { StationId } from '../../base/names.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Path } from '../record/trip.ts';
import { getNextImplementer } from '../record/implementers.ts';

/** The wait for a provider limit or a server has an end. */
export const unavailable: Breaker = {
  question: 'Was an agent out of reach for longer than andon waits?',
  check(record) {
    const { unavailable: facts } = record.lastFacts;
    if (facts === undefined) return undefined;
    const { station, reason } = facts;
    const again: Path = {
      title: 'Wait longer',
      does: 'The call is repeated now. If the program is still unavailable, andon waits as long as before.',
      effect: { to: record.status },
    };
    return {
      reason: `${station}: ${reason}`,
      sides: [{ who: station, says: reason }],
      paths: [again, replaceAgent(record, station) ?? abandon(record)],
    };
  },
};

function replaceAgent(record: TaskRecord, station: StationId): Path | undefined {
  const next = station === 'implementer' ? getNextImplementer(record) : undefined;
  if (next !== undefined)
    return {
      title: `Let ${next} take over`,
      does: `The next implementer of the contract goes on: ${next}.`,
      effect: { to: record.status, nextImplementer: true },
    };
  if (station !== 'judge') return undefined;
  return {
    title: 'Use an external judge',
    does: OUTSIDE_JUDGE,
    effect: { to: 'pending_judge_review', judgeOutside: true },
  };
}
