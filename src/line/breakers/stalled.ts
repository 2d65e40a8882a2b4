import { formatCount } from '../../base/format-count.ts';
import { abandon, findExcessRefusal, type Breaker, type Conflict } from './breaker.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { StationId } from '../../base/names.ts';
import type { Path } from '../record/trip.ts';
import { describeStrike } from '../record/facts.ts';

const HARD_LIMIT_FACTOR = 6;
const HARD_LIMIT_MINUTES = 60;

/**
 * A crash or an unreadable answer is retried once, then the task halts. A silence is retried only as often as `max_stalls`
 * allows over the whole task.
 */
export const stalled: Breaker = {
  question: 'Was an agent silent, dead or unreadable more often than it may be?',
  check(record) {
    const { strikes, grants, contract } = record;
    const last = strikes.at(-1);
    const retries = contract.limits.maxStalls + grants.stallTries;
    if (last !== undefined && last.kind === 'stall' && record.stalls > retries) {
      return trip(
        record,
        `${last.station}: ${last.why} (stalled ${formatCount(record.stalls, 'time')}; ${retries === 1 ? '1 retry is' : `${retries} retries are`} allowed)`,
      );
    }
    if (strikes.length > 1 + grants.stallTries)
      return trip(
        record,
        `${last?.station ?? 'agent'}: ${strikes.length} failures in a row, the last: ${last?.why ?? ''}`,
      );
    const refused = findExcessRefusal(record);
    // The repeated step has its own breaker.
    if (refused !== undefined && refused.wants === undefined) {
      return trip(
        record,
        `${record.refusedAnswers} answers of the ${refused.station} were refused; the last because ${refused.why}`,
      );
    }
    return undefined;
  },
};

/** Minutes awake without output after which a call counts as stalled, grants included. */
export function computeStallLimit({ contract, grants }: TaskRecord, station: StationId): number {
  const { timeoutMinutes } = contract.limits;
  const named = {
    implementer: timeoutMinutes.implementer,
    'local-reviewer': timeoutMinutes.localReview,
    judge: timeoutMinutes.judge,
    'floor-manager': timeoutMinutes.localReview, // lasts as long as a review call
  };
  return named[station] + grants.timeoutMinutes;
}

/**
 * The longest call at a station, even with output: a busy loop uses CPU time as work does. Default: six stall limits,
 * at least an hour; granted silence extends it in proportion.
 */
export function computeHardLimit(record: TaskRecord, station: StationId): number {
  const named = record.contract.limits.hardLimitMinutes;
  if (named !== undefined) return named + record.grants.timeoutMinutes;
  return Math.max(HARD_LIMIT_MINUTES, computeStallLimit(record, station) * HARD_LIMIT_FACTOR);
}

/** After a silence, the limit is doubled: more time may be all that is missing. */
function longerLimit(record: TaskRecord): Path | undefined {
  const last = record.lastFacts.strike ?? record.strikes.at(-1);
  if (last?.kind !== 'stall') return undefined;
  const now = computeStallLimit(record, last.station);
  const grants = { ...record.grants, timeoutMinutes: record.grants.timeoutMinutes + now };
  const hardNow = computeHardLimit(record, last.station);
  const hardThen = computeHardLimit({ ...record, grants }, last.station);
  return {
    title: 'Try again and allow twice the time',
    does: `The same agent gets one more try. It may be silent for ${round(now * 2)} minutes instead of ${round(now)}${hardThen === hardNow ? '' : `, and work for ${round(hardThen)} instead of ${round(hardNow)}`}.`,
    effect: { to: record.status, stallTries: 1, timeoutMinutes: now },
  };
}

const round = (minutes: number): number => Number(minutes.toFixed(2));

function trip(record: TaskRecord, reason: string): Conflict {
  const sides = record.strikes.map((strike, index) => ({
    who: `${strike.station}, failure ${index + 1}`,
    says: describeStrike(strike),
  }));
  const refused = record.lastFacts.strike;
  const refusedSide =
    refused?.kind === 'refused' ? [{ who: `andon, of the ${refused.station}'s last answer`, says: refused.why }] : [];
  const again: Path = {
    title: 'Try again',
    does:
      record.strikes.at(-1)?.kind === 'too-long'
        ? 'The same agent gets one more try. Give its model a larger window first: a prompt that does not fit fails again.'
        : 'The same agent gets one more try, and learns why the last one failed.',
    effect: { to: record.status, stallTries: 1 },
  };
  return {
    reason,
    sides: [...sides, ...refusedSide],
    paths: [again, longerLimit(record) ?? abandon(record)],
  };
}
