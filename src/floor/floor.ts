import type { LineRecord } from '../formats/line-record.ts';
import { FILES, HANDOFF, TERMINAL } from '../formats/names.ts';
import { inOneTerminalLine } from '../formats/plain-text.ts';
import { foldJournal } from '../line/record.ts';
import { Problem } from '../problems/problem.ts';
import { activeTask, unknownTask } from './active-task.ts';
import { Answers } from './answers.ts';
import { Arrivals } from './arrivals.ts';
import { catchUpPapers } from './catch-up-papers.ts';
import { checkChoice, choiceAsData, choiceInWords } from './check-choice.ts';
import type { Choice } from './check-choice.ts';
import { lookAtContract } from './contract-on-disk.ts';
import { giveUp } from './give-up.ts';
import { Looks } from './looks.ts';
import { archive, halt } from './paperwork.ts';
import { whyNothingStarts } from './pause.ts';
import { admitEdited, replaceContract } from './take-edited.ts';
import { startTaskLine } from './task-line.ts';
import type { TaskLine } from './task-line.ts';
import { takeUpCommits } from './human-commits.ts';
import { HaltPapers } from './restore-halt.ts';
import { ReportSeal, restoreReports, tamperedReport } from './report-seal.ts';
import type { World } from './world.ts';

/**
 * The line of one repository: sees what was dropped, runs one task at a time, and carries out what humans choose.
 * `look()` may be called as often as anybody likes: it reads the folder and the journal, and does what is to be done.
 */
export class Floor {
  readonly world: World;
  private line: TaskLine | undefined;
  /** What a command asks for takes turns with the looks. */
  readonly looks: Looks;
  private saidWhy: string | undefined;
  private readonly arrivals: Arrivals;
  private readonly seal = new ReportSeal();
  private readonly papers = new HaltPapers();
  private readonly answers: Answers;
  private readonly broken: (error: unknown) => void;

  constructor(world: World, broken: (error: unknown) => void) {
    this.world = world;
    this.arrivals = new Arrivals(world);
    this.answers = new Answers(world);
    this.broken = broken;
    this.looks = new Looks(() => this.lookOnce(), broken);
  }

  /** The task that has not ended, as the journal has it. */
  get record(): LineRecord | undefined {
    return this.line?.record ?? activeTask(this.world);
  }

  /** Takes up the task that a crash or a stop left unfinished. Starting is recovering; there is no other way. */
  recover(): void {
    const record = catchUpPapers(this.world);
    if (record === undefined) return;
    const where = record.halt === undefined ? `going on at ${record.status}` : 'is halted, and waits for your choice';
    this.world.say({ kind: 'word', level: 'info', text: `${record.taskId}: ${where}` });
    this.take(record);
  }

  /** Looks at the folder now; calls during a look lead to one more look. */
  look(): Promise<void> {
    return this.looks.look();
  }

  /** Carries out a human's choice, or throws a Problem that says why it is refused; then nothing has moved. */
  async resume(choice: Choice): Promise<LineRecord> {
    const record = this.activeRecord(choice.taskId);
    const { halt: standing, path } = await checkChoice(this.world, record, choice);
    const taken = await takeUpCommits(this.world, record, path);
    if (path.effect.contract === 'edited') return this.takeEdited(record, choice);
    await halt(this.world, record); // a crash may have left the papers half done
    const line = this.line ?? startTaskLine(this.world, record, this.told(), { idle: true });
    const before = line.sealed.history.length;
    const isStanding = line.sealed.halt?.id === standing.id;
    if (isStanding) {
      restoreReports(this.world, record, { edited: path.effect.contract === 'journal' });
      line.resume({
        at: this.world.clock.now(),
        reason: choiceInWords(choice, path.title),
        choice: choiceAsData(choice, standing, taken?.effect ?? path.effect),
        ...(taken === undefined ? {} : { change: taken.change }),
      });
    }
    if (!isStanding || line.sealed.history.length === before)
      throw new Problem('outdated-choice', 'the line did not take the choice', 'andon status', 1);
    if (this.line === undefined) {
      if (TERMINAL.includes(line.sealed.status)) archive(this.world, line.sealed);
      await line.stop();
    }
    return line.sealed;
  }

  /** Stops the line because a human says so; what runs is ended first. */
  async pullCord(taskId: string, by: string, reason: string): Promise<LineRecord> {
    const record = this.activeRecord(taskId);
    if (record.halt !== undefined)
      throw new Problem('outdated-choice', `${taskId} is halted already`, `read ${HANDOFF}/${FILES.halt}`);
    const alone = this.line === undefined;
    const line = this.line ?? startTaskLine(this.world, record, this.told(), { idle: true });
    line.halt({ at: this.world.clock.now(), event: 'cord', reason, facts: { cord: { by, reason } } });
    if (alone) await line.stop();
    return line.sealed;
  }

  /** Makes a call that waits for its program now. */
  retry(taskId: string): LineRecord {
    const record = this.activeRecord(taskId);
    if (record.halt !== undefined)
      throw new Problem('bad-argument', `${taskId} is halted`, `read ${HANDOFF}/${FILES.halt}`);
    if (this.line === undefined)
      throw new Problem('bad-argument', 'no watchdog is running, so nothing is tried', 'andon watch');
    if (record.hold === undefined) throw new Problem('bad-argument', `${taskId} waits for nothing`, 'andon status');
    const why = whyNothingStarts(this.world);
    if (why !== undefined) throw new Problem('bad-argument', 'nothing is tried now', why);
    this.world.nudge.ring();
    return record;
  }

  /** Gives a task up at any status; its branch and attempts stay. */
  async abandon(taskId: string, by: string): Promise<LineRecord> {
    const record = this.record;
    if (record?.taskId !== taskId) throw unknownTask(this.world, taskId);
    await this.line?.stop();
    this.line = undefined;
    try {
      const ended = await giveUp(this.world, record, by);
      void this.look();
      return ended;
    } catch (error) {
      if (!this.looks.isStopped) this.take(activeTask(this.world) ?? record); // it goes on and notes that it was merged
      throw error;
    }
  }

  /** Ends what runs, waits for its processes to be gone, and leaves everything for the next start. */
  async stop(): Promise<void> {
    this.looks.stop();
    await this.line?.stop();
    await this.looks.ended();
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

  private take(record: LineRecord): void {
    this.line = startTaskLine(this.world, record, this.told());
  }

  private async lookOnce(): Promise<void> {
    await this.lookAround();
    const ms = this.answers.settlesIn;
    if (ms !== undefined) this.looks.lookIn(Math.ceil(ms));
  }

  private async lookAround(): Promise<void> {
    this.world.handoff.prepare();
    this.world.bell.ring();
    if (this.line !== undefined) {
      await this.guardContract(this.line);
      await this.papers.look(this.world, this.line?.sealed);
      await this.heed();
      if (this.line !== undefined) return this.arrivals.forgetGone();
    }
    const why = whyNothingStarts(this.world);
    if (why !== undefined && why !== this.saidWhy) this.world.say({ kind: 'word', level: 'warn', text: why });
    this.saidWhy = why;
    if (why === undefined) await this.admitNext();
    if (this.record === undefined) this.answers.lookIdle();
  }

  /** What a human says through the folder: `STOP`, a tick in the halt report, or `DECISION.json`. */
  private async heed(): Promise<void> {
    const { handoff } = this.world;
    const record = this.line?.record;
    if (record === undefined || TERMINAL.includes(record.status)) return;
    const choice = this.answers.look(record);
    if (record.halt === undefined) {
      if (!handoff.exists(FILES.stop)) return;
      const written = handoff.read(FILES.stop);
      const [reason = ''] = (written.ok ? (written.value ?? '') : '').trim().split('\n');
      await this.pullCord(record.taskId, `${HANDOFF}/${FILES.stop}`, inOneTerminalLine(reason, 300));
      return;
    }
    if (choice !== undefined) await this.resume(choice).catch((error: unknown) => this.answers.refuse(error));
  }

  /** While a task runs, the contract on disk is andon's: an edit is a new drop, a second contract, or tampering. */
  private async guardContract(line: TaskLine): Promise<void> {
    const found = lookAtContract(this.world, line.sealed, this.arrivals);
    if (found.is === 'tampered') line.halt(found.step);
    const edited = this.seal.look(this.world, line.sealed);
    if (edited !== undefined && line.sealed.halt === undefined)
      line.halt({ at: this.world.clock.now(), ...tamperedReport(this.world, edited) });
    if (found.is !== 'rewritten' || !(await this.arrivals.mayBeAdmitted(found.text))) return;
    const { taskId } = line.sealed;
    await line.stop();
    this.line = undefined;
    this.world.say({
      kind: 'word',
      level: 'info',
      text: `${taskId}: the contract was rewritten; starting with the new version`,
    });
  }

  private async admitNext(): Promise<void> {
    if (this.looks.isStopped) return;
    const arrival = await this.arrivals.next();
    if (arrival.kind === 'look again') void this.look();
    const active = activeTask(this.world); // also without an arrival: then the next one need not read what was written since
    if (arrival.kind !== 'admitted' || this.looks.isStopped) return;
    const { taskId } = arrival.entry.contract;
    if (active !== undefined && active.taskId !== taskId) return; // one task at a time, whatever happened before
    this.world.journal.append(taskId, [arrival.entry]);
    const record = foldJournal(this.world.journal.entries(taskId));
    if (record === undefined) return;
    this.world.say({ kind: 'entry', entry: arrival.entry, record });
    this.take(record);
    // The journal has it; the paper is written by the next look, while the agent is at work already.
    setImmediate(() => void this.look());
  }

  private activeRecord(taskId: string): LineRecord {
    const record = this.record;
    if (record?.taskId !== taskId) throw unknownTask(this.world, taskId);
    return record;
  }

  /** The edited contract replaces the running one, and the task starts again. */
  private async takeEdited(record: LineRecord, choice: Choice): Promise<LineRecord> {
    const admitted = await admitEdited(this.world, record);
    await this.line?.stop();
    const running = this.line !== undefined;
    this.line = undefined;
    const fresh = replaceContract(this.world, record, admitted, choice);
    if (running) this.take(fresh);
    return fresh;
  }
}
