import type { GateCommand } from '../contract/gate.ts';
import type { LineRecord } from '../record/line-record.ts';
import type { StationId } from '../base/names.ts';
import { hardLimit } from './breakers/stalled.ts';
import type { StepTimes } from './past-calls.ts';

/** The longest that a project's setup may take: the network and a package manager may be slow; an hour is a fault. */
export const SETUP_MINUTES = 60;

/** What of the configuration decides how long a step may take. */
interface StepSettings {
  readonly gates: readonly GateCommand[];
  readonly setup: readonly string[];
  readonly canaryEvery: number;
}

const NO_TIMES: StepTimes = { call: () => undefined, afterCall: undefined };

/**
 * Estimates the next step of a task, in minutes: a call, the gates on base and change, and the setup where nothing of the
 * task ran yet. Each part is as long as the repository's history says, and never longer than its limit; without a history
 * the limit counts. Undefined where the step is over in moments.
 */
export function stepMinutes(
  record: LineRecord,
  settings: StepSettings,
  times: StepTimes = NO_TIMES,
): number | undefined {
  const call = (station: StationId): number => callMinutes(station, hardLimit(record, station), times);
  switch (record.status) {
    case 'pending_implementer': {
      const setup = record.change === undefined ? settings.setup.length * SETUP_MINUTES : 0;
      const around = atMost(
        setup + 2 * gateMinutes(record, settings),
        times.afterCall === undefined ? undefined : 2 * times.afterCall,
      );
      return (record.onlyGates ? 0 : call('implementer')) + around;
    }
    case 'pending_local_review':
      return call('local-reviewer');
    case 'pending_judge_review':
    case 'review_in_progress':
      return call('judge') * (settings.canaryEvery > 0 ? 2 : 1);
    case 'review_complete':
    case 'erik_consultation':
    case 'merged':
    case 'abandoned':
      return undefined;
  }
}

/** How long a step still takes from its call on: the call, and behind an implementer's the gates on the change. */
export const minutesFromCall = (
  record: LineRecord,
  settings: Pick<StepSettings, 'gates'>,
  { station, minutes }: { readonly station: StationId; readonly minutes: number },
  times: StepTimes = NO_TIMES,
): number =>
  callMinutes(station, minutes, times) +
  (station === 'implementer' ? atMost(gateMinutes(record, settings), times.afterCall) : 0);

const callMinutes = (station: StationId, limit: number, times: StepTimes): number => atMost(limit, times.call(station));

const atMost = (limit: number, estimate: number | undefined): number => Math.min(limit, estimate ?? limit);

/** The longest that all gates of a task take, one after the other. */
const gateMinutes = ({ contract }: LineRecord, { gates }: Pick<StepSettings, 'gates'>): number =>
  [...gates, ...contract.gates, ...contract.holdout.gates].reduce((sum, one) => sum + one.timeoutMinutes, 0);
