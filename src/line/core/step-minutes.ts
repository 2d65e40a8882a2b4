import type { GateCommand } from '../../project/contract/gate.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { StationId } from '../../base/names.ts';
import { computeHardLimit } from '../breakers/stalled.ts';
import type { StepTimes } from './past-calls.ts';

/** The longest setup of a project: network and package managers may be slow; an hour is a fault. */
export const SETUP_MINUTES = 60;
/** How long a setup command may show no sign of life: it waits for the network. */
export const SETUP_IDLE_MINUTES = 2;

interface StepSettings {
  readonly gates: readonly GateCommand[];
  readonly setup: readonly string[];
  readonly canaryEvery: number;
}

const NO_TIMES: StepTimes = { call: () => undefined, afterCall: undefined };

/**
 * Estimates a task's next step in minutes: a call, the gates on base and change, and the setup on the first run. Each
 * part follows the repository's history, at most its limit; without a history the limit counts. Undefined for a step of
 * moments.
 */
export function estimateStepMinutes(
  record: TaskRecord,
  settings: StepSettings,
  times: StepTimes = NO_TIMES,
): number | undefined {
  const call = (station: StationId): number => callMinutes(station, computeHardLimit(record, station), times);
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

/** The rest of a step from its call on: the call, and after an implementer the gates on the change. */
export const estimateCallMinutes = (
  record: TaskRecord,
  settings: Pick<StepSettings, 'gates'>,
  { station, minutes }: { readonly station: StationId; readonly minutes: number },
  times: StepTimes = NO_TIMES,
): number =>
  callMinutes(station, minutes, times) +
  (station === 'implementer' ? atMost(gateMinutes(record, settings), times.afterCall) : 0);

const callMinutes = (station: StationId, limit: number, times: StepTimes): number => atMost(limit, times.call(station));

const atMost = (limit: number, estimate: number | undefined): number => Math.min(limit, estimate ?? limit);

const gateMinutes = ({ contract }: TaskRecord, { gates }: Pick<StepSettings, 'gates'>): number =>
  [...gates, ...contract.gates, ...contract.holdout.gates].reduce((sum, one) => sum + one.timeoutMinutes, 0);
