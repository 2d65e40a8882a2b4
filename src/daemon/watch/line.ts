import type { LineRecord } from '../../record/line-record.ts';
import { isDiskTrouble } from '../../base/disk-trouble.ts';
import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import { foldJournal } from '../../line/record.ts';
import { Problem } from '../../base/problem.ts';
import { activeTask, unknownTask } from '../journal/active-task.ts';
import { Answers } from '../halts/halt-decisions.ts';
import { Arrivals } from '../intake/contract-queue.ts';
import { catchUpPapers } from '../documents/catch-up-papers.ts';
import type { Choice } from '../halts/check-decision.ts';
import { lookAtContract } from '../intake/contract-on-disk.ts';
import { giveUp } from '../halts/give-up.ts';
import { Proposals } from '../intake/proposals.ts';
import { Looks } from './poll-loop.ts';
import { endAlone, haltUnlessMerged, mergedAlready, noteMerged, resumeHalted } from './halt-line.ts';
import { whyNothingStarts } from '../wiring/pause.ts';
import { startTaskLine } from './task-line.ts';
import { tryNow } from './retry-now.ts';
import type { TaskLine } from './task-line.ts';
import { HaltPapers } from '../halts/restore-halt.ts';
import { ReportSeal, tamperedReport } from '../documents/report-seal.ts';
import type { Services } from '../wiring/services.ts';

/**
 * The line of one repository: sees what was dropped, runs one task at a time, carries out what humans choose. `look()` may be
 * called as often as anybody likes: it reads the folder and the journal, and does what is to be done.
 */
export class Line {
  readonly services: Services;
  private line: TaskLine | undefined;
  /** What a command asks for takes turns with the looks. */
  readonly looks: Looks;
  private saidWhy: string | undefined;
  private saidOwed: string | undefined;
  private readonly arrivals: Arrivals;
  private readonly proposals: Proposals;
  private readonly seal = new ReportSeal();
  private readonly papers = new HaltPapers();
  private readonly answers: Answers;
  private readonly broken: (error: unknown) => void;

  constructor(services: Services, broken: (error: unknown) => void) {
    this.services = services;
    this.arrivals = new Arrivals(services);
    this.proposals = new Proposals(services);
    this.answers = new Answers(services);
    this.broken = broken;
    this.looks = new Looks(() => this.lookOnce(), broken);
  }

  /** The task that has not ended, as the journal has it. */
  get record(): LineRecord | undefined {
    return this.line?.record ?? activeTask(this.services);
  }

  /** Takes up the task that a crash or a stop left unfinished. Starting is recovering; there is no other way. */
  recover(): void {
    const record = catchUpPapers(this.services);
    if (record === undefined) return;
    const where = record.halt === undefined ? `going on at ${record.status}` : 'is halted, and waits for your choice';
    this.say('info', `${record.taskId}: ${where}`);
    this.take(record);
  }

  /** Looks at the folder now; calls during a look lead to one more look. */
  look(): Promise<void> {
    return this.looks.look();
  }

  /** Carries out a human's choice, or throws a Problem that says why it is refused; then nothing has moved. */
  async resume(choice: Choice): Promise<LineRecord> {
    const record = this.activeRecord(choice.taskId);
    const watched = this.line;
    const resumed = await resumeHalted(this.services, record, choice, watched, () => this.still(record));
    if (!resumed.beginsAnew) return resumed.record;
    this.line = undefined;
    if (watched !== undefined) this.take(resumed.record);
    return resumed.record;
  }

  /** Stops the line because a human says so; what runs is ended first. */
  async pullCord(taskId: string, by: string, reason: string): Promise<LineRecord> {
    const record = this.activeRecord(taskId);
    if (record.halt !== undefined)
      throw new Problem('outdated-choice', `${taskId} is halted already`, `read ${HANDOFF}/${FILES.halt}`);
    const alone = this.line === undefined;
    const line = this.line ?? this.still(record);
    await haltUnlessMerged(this.services, line, { event: 'cord', reason, facts: { cord: { by, reason } } });
    if (alone) await endAlone(this.services, line);
    if (line.sealed.status === 'merged') throw mergedAlready(line.sealed);
    return line.sealed;
  }

  /** Makes a call that waits for its program now. */
  retry(taskId: string): LineRecord {
    return tryNow(this.services, this.activeRecord(taskId), this.line !== undefined);
  }

  /** Gives a task up at any status; its branch and attempts stay. */
  async abandon(taskId: string, by: string): Promise<LineRecord> {
    const record = this.record;
    if (record?.taskId !== taskId) throw unknownTask(this.services, taskId);
    await this.line?.stop();
    this.line = undefined;
    try {
      const ended = await giveUp(this.services, record, by);
      void this.look();
      return ended;
    } catch (error) {
      if (!this.looks.isStopped) this.take(activeTask(this.services) ?? record); // it goes on and notes that it was merged
      throw error;
    }
  }

  /** Ends what runs, waits for its processes to be gone, and leaves everything for the next start. */
  async stop(): Promise<void> {
    this.looks.stop();
    await this.line?.stop();
    await this.looks.ended();
    await this.putRight().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      if (!isDiskTrouble(why)) this.say('warn', `left to the next start: ${why}`); // of a full disk everybody was told
    });
  }

  private told(): { settled(record: LineRecord): void; broken(error: unknown): void } {
    return {
      settled: (record) => {
        this.papers.written = record.halt?.id;
        if (!TERMINAL.includes(record.status)) return;
        this.line = undefined;
        void this.look();
      },
      broken: (error) => this.broken(error),
    };
  }

  /** A line over a record that only takes a choice: no step of it runs. */
  private still(record: LineRecord): TaskLine {
    return startTaskLine(this.services, record, this.told(), { idle: true });
  }

  /** Puts back in your checkout, once it can be, what a full disk or a git of yours that was at work kept from being put back. */
  private async putRight(): Promise<void> {
    const owed = await this.services.repository.repair({ patient: false });
    if (owed !== undefined && owed !== this.saidOwed) this.say('warn', owed);
    this.saidOwed = owed;
  }

  private say(level: 'info' | 'warn', text: string): void {
    this.services.say({ kind: 'word', level, text });
  }

  private take(record: LineRecord): void {
    this.line = startTaskLine(this.services, record, this.told());
  }

  private async lookOnce(): Promise<void> {
    await this.lookAround();
    const coming = [this.answers.settlesIn, this.arrivals.wakesIn].filter((ms) => ms !== undefined);
    if (coming.length > 0) this.looks.lookIn(Math.ceil(Math.min(...coming)));
  }

  private async lookAround(): Promise<void> {
    await this.putRight();
    this.services.handoff.prepare();
    this.services.bell.ring();
    await this.proposals.look();
    if (this.line !== undefined) {
      if (this.line.sealed.halt !== undefined) await this.noteMerged(this.line.sealed);
      await this.guardContract(this.line);
      await this.papers.look(this.services, this.line?.sealed);
      await this.heed();
      if (this.line !== undefined) return this.arrivals.survey([this.line.record.taskId]);
    }
    const why = whyNothingStarts(this.services);
    if (why !== undefined && why !== this.saidWhy) this.say('warn', why);
    this.saidWhy = why;
    if (why === undefined) await this.admitNext();
    if (this.record === undefined && !this.looks.isStopped) await this.arrivals.survey([]);
    if (this.record === undefined) this.answers.lookIdle();
  }

  /** What a human says through the folder: `STOP`, a tick in the halt report, or `DECISION.json`. */
  private async heed(): Promise<void> {
    const { handoff } = this.services;
    const record = this.line?.record;
    if (record === undefined || TERMINAL.includes(record.status)) return;
    const choice = this.answers.look(record);
    if (record.halt === undefined) {
      if (!handoff.exists(FILES.stop)) return;
      const written = handoff.read(FILES.stop);
      const [reason = ''] = (written.ok ? (written.value ?? '') : '').trim().split('\n');
      const cord = { by: `${HANDOFF}/${FILES.stop}`, reason: inOneTerminalLine(reason, 300) };
      if (this.line !== undefined)
        await haltUnlessMerged(this.services, this.line, { event: 'cord', reason: cord.reason, facts: { cord } });
      return;
    }
    if (choice !== undefined) await this.resume(choice).catch((error: unknown) => this.answers.refuse(error));
  }

  /** While a task runs, the contract on disk is andon's: an edit is a new drop, a second contract, or tampering. */
  private async guardContract(line: TaskLine): Promise<void> {
    const found = lookAtContract(this.services, line.sealed, this.arrivals);
    if (found.is === 'tampered') await haltUnlessMerged(this.services, line, found.step);
    const edited = this.seal.look(this.services, line.sealed);
    if (edited !== undefined && line.sealed.halt === undefined)
      await haltUnlessMerged(this.services, line, tamperedReport(this.services, edited));
    if (found.is !== 'rewritten' || !(await this.arrivals.mayBeAdmitted(found.text))) return;
    const { taskId } = line.sealed;
    await line.stop();
    this.line = undefined;
    this.say('info', `${taskId}: the contract was rewritten; starting with the new version`);
  }

  private async admitNext(): Promise<void> {
    if (this.looks.isStopped) return;
    const arrival = await this.arrivals.next();
    if (arrival.kind === 'look again') void this.look();
    const active = activeTask(this.services); // also without an arrival: then the next one need not read what was written since
    if (arrival.kind !== 'admitted' || this.looks.isStopped) return;
    const { taskId } = arrival.entry.contract;
    if (active !== undefined && active.taskId !== taskId) return; // one task at a time, whatever happened before
    this.services.journal.append(taskId, [arrival.entry]);
    const record = foldJournal(this.services.journal.entries(taskId));
    if (record === undefined) return;
    this.services.say({ kind: 'entry', entry: arrival.entry, record });
    this.take(record);
    // The paper is written by the next look, while the agent is at work already.
    setImmediate(() => void this.look());
  }

  private noteMerged(record: LineRecord): Promise<LineRecord | undefined> {
    return noteMerged(this.services, record, this.line, () => this.still(record));
  }

  private activeRecord(taskId: string): LineRecord {
    const record = this.record;
    if (record?.taskId !== taskId) throw unknownTask(this.services, taskId);
    return record;
  }
}
