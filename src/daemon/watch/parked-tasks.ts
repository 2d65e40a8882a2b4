import type { JournalEntry } from '../../record/journal-entry.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { TERMINAL } from '../../base/names.ts';
import { foldJournal, foldSealed } from '../../line/record.ts';
import { Answers } from '../halts/halt-decisions.ts';
import type { Choice } from '../halts/check-decision.ts';
import { giveUp } from '../halts/give-up.ts';
import { Overview } from '../halts/overview.ts';
import { HaltPapers } from '../halts/restore-halt.ts';
import { putAside, putBack } from '../documents/move-papers.ts';
import { besideThePlace } from '../documents/papers-of.ts';
import { writeHalt } from '../documents/papers-of-halt.ts';
import { parkedTasks } from '../journal/active-task.ts';
import { answerHalt } from './answer-halt.ts';
import { endAlone, haltUnlessMerged, noteMerged } from './halt-line.ts';
import { startTaskLine } from './task-line.ts';
import type { TaskLine } from './task-line.ts';
import type { StepOutcome } from '../../wiring/step-log.ts';
import type { Services } from '../../wiring/services.ts';

/** What it takes to look after one parked task: its papers in its own folder, and what is answered there. */
interface Desk {
  readonly services: Services;
  readonly answers: Answers;
  readonly papers: HaltPapers;
  /** Where the target stood when it was asked last whether it holds the merge. */
  target?: string | undefined;
}

/**
 * The tasks that were put aside while others go on. Each keeps its papers in a folder of its own and is answered like any
 * halt, in any order; one that was answered waits here until the line is free.
 */
export class ParkedTasks {
  private readonly services: Services;
  private readonly broken: (error: unknown) => void;
  private readonly desks = new Map<string, Desk>();
  private readonly overview: Overview;

  /** `services` are those of the whole folder, not of the task in the place. */
  constructor(services: Services, broken: (error: unknown) => void) {
    this.services = services;
    this.broken = broken;
    this.overview = new Overview(services);
  }

  get records(): readonly LineRecord[] {
    return parkedTasks(this.services);
  }

  /** The parked task that goes on next: of those that were answered, the one that was answered first. */
  get next(): LineRecord | undefined {
    const answered = this.records.filter((record) => record.halt === undefined);
    return answered.toSorted((one, two) => one.updatedAt.localeCompare(two.updatedAt))[0];
  }

  /** Milliseconds until something that lies there unsettled may count. */
  get settlesIn(): number | undefined {
    const waits = [this.overview, ...[...this.desks.values()].map(({ answers }) => answers)].flatMap(
      ({ settlesIn }) => settlesIn ?? [],
    );
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** Carries out what was answered, and puts right what of their papers is missing. */
  async look(): Promise<void> {
    this.overview.forward(this.records);
    for (const record of this.records) await this.lookAt(record, this.deskOf(record.taskId));
    const ids = new Set(this.records.map(({ taskId }) => taskId));
    for (const taskId of this.desks.keys()) if (!ids.has(taskId)) this.desks.delete(taskId);
  }

  /** Brings the page of all halts up to date; `inPlace` is the task in the place. */
  showAll(inPlace: LineRecord | undefined): Promise<void> {
    return this.overview.show(inPlace?.halt === undefined ? undefined : inPlace, this.records);
  }

  /** Puts a halted task aside; its line has been stopped, and its papers lie in the place. */
  park({ taskId, halt: standing }: LineRecord): void {
    this.note(taskId, { kind: 'parked', at: this.services.clock.now(), halt: standing?.id ?? '' });
    putAside(this.services, taskId);
    this.deskOf(taskId).papers.written = standing?.id;
  }

  /** Gives a parked task the place, which is free. */
  takeUp({ taskId }: LineRecord): void {
    this.note(taskId, { kind: 'taken_up', at: this.services.clock.now() });
    putBack(this.services, taskId);
    this.desks.delete(taskId);
  }

  async resume(record: LineRecord, choice: Choice): Promise<LineRecord> {
    const { services } = this.deskOf(record.taskId);
    const answered = await answerHalt(services, record, choice, undefined, () => this.still(services, record));
    this.tidy(answered.record);
    return answered.record;
  }

  async abandon(record: LineRecord, by: string): Promise<LineRecord> {
    const ended = await giveUp(this.deskOf(record.taskId).services, record, by);
    this.tidy(ended);
    return ended;
  }

  /** Stops one that was answered and waits; it stands as before, with a new halt. */
  async halt(record: LineRecord, outcome: StepOutcome): Promise<LineRecord> {
    const { services } = this.deskOf(record.taskId);
    const line = this.still(services, record);
    await haltUnlessMerged(services, line, outcome);
    await endAlone(services, line);
    this.tidy(line.sealed);
    return line.sealed;
  }

  private async lookAt(record: LineRecord, desk: Desk): Promise<void> {
    const { services, answers, papers } = desk;
    if (record.halt !== undefined) {
      if (await this.isMerged(record, desk)) return;
      if (papers.written !== record.halt.id) await writeHalt(services, record);
      papers.written = record.halt.id;
      await papers.look(services, foldSealed(services.journal.entries(record.taskId)));
    }
    const choice = answers.look(record);
    if (choice !== undefined) await this.resume(record, choice).catch((error: unknown) => answers.refuse(error));
  }

  /** Somebody may have merged it by hand; the target is asked when it has moved. */
  private async isMerged(record: LineRecord, desk: Desk): Promise<boolean> {
    const target = await this.services.repository.resolve(record.target);
    if (target === desk.target) return false;
    const merged = await noteMerged(desk.services, record, undefined, () => this.still(desk.services, record));
    desk.target = target;
    if (merged !== undefined) this.tidy(merged);
    return merged !== undefined;
  }

  private tidy({ taskId, status }: LineRecord): void {
    if (!TERMINAL.includes(status)) return;
    this.desks.delete(taskId);
    this.services.handoff.removeAside(taskId);
  }

  /** A line over a record that only takes a choice: no step of it runs. */
  private still(services: Services, record: LineRecord): TaskLine {
    return startTaskLine(services, record, { settled: () => {}, broken: this.broken }, { idle: true });
  }

  private deskOf(taskId: string): Desk {
    const known = this.desks.get(taskId);
    if (known !== undefined) return known;
    const services = besideThePlace(this.services, taskId);
    const desk: Desk = { services, answers: new Answers(services), papers: new HaltPapers() };
    this.desks.set(taskId, desk);
    return desk;
  }

  private note(taskId: string, entry: Aside): void {
    this.services.journal.append(taskId, [entry]);
    const record = foldJournal(this.services.journal.entries(taskId));
    if (record !== undefined) this.services.say({ kind: 'entry', entry, record });
  }
}

type Aside = Extract<JournalEntry, { readonly kind: 'parked' | 'taken_up' }>;
