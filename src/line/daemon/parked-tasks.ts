import type { JournalEntry } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { FILES, TERMINAL } from '../../base/names.ts';
import { foldJournal, foldSealed } from '../core/fold-journal.ts';
import { readMergeState } from '../git/merge-state.ts';
import { endMerged } from './change-task.ts';
import { restoreHalt, writeHalt, haltReport } from '../documents/halt-papers.ts';
import { parkPapers, unparkPapers } from '../documents/move-papers.ts';
import { forParkedTask, pathOfParked } from '../documents/parked-papers.ts';
import { listParkedTasks } from '../journal/active-task.ts';
import type { LineServices, Needs } from '../services/services.ts';
import type { Halt } from '../record/trip.ts';
import { withOthers } from '../halts/halt-report.ts';

/**
 * The tasks that are parked while others continue. Each has its papers in its own folder and is answered like any halt,
 * in any order; an answered one waits here until the line is free.
 */
export class ParkedTasks {
  private readonly services: LineServices;
  /** The target's commit when it was last asked for the merge, by task. */
  private readonly targets = new Map<string, string | undefined>();
  readonly overview: ReturnType<typeof createHaltOverview>;

  constructor(services: LineServices) {
    this.services = services;
    this.overview = createHaltOverview(services);
  }

  get records(): readonly TaskRecord[] {
    return listParkedTasks(this.services);
  }

  /** The parked task that continues next: the one that was answered first. */
  get next(): TaskRecord | undefined {
    const answered = this.records.filter((record) => record.halt === undefined);
    return answered.toSorted((one, two) => one.updatedAt.localeCompare(two.updatedAt))[0];
  }

  /** Ends those that were merged by hand, and restores missing papers. */
  async poll(): Promise<void> {
    for (const record of this.records) await this.restore(record, forParkedTask(this.services, record.taskId));
  }

  showAll(active: () => TaskRecord | undefined): Promise<void> {
    return this.overview.show(active, this.records);
  }

  async park(record: TaskRecord): Promise<void> {
    const { taskId, halt } = record;
    this.note(taskId, { kind: 'parked', at: this.services.clock.now(), halt: halt?.id ?? '' });
    parkPapers(this.services, taskId);
    await writeHalt(forParkedTask(this.services, taskId), record);
  }

  /** Makes a parked task the active one; there is no other. */
  takeUp({ taskId }: TaskRecord): void {
    this.note(taskId, { kind: 'taken_up', at: this.services.clock.now() });
    unparkPapers(this.services, taskId);
    this.targets.delete(taskId);
  }

  /** Its folder goes with a task that has ended. */
  tidy({ taskId, status }: TaskRecord): void {
    if (TERMINAL.includes(status)) this.services.handoff.removeAside(taskId);
  }

  private async restore(record: TaskRecord, services: LineServices): Promise<void> {
    if (record.halt === undefined || (await this.isMerged(record, services))) return;
    await restoreHalt(services, foldSealed(this.services.journal.entries(record.taskId)) ?? record);
  }

  /** A person may have merged it by hand; the target is read when it has moved. */
  private async isMerged(record: TaskRecord, services: LineServices): Promise<boolean> {
    const target = await services.repository.resolve(record.target);
    if (target === this.targets.get(record.taskId)) return false;
    const standing = await readMergeState(services, record);
    this.targets.set(record.taskId, target);
    if (standing.is === 'merged') this.tidy(endMerged(services, record, standing.merge));
    return standing.is === 'merged';
  }

  private note(taskId: string, entry: Aside): void {
    this.services.journal.append(taskId, [entry]);
    const record = foldJournal(this.services.journal.entries(taskId));
    if (record !== undefined) this.services.say({ kind: 'entry', entry, record });
  }
}

type Aside = Extract<JournalEntry, { readonly kind: 'parked' | 'taken_up' }>;

/** Writes `_handoff/ERIK_HALT.md` for all halts: the first report whole, the others by name. It is never read back. */
function createHaltOverview(services: Needs<'handoff' | 'journal' | 'repository'>) {
  const { handoff, journal } = services;
  /** The halts on the page, by id; undefined until the first look, when an earlier page may be left. */
  let shown: string | undefined;
  return {
    /** Another writer has put the report of this halt there, alone. */
    noteReport(haltId: string): void {
      shown = haltId;
    },
    /** `active` gives the task in front, which may halt while the page is being made. */
    async show(active: () => TaskRecord | undefined, parked: readonly TaskRecord[]): Promise<void> {
      const [first, ...others] = [active(), ...parked].flatMap(haltedTask);
      const ids = [first, ...others].map((one) => one?.halt.id ?? '').join(' ');
      // A report of the task in front that was deleted is written again by `restoreHalt`, which says so.
      const isThere = active()?.halt !== undefined || handoff.exists(FILES.halt);
      if (shown === ids && isThere === (first !== undefined)) return;
      if (first === undefined) handoff.remove(FILES.halt);
      else {
        const { taskId } = first.record;
        const report = await haltReport(services, foldSealed(journal.entries(taskId)) ?? first.record, first.halt);
        const file = (id: string): string => handoff.shown(pathOfParked(id, FILES.halt));
        const page = withOthers(
          report,
          others.map(({ record, halt }) => ({ taskId: record.taskId, halt, file: file(record.taskId) })),
        );
        const front = active()?.halt;
        const isCurrent = (): boolean => front === undefined || front.id === first.halt.id;
        if (!handoff.write(FILES.halt, page, isCurrent)) return;
      }
      shown = ids;
    },
  };
}

const haltedTask = (record: TaskRecord | undefined): readonly { readonly record: TaskRecord; readonly halt: Halt }[] =>
  record?.halt === undefined ? [] : [{ record, halt: record.halt }];
