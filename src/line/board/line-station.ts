import type { Status } from '../../base/names.ts';
import type { TaskRecord } from '../record/task-record.ts';

/** The places that a task passes, in their order, as people see the line. */
export const LINE_STATIONS = ['writing', 'gates', 'review', 'judge', 'decision', 'merged'] as const;
export type LineStation = (typeof LINE_STATIONS)[number];

export const LINE_STATION_NAMES: Readonly<Record<LineStation, string>> = {
  writing: 'Writing',
  gates: 'Gates',
  review: 'Local review',
  judge: 'Judge',
  decision: 'Floor manager',
  merged: 'Merged',
};

const AT: Readonly<Record<Status, LineStation | null>> = {
  pending_implementer: 'writing',
  pending_local_review: 'review',
  pending_judge_review: 'judge',
  review_in_progress: 'judge',
  review_complete: 'decision',
  merged: 'merged',
  erik_consultation: null,
  abandoned: null,
};

/** Where a task is; a halted one is where it halted. Gates run between the calls of the first two stations. */
export function findLineStation(
  { status, halt, openCall, hold }: Pick<TaskRecord, 'status' | 'halt' | 'openCall' | 'hold'>,
  isWorking: boolean,
): LineStation | null {
  const at = AT[halt?.statusBefore ?? status];
  const isBetweenCalls = isWorking && openCall === undefined && hold === undefined;
  return isBetweenCalls && (at === 'writing' || at === 'review') ? 'gates' : at;
}
