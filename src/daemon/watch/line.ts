import type { LineRecord } from '../../record/line-record.ts';
import { TERMINAL } from '../../base/names.ts';
import { describeAtStart } from '../../line/describe-line.ts';
import { haltReach } from '../../record/trip.ts';
import { findActiveTask, openTask, openTasks } from '../journal/active-task.ts';
import { HaltDecisionReader } from '../halts/halt-decision-reader.ts';
import { Arrivals } from '../intake/contract-queue.ts';
import { catchUpPapers } from '../documents/catch-up-papers.ts';
import { restoreHalt } from '../documents/halt-papers.ts';
import type { HaltChoice } from '../halts/check-decision.ts';
import { abandonTask } from '../halts/give-up.ts';
import { Proposals } from '../intake/proposals.ts';
import { PollLoop } from './poll-loop.ts';
import { ParkedTasks } from './parked-tasks.ts';
import { admitNext } from './admit-next.ts';
import { answerHalt } from './answer-halt.ts';
import { guardContract } from './guard-contract.ts';
import { StartGate } from './start-gate.ts';
import { Repairs } from './repairs.ts';
import { createStopRequest, readStopFile, explainNothingToHalt } from './stop-request.ts';
import { finishWithoutWatchdog, haltUnlessMerged, createAlreadyMerged, noteMerged } from './halt-line.ts';
import { explainPaused } from '../../wiring/pause.ts';
import { startTaskLine } from './task-line.ts';
import { tryNow } from './retry-now.ts';
import type { TaskLine } from './task-line.ts';
import type { Services } from '../../wiring/services.ts';

/**
 * The line of one repository: sees what was dropped, runs one task at a time, carries out what humans choose. A task that
 * is halted by itself makes room for the next. `look()` may be called as often as anybody likes: it reads the folder and
 * the journal, and does what is to be done.
 */
export class Line {
  readonly services: Services;
  private line: TaskLine | undefined;
  /** What a command asks for takes turns with the looks. */
  readonly looks: PollLoop;
  private readonly repairs: Repairs;
  private readonly mayStart: StartGate;
  private readonly arrivals: Arrivals;
  private readonly proposals: Proposals;
  private readonly parked: ParkedTasks;
  private readonly decisions: HaltDecisionReader;
  /** The halt whose papers were written; before that, none is missing. */
  private writtenHalt: string | undefined;
  private readonly broken: (error: unknown) => void;

  constructor(services: Services, broken: (error: unknown) => void) {
    this.services = services;
    this.repairs = new Repairs(services);
    this.mayStart = new StartGate(services);
    this.arrivals = new Arrivals(services);
    this.proposals = new Proposals(services, this.mayStart, () => void this.look());
    this.parked = new ParkedTasks(services, broken);
    this.decisions = new HaltDecisionReader(services);
    this.broken = broken;
    this.looks = new PollLoop(() => this.tick(), broken);
  }

  /** The active task: it has not ended and is not parked. */
  get record(): LineRecord | undefined {
    return this.line?.record ?? findActiveTask(this.services);
  }

  /** Takes up what a crash or a stop left unfinished. Starting is recovering; there is no other way. */
  recover(): void {
    const record = catchUpPapers(this.services);
    for (const open of openTasks(this.services)) this.say(describeAtStart(open));
    if (record !== undefined) this.take(record);
  }

  /** Looks at the folder now; calls during a look lead to one more look. */
  look(): Promise<void> {
    return this.looks.look();
  }

  /** Brings the page of all halts up to date. */
  showHalts(): Promise<void> {
    return this.parked.showAll(() => this.record);
  }

  /** Carries out a human's choice, or throws a Problem that says why it is refused; then nothing has moved. */
  async resume(choice: HaltChoice): Promise<LineRecord> {
    const record = openTask(this.services, choice.taskId);
    if (record.parked !== undefined) return this.afterLook(await this.parked.resume(record, choice));
    const watched = this.line;
    const answered = await answerHalt(this.services, record, choice, watched, () => this.still(record));
    if (!answered.beginsAnew) return answered.record;
    this.line = undefined;
    if (watched !== undefined) this.take(answered.record);
    return answered.record;
  }

  /** Stops a task because a human says so, or without an id the line; what runs is ended first. */
  async pullCord(taskId: string | undefined, by: string, reason: string): Promise<LineRecord> {
    const record = taskId === undefined ? this.record : openTask(this.services, taskId);
    if (record === undefined || record.halt !== undefined) throw explainNothingToHalt(record);
    const outcome = createStopRequest(taskId, by, reason);
    if (record.parked !== undefined) return this.parked.halt(record, outcome);
    const alone = this.line === undefined;
    const line = this.line ?? this.still(record);
    await haltUnlessMerged(this.services, line, outcome);
    if (alone) await finishWithoutWatchdog(this.services, line);
    if (line.sealed.status === 'merged') throw createAlreadyMerged(line.sealed);
    return line.sealed;
  }

  /** Makes a call that waits for its program now. */
  retry(taskId: string): LineRecord {
    return tryNow(this.services, openTask(this.services, taskId), this.line !== undefined);
  }

  /** Gives a task up at any status; its branch and attempts stay. */
  async abandon(taskId: string, by: string): Promise<LineRecord> {
    const record = openTask(this.services, taskId);
    if (record.parked !== undefined) return this.afterLook(await this.parked.abandon(record, by));
    await this.line?.stop();
    this.line = undefined;
    try {
      return this.afterLook(await abandonTask(this.services, record, by));
    } catch (error) {
      if (!this.looks.isStopped) this.take(findActiveTask(this.services) ?? record); // it goes on and notes that it was merged
      throw error;
    }
  }

  /** Ends what runs, waits for its processes to be gone, and leaves everything for the next start. */
  async stop(): Promise<void> {
    this.looks.stop();
    await Promise.all([this.line?.stop(), this.proposals.stop()]);
    await this.looks.ended();
    await this.repairs.tryLast();
  }

  private told(): { settled(record: LineRecord): void; broken(error: unknown): void } {
    return {
      settled: (record) => {
        this.writtenHalt = record.halt?.id;
        if (record.halt !== undefined) this.parked.overview.invalidate();
        if (TERMINAL.includes(record.status)) this.line = undefined;
        void this.look();
      },
      broken: (error) => this.broken(error),
    };
  }

  /** A line over a record that only takes a choice: no step of it runs. */
  private still(record: LineRecord): TaskLine {
    return startTaskLine(this.services, record, this.told(), { idle: true });
  }

  private say(text: string): void {
    this.services.say({ kind: 'word', level: 'info', text });
  }

  private take(record: LineRecord): void {
    this.line = startTaskLine(this.services, record, this.told());
  }

  private async tick(): Promise<void> {
    await this.pollFolder();
    await this.showHalts();
    const coming = [this.decisions.settlesIn, this.arrivals.wakesIn].filter((ms) => ms !== undefined);
    if (coming.length > 0) this.looks.lookIn(Math.ceil(Math.min(...coming)));
  }

  private async pollFolder(): Promise<void> {
    await this.repairs.try();
    await this.services.configuration.refresh();
    this.services.handoff.prepare();
    this.services.bell.notifyAll();
    await this.proposals.look();
    await this.parked.look();
    if (this.line !== undefined) {
      const { line } = this;
      if (line.sealed.halt !== undefined) await noteMerged(this.services, line.sealed, line, () => line);
      await this.guard(line);
      const halted = this.line?.sealed;
      if (
        halted?.halt !== undefined &&
        halted.halt.id === this.writtenHalt &&
        (await restoreHalt(this.services, halted))
      )
        this.parked.overview.invalidate();
    }
    await this.handleFolderCommands();
    const { line: current } = this;
    // The task may be abandoned while `makeRoom` waits: `this.line` is gone then.
    if (current !== undefined && !(await this.makeRoom(current))) return this.arrivals.survey([current.record.taskId]);
    if (this.mayStart.now) await this.beginNext();
    if (this.record === undefined && !this.looks.isStopped) await this.arrivals.survey([]);
  }

  /** What a person asks for through the folder: `DECISION.json` at a halt, or `STOP`. */
  private async handleFolderCommands(): Promise<void> {
    const record = this.line?.record;
    const active = record === undefined || TERMINAL.includes(record.status) ? undefined : record;
    const choice = this.decisions.read(active, this.parked.records);
    if (choice !== undefined) await this.resume(choice).catch((error: unknown) => this.decisions.refuse(error));
    if (this.line === undefined || active === undefined || this.line.record.halt !== undefined) return;
    const cord = readStopFile(this.services.handoff);
    if (cord !== undefined) await haltUnlessMerged(this.services, this.line, cord);
  }

  private async guard(line: TaskLine): Promise<void> {
    if (!(await guardContract(this.services, line, this.arrivals))) return;
    await line.stop();
    this.line = undefined;
    this.say(`${line.sealed.taskId}: the contract was rewritten; starting with the new version`);
  }

  /** Puts a halted task aside where its halt concerns no other, and another one could go on; true when the place is free then. */
  private async makeRoom(line: TaskLine): Promise<boolean> {
    const { halt } = line.sealed;
    if (halt === undefined || halt.id !== this.writtenHalt || haltReach(halt) === 'line') return false;
    if (this.services.configuration.line().settings.onHalt === 'stop' || explainPaused(this.services) !== undefined)
      return false;
    // Where one is parked already, every open task has a folder of its own.
    if (this.parked.records.length === 0 && !(await this.arrivals.mayBegin())) return false;
    if (this.looks.isStopped || line.sealed.halt?.id !== halt.id) return false;
    await line.stop();
    this.line = undefined;
    await this.parked.park(line.sealed);
    return true;
  }

  /** Gives the free place to a task that was parked and answered, else to the next contract. */
  private async beginNext(): Promise<void> {
    if (this.looks.isStopped) return;
    const { next } = this.parked;
    if (next === undefined || findActiveTask(this.services) !== undefined) return this.admitNext();
    if (!this.arrivals.clearPlace()) return; // somebody is writing there; the next look sees what it is
    this.parked.takeUp(next);
    const record = findActiveTask(this.services);
    if (record !== undefined) this.take(record);
  }

  private async admitNext(): Promise<void> {
    const next = await admitNext(this.services, this.arrivals, this.looks);
    if (next === undefined) return;
    this.take(next);
    // The paper is written by the next look, while the agent is at work already.
    setImmediate(() => void this.look());
  }

  private afterLook(record: LineRecord): LineRecord {
    void this.look();
    return record;
  }
}
