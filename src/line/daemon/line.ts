import type { TaskRecord } from '../record/task-record.ts';
import { FILES, TERMINAL } from '../../base/names.ts';
import { describeAtStart } from '../words/describe-line.ts';
import { haltReach, type Halt } from '../record/trip.ts';
import { findActiveTask, openTask, openTasks } from '../journal/active-task.ts';
import { DecisionReader } from '../halt-answers/decision-reader.ts';
import { Arrivals, lookAtContract } from '../intake/contract-queue.ts';
import { catchUpPapers } from '../documents/move-papers.ts';
import { restoreHalt } from '../documents/halt-papers.ts';
import { checkChoice, type HaltChoice } from '../halt-answers/check-choice.ts';
import {
  abandonTask,
  createStopRequest,
  endMerged,
  explainNothingToHalt,
  haltIdleUnlessMerged,
  haltUnlessMerged,
  applyChoice,
} from './change-task.ts';
import { createAlreadyMerged, readMergeState } from '../git/merge-state.ts';
import { forParkedTask } from '../documents/parked-papers.ts';
import { Proposals } from '../intake/proposals.ts';
import { ParkedTasks } from './parked-tasks.ts';
import { readStopFile } from '../documents/own-papers.ts';
import { explainPaused } from '../night/pause.ts';
import { startTaskLine, type TaskLine } from './task-line.ts';
import { openLineServices } from '../services/configuration.ts';
import type { LineServices, Needs } from '../services/services.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { Problem } from '../../base/problem.ts';
import { isDiskTrouble } from '../../base/disk-trouble.ts';
import { formatNoStart } from '../../agents/budget/user-limits.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/**
 * The line of one repository: finds contracts, runs one task at a time, carries out choices of people. A task whose halt
 * concerns only itself makes room for the next. `poll()` reads the folder and the journal, and may be called at any time.
 */
export class Line {
  readonly services: LineServices;
  private line: TaskLine | undefined;
  /** Requests of commands take turns with the polls. */
  readonly pollLoop: PollLoop;
  private readonly repair: () => Promise<void>;
  private readonly canStartTask: () => boolean;
  private readonly arrivals: Arrivals;
  private readonly proposals: Proposals;
  private readonly parked: ParkedTasks;
  private readonly decisions: DecisionReader;
  /** The halt whose papers were written; before that, none is missing. */
  private writtenHalt: string | undefined;
  private readonly onBroken: (error: unknown) => void;

  constructor(services: LineServices, onBroken: (error: unknown) => void) {
    this.services = services;
    this.repair = createRepairs(services);
    this.canStartTask = createStartGate(services);
    this.arrivals = new Arrivals(services);
    this.proposals = new Proposals(services, this.canStartTask, () => void this.poll());
    this.parked = new ParkedTasks(services);
    this.decisions = new DecisionReader(services);
    this.onBroken = onBroken;
    this.pollLoop = new PollLoop(() => this.tick(), onBroken);
  }

  get record(): TaskRecord | undefined {
    return this.line?.record ?? findActiveTask(this.services);
  }

  /** Continues after a crash or a stop. Every start is a recovery. */
  recover(): void {
    const record = catchUpPapers(this.services);
    for (const open of openTasks(this.services))
      this.services.say({ kind: 'word', level: 'info', text: describeAtStart(open) });
    if (record !== undefined) this.startTask(record);
  }

  poll(): Promise<void> {
    return this.pollLoop.poll();
  }

  showHalts(): Promise<void> {
    return this.parked.showAll(() => this.record);
  }

  /** Carries out a choice at a halt, or throws a Problem that says why it is refused; then nothing has changed. */
  async resume(choice: HaltChoice): Promise<TaskRecord> {
    const record = openTask(this.services, choice.taskId);
    const services = this.servicesOf(record);
    const merged = await this.endIfMerged(record);
    if (merged !== undefined) throw createAlreadyMerged(merged); // the task has ended, so there is no choice
    const checked = await checkChoice(services, record, choice);
    return this.change(record, () => applyChoice(services, record, checked));
  }

  get isRunning(): boolean {
    return this.line !== undefined;
  }

  get landings(): TaskLine['landings'] | undefined {
    return this.line?.landings;
  }

  async restart(): Promise<void> {
    await this.line?.stop();
    this.line = undefined;
    if (!this.pollLoop.isStopped) this.recover();
  }

  /** Halts a task on request, or without an id the line; running work is ended first. */
  async pullCord(taskId: string | undefined, by: string, reason: string): Promise<TaskRecord> {
    const record = taskId === undefined ? this.record : openTask(this.services, taskId);
    if (record === undefined || record.halt !== undefined) throw explainNothingToHalt(record);
    const outcome = createStopRequest(taskId, by, reason);
    const services = this.servicesOf(record);
    const line = record.parked === undefined ? this.line : undefined;
    if (line !== undefined) await haltUnlessMerged(services, line, outcome);
    const halted = line?.sealed ?? (await this.change(record, () => haltIdleUnlessMerged(services, record, outcome)));
    if (halted.status === 'merged') throw createAlreadyMerged(halted);
    return halted;
  }

  /** Abandons a task at any status; its branch and attempts stay. */
  async abandon(taskId: string, by: string): Promise<TaskRecord> {
    const record = openTask(this.services, taskId);
    return this.change(record, () => abandonTask(this.servicesOf(record), record, by));
  }

  /** Ends a halted task that a person has merged by hand; returns its record then. */
  private async endIfMerged(record: TaskRecord): Promise<TaskRecord | undefined> {
    const services = this.servicesOf(record);
    const standing = await readMergeState(services, record);
    if (standing.is !== 'merged') return undefined;
    return this.change(record, () => endMerged(services, record, standing.merge));
  }

  private servicesOf({ taskId, parked }: TaskRecord): LineServices {
    return parked === undefined ? this.services : forParkedTask(this.services, taskId);
  }

  /** Changes a task while no station works at it. A watched one then goes on from its new status, as after a crash. */
  private async change({ parked }: TaskRecord, change: () => TaskRecord | Promise<TaskRecord>): Promise<TaskRecord> {
    const watched = parked === undefined ? this.line : undefined;
    await watched?.stop();
    if (watched !== undefined) this.line = undefined;
    const goOn = (): void => {
      const active = watched === undefined ? undefined : findActiveTask(this.services);
      if (active !== undefined) this.startTask(active);
      void this.poll();
    };
    let changed: TaskRecord;
    try {
      changed = await change();
      if (parked !== undefined) this.parked.tidy(changed);
    } catch (error) {
      // Papers may be missing where the disk failed: the next start restores them, and goes on with the task.
      if (isDiskFault(error)) {
        this.pollLoop.stop();
        this.onBroken(error);
      } else goOn();
      throw error;
    }
    goOn();
    return changed;
  }

  /** Ends running work, waits until its processes are gone, and leaves the rest to the next start. */
  async stop(): Promise<void> {
    this.pollLoop.stop();
    await Promise.all([this.line?.stop(), this.proposals.stop()]);
    await this.pollLoop.ended();
    await this.repair().catch((error: unknown) => {
      const text = `left to the next start: ${getErrorMessage(error)}`;
      if (!isDiskTrouble(text)) this.services.say({ kind: 'word', level: 'warn', text }); // a full disk is logged already
    });
  }

  private startTask(record: TaskRecord): void {
    if (this.pollLoop.isStopped) return; // the next start goes on with it
    const callbacks = { settled: (now: TaskRecord) => this.noteSettled(now), broken: this.onBroken };
    this.line = startTaskLine(this.services, record, callbacks, (now) => this.decisions.decisionOn(now));
  }

  private noteSettled({ halt, status }: TaskRecord): void {
    this.writtenHalt = halt?.id;
    if (halt !== undefined) this.parked.overview.noteReport(halt.id);
    if (TERMINAL.includes(status)) this.line = undefined;
    void this.poll();
  }

  private async tick(): Promise<void> {
    await this.pollFolder();
    await this.showHalts();
    const { wakesIn } = this.arrivals;
    if (wakesIn !== undefined) this.pollLoop.pollIn(Math.ceil(wakesIn));
  }

  private async pollFolder(): Promise<void> {
    await this.repair();
    await this.services.configuration.refresh();
    this.services.handoff.prepare();
    this.services.bell.notifyAll();
    await this.proposals.look();
    await this.parked.poll();
    if (this.line !== undefined) await this.guardPapers(this.line);
    await this.handleFolderCommands();
    const { line } = this;
    if (line !== undefined && !(await this.makeRoom(line))) return this.arrivals.survey([line.record.taskId]);
    if (this.canStartTask()) await this.beginNext();
    if (this.record === undefined && !this.pollLoop.isStopped) await this.arrivals.survey([]);
  }

  /** Ends a halted task that was merged by hand, and restores or guards the papers of the task in front. */
  private async guardPapers(line: TaskLine): Promise<void> {
    if (line.sealed.halt !== undefined && (await this.endIfMerged(line.sealed)) !== undefined) return;
    await this.guardContract(line);
    const { sealed } = line;
    if (this.line !== line || !this.isReported(sealed)) return;
    if (await restoreHalt(this.services, sealed)) this.parked.overview.noteReport(sealed.halt.id);
  }

  /** Whether a task is halted and its papers are written. */
  private isReported(record: TaskRecord): record is TaskRecord & { readonly halt: Halt } {
    return record.halt !== undefined && record.halt.id === this.writtenHalt;
  }

  /** Carries out requests in the folder: `DECISION.json` at a halt, or `STOP`. */
  private async handleFolderCommands(): Promise<void> {
    const record = this.line?.record;
    const active = record === undefined || TERMINAL.includes(record.status) ? undefined : record;
    for (;;) {
      const choice = this.decisions.poll(active, this.parked.records);
      if (active !== undefined && this.decisions.decisionOn(active) !== undefined) this.services.bell.notifyAll();
      if (choice === undefined || (await this.tryResume(choice))) break; // a refused one does not hide the next
    }
    if (this.line === undefined || active === undefined || this.line.record.halt !== undefined) return;
    const cord = readStopFile(this.services.handoff);
    if (cord !== undefined) await haltUnlessMerged(this.services, this.line, cord);
  }

  /** Carries out the choice of a file; false where it is refused, in words. */
  private async tryResume(choice: HaltChoice): Promise<boolean> {
    try {
      await this.resume(choice);
      return true;
    } catch (error) {
      if (isDiskFault(error)) throw error;
      this.decisions.refuse(error);
      return false;
    }
  }

  /** While a task runs, its contract on disk is andon's: an edit is a new version, a second contract, or tampering. */
  private async guardContract(line: TaskLine): Promise<void> {
    const found = lookAtContract(openLineServices(this.services), line.sealed, this.arrivals);
    if (found.is === 'tampered') await haltUnlessMerged(this.services, line, found.step);
    if (found.is !== 'rewritten' || !(await this.arrivals.mayBeAdmitted(found.text))) return;
    await line.stop();
    this.line = undefined;
    const text = `${line.sealed.taskId}: the contract was rewritten; starting with the new version`;
    this.services.say({ kind: 'word', level: 'info', text });
    // It has begun, so nothing that keeps tasks from starting keeps it; its steps wait for pauses and hours themselves.
    if (!this.pollLoop.isStopped) await this.admitNext();
  }

  /** Parks a halted task whose halt concerns no other, when another could continue; true when the line is free then. */
  private async makeRoom(line: TaskLine): Promise<boolean> {
    const isParkable = (): boolean =>
      this.isReported(line.sealed) &&
      haltReach(line.sealed.halt) === 'task' &&
      this.services.configuration.line().settings.onHalt !== 'stop' &&
      explainPaused(this.services) === undefined &&
      !this.pollLoop.isStopped;
    // With one parked already, every open task has its own folder.
    const hasNext = async (): Promise<boolean> => this.parked.records.length > 0 || (await this.arrivals.mayBegin());
    if (!isParkable() || !(await hasNext()) || !isParkable()) return false;
    await line.stop();
    this.line = undefined;
    await this.parked.park(line.sealed);
    return true;
  }

  private async beginNext(): Promise<void> {
    if (this.pollLoop.isStopped) return;
    const { next } = this.parked;
    if (next === undefined || findActiveTask(this.services) !== undefined) return this.admitNext();
    if (!this.arrivals.clearPlace()) return; // a file is being written there; the next poll reads it
    this.parked.takeUp(next);
    const record = findActiveTask(this.services);
    if (record !== undefined) this.startTask(record);
  }

  private async admitNext(): Promise<void> {
    const { services } = this;
    const arrival = await this.arrivals.next();
    if (arrival.kind === 'look again') void this.poll();
    const active = findActiveTask(services); // also without an arrival, so that the next one reads only new entries
    if (this.pollLoop.isStopped) return;
    const entry = arrival.kind === 'admitted' ? arrival.entry : undefined;
    if (active !== undefined && active.taskId !== entry?.contract.taskId) {
      // One task at a time. A newer version stopped this one, and was taken away again or replaced by another contract.
      if (entry !== undefined || !services.handoff.exists(FILES.contract)) this.startTask(active);
      return;
    }
    if (entry === undefined) return;
    const { taskId } = entry.contract;
    services.journal.append(taskId, [entry]);
    const record = foldJournal(services.journal.entries(taskId));
    if (record === undefined) return;
    services.say({ kind: 'entry', entry, record });
    this.startTask(record);
    // The next poll writes the paper, while the agent works already.
    setImmediate(() => void this.poll());
  }
}

/** A refusal quotes names that people chose, so only other errors are read. */
const isDiskFault = (error: unknown): boolean => !(error instanceof Problem) && isDiskTrouble(getErrorMessage(error));

/** Completes updates of your checkout that a full disk or a running git of yours prevented; each obstacle is logged once. */
function createRepairs({ repository, say }: Needs<'repository' | 'say'>): () => Promise<void> {
  let logged: string | undefined;
  return async () => {
    const owed = await repository.repair({ patient: false });
    if (owed !== undefined && owed !== logged) say({ kind: 'word', level: 'warn', text: owed });
    logged = owed;
  };
}

/** Decides whether a task may be started, and logs each reason against it once. */
function createStartGate(services: LineServices): () => boolean {
  let logged: string | undefined;
  return () => {
    const why = explainPaused(services) ?? formatNoStart(services);
    if (why !== undefined && why !== logged) services.say({ kind: 'word', level: 'warn', text: why });
    logged = why;
    return why === undefined;
  };
}

/**
 * Serialises polls. A poll requested while one runs is coalesced into one more run; none start after `stop()`. Other work
 * on the line takes turns with them: each checks, waits for git, and acts on what must still be true.
 */
class PollLoop {
  private readonly tick: () => Promise<void>;
  private readonly onBroken: (error: unknown) => void;
  private running: Promise<void> | undefined;
  private isRequested = false;
  isStopped = false;
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(tick: () => Promise<void>, onBroken: (error: unknown) => void) {
    this.tick = tick;
    this.onBroken = onBroken;
  }

  /** Polls now, or once more when the running poll has ended. */
  poll(): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    if (this.running) {
      this.isRequested = true;
      return this.running;
    }
    this.running = this.inTurn(() => (this.isStopped ? Promise.resolve() : this.tick()))
      .catch((error: unknown) => this.onBroken(error))
      .finally(() => {
        this.running = undefined;
        if (!this.isRequested || this.isStopped) return;
        this.isRequested = false;
        void this.poll();
      });
    return this.running;
  }

  /** Polls after some milliseconds; the last such call counts. */
  pollIn(ms: number): void {
    clearTimeout(this.timer);
    if (!this.isStopped) this.timer = setTimeout(() => void this.poll(), ms);
  }

  /** Runs work after the running poll or work has ended. */
  inTurn<Value>(work: () => Promise<Value> | Value): Promise<Value> {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }

  /** Starts no further poll; `ended` waits for the running one. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  async ended(): Promise<void> {
    await this.running;
  }
}
