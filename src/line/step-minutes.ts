import type { GateCommand } from '../contract/gate.ts';
import type { LineRecord } from '../record/line-record.ts';
import type { StationId } from '../base/names.ts';
import { hardLimit } from './breakers/stalled.ts';

/** The longest that a project's setup may take: the network and a package manager may be slow; an hour is a fault. */
export const SETUP_MINUTES = 60;

/** What of the configuration decides how long a step may take. */
export interface StepSettings {
  readonly gates: readonly GateCommand[];
  readonly setup: readonly string[];
  readonly canaryEvery: number;
}

/**
 * The longest that the next step of a task may take, in minutes, by the limits of everything it may do: a call, the gates
 * on base and change, the setup where nothing of the task was run yet. Undefined where the step is over in moments.
 */
export function stepMinutes(record: LineRecord, settings: StepSettings): number | undefined {
  switch (record.status) {
    case 'pending_implementer': {
      const setup = record.change === undefined ? settings.setup.length * SETUP_MINUTES : 0;
      const call = record.onlyGates ? 0 : hardLimit(record, 'implementer');
      return setup + call + 2 * gateMinutes(record, settings);
    }
    case 'pending_local_review':
      return hardLimit(record, 'local-reviewer');
    case 'pending_judge_review':
    case 'review_in_progress':
      return hardLimit(record, 'judge') * (settings.canaryEvery > 0 ? 2 : 1);
    case 'review_complete':
    case 'erik_consultation':
    case 'merged':
    case 'abandoned':
      return undefined;
  }
}

/** The longest that a step still takes from its call on: the call, and behind an implementer's the gates on the change. */
export const minutesFromCall = (
  record: LineRecord,
  settings: Pick<StepSettings, 'gates'>,
  { station, minutes }: { readonly station: StationId; readonly minutes: number },
): number => minutes + (station === 'implementer' ? gateMinutes(record, settings) : 0);

/** The longest that all gates of a task take, one after the other. */
const gateMinutes = ({ contract }: LineRecord, { gates }: Pick<StepSettings, 'gates'>): number =>
  [...gates, ...contract.gates, ...contract.holdout.gates].reduce((sum, one) => sum + one.timeoutMinutes, 0);
