import { findLargestUse, readStepTimes, type StepTimes } from '../core/past-calls.ts';
import type { CallAmounts } from '../../agents/budget/compute-reserve.ts';
import { STATION_AT, STATIONS, TERMINAL, type StationId } from '../../base/names.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';

/** Older tasks say little about the next step, and reading all of a large journal takes time. */
const TASKS = 20;

type PastJournal = Pick<Journal, 'entries' | 'taskIds'>;

/** Ended tasks by journal. Parsing twenty tasks before each call cost more than all else that a step does. */
const endedTasks = new WeakMap<PastJournal, ReadonlyMap<string, readonly JournalEntry[]>>();

/** The entries with usage and times of the newest tasks, oldest task first. */
function readPastTasks(journal: PastJournal): readonly (readonly JournalEntry[])[] {
  const known = endedTasks.get(journal);
  const tasks = journal
    .taskIds()
    .slice(-TASKS)
    .map((id) => [id, known?.get(id) ?? journal.entries(id).filter(showsUse)] as const);
  endedTasks.set(journal, new Map(tasks.filter(([, entries]) => entries.some(endsTask))));
  return tasks.map(([, entries]) => entries);
}

const showsUse = (entry: JournalEntry): boolean =>
  entry.kind === 'started' ||
  entry.kind === 'called' ||
  (entry.kind === 'moved' && (entry.facts.gates !== undefined || endsTask(entry)));

const endsTask = (entry: JournalEntry): boolean => entry.kind === 'moved' && TERMINAL.includes(entry.to);

/** How long the steps of this repository took. */
export const readPastTimes = (journal: PastJournal | undefined): StepTimes =>
  readStepTimes(journal === undefined ? [] : readPastTasks(journal));

/** The largest usage of earlier calls at a station: of its own task, else of the repository. */
export function findPastUse(
  journal: PastJournal,
  record: Pick<TaskRecord, 'calls'>,
  station: StationId,
  worker?: { readonly agent: string; readonly model: string },
): CallAmounts | undefined {
  const own = findLargestUse(record.calls, station, worker);
  if (own !== undefined) return own;
  const calls = readPastTasks(journal).flatMap((entries) => entries.filter((entry) => entry.kind === 'called'));
  return findLargestUse(calls, station, worker);
}

/** The stations of the rest of a round; the floor manager is not counted. */
function listStationsLeft(status: TaskRecord['status']): readonly StationId[] {
  const station = STATION_AT[status];
  return station === undefined ? [] : STATIONS.slice(STATIONS.indexOf(station), STATIONS.indexOf('floor-manager'));
}

/** The expected usage of the rest of a task's round, from its current station; each member of a panel counts. */
export function estimateRestOfRound(
  journal: PastJournal,
  record: TaskRecord,
): { readonly usd: number; readonly tokens: number; readonly minutes: number } {
  const { reviewers, judges } = record.contract.roles;
  const seats = (station: StationId): number =>
    (station === 'judge' ? judges : station === 'local-reviewer' ? reviewers : undefined)?.length ?? 1;
  const uses = listStationsLeft(record.status).map((station) => ({
    use: findPastUse(journal, record, station),
    calls: seats(station),
  }));
  const total = (what: keyof CallAmounts): number =>
    uses.reduce((sum, { use, calls }) => sum + (use?.[what] ?? 0) * calls, 0);
  return { usd: total('usd'), tokens: Math.ceil(total('tokens')), minutes: total('minutes') };
}
