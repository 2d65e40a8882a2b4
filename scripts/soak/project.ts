import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournal } from '../../src/line/journal/open-journal.ts';
import { loadWorkspace, type Workspace } from '../../src/project/workspace/load-workspace.ts';
import { keepWatch } from '../../src/line/daemon/keep-watch.ts';
import type { Watchdog } from '../../src/line/daemon/watchdog.ts';
import type { LineEvent } from '../../src/line/services/services.ts';
import type { TaskRecord } from '../../src/line/record/task-record.ts';
import { FILES, HANDOFF, TERMINAL } from '../../src/base/names.ts';
import { foldJournal } from '../../src/line/core/fold-journal.ts';
import { scriptedAgents } from './agents.ts';
import { contractOf, lifeOf, numberOf, taskId } from './lives.ts';

/** How often the scripted human looks whether a file is there. */
const LOOK_MS = 10;
/** What takes longer than this does not happen. */
const PATIENCE_MS = 120_000;

/** The data of a project for the measurement. */
export interface Told {
  /** One more transition is in the journal. */
  step(): void;
  /** A task ended; `ms` is what each of its transitions took. Those that waited, or met a restart, are not timed. */
  timed(ms: number): void;
  broke(reason: string): void;
}

/** One repository with a real watchdog over it, and the human who drops contracts there and answers halts. */
export class Project {
  /** Transitions that the journal held when this process began. */
  readonly before: number;
  private readonly number: number;
  private readonly place: Workspace;
  private readonly env: NodeJS.ProcessEnv;
  private readonly told: Told;
  private readonly projects: number;
  private dog: Watchdog | undefined;
  private record: TaskRecord | undefined;
  private endedUpTo: number;
  private admittedUpTo: number;
  private clocked: { readonly taskId: string; readonly since: number } | undefined;
  private wake: () => void = () => {};

  private constructor(place: Workspace, env: NodeJS.ProcessEnv, number: number, projects: number, told: Told) {
    [this.place, this.env, this.number, this.projects, this.told] = [place, env, number, projects, told];
    const journal = readJournal(place);
    const entries = journal?.since(0) ?? [];
    journal?.close();
    this.before = entries.filter(({ entry }) => entry.kind === 'moved').length;
    const numbers = entries.flatMap(({ taskId, entry }) => (entry.kind === 'admitted' ? [numberOf(taskId)] : []));
    this.admittedUpTo = Math.max(0, ...numbers);
    const last = entries.filter(({ taskId }) => numberOf(taskId) === this.admittedUpTo).map(({ entry }) => entry);
    this.record = foldJournal(last);
    const isOver = this.record === undefined || TERMINAL.includes(this.record.status);
    this.endedUpTo = isOver ? this.admittedUpTo : this.admittedUpTo - 1;
  }

  static async open(
    folder: string,
    env: NodeJS.ProcessEnv,
    { number, projects, told }: { readonly number: number; readonly projects: number; readonly told: Told },
  ): Promise<Project> {
    const project = new Project(await loadWorkspace(folder, env), env, number, projects, told);
    await project.start();
    return project;
  }

  /** Whether a task is under way or waiting. */
  get isUnfinished(): boolean {
    return this.isThere(this.endedUpTo + 1);
  }

  /** Two tasks: one dropped where contracts go, one behind it in the queue. What a former life left comes first. */
  async turn(): Promise<void> {
    const [first, second] = [this.endedUpTo + 1, this.endedUpTo + 2];
    if (!this.isThere(first)) {
      await this.until(() => !existsSync(this.file(FILES.contract)), 'the last task leaves the folder');
      this.drop(first, FILES.contract);
    }
    if (!this.isThere(second)) this.drop(second, `${FILES.queue}/${this.id(second)}.json`);
    while (this.endedUpTo < second) {
      await this.until(() => this.endedUpTo >= second || this.record?.halt !== undefined, `${this.id(second)} ends`);
      if (this.record?.halt !== undefined) await this.answer(this.record);
    }
  }

  /** Stops andon over this repository, whatever it is doing, and reopens it. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const { dog } = this;
    this.dog = undefined;
    await dog?.stop();
  }

  private async start(): Promise<void> {
    this.clocked = undefined;
    const say = (news: LineEvent): void => this.heard(news);
    const agents = scriptedAgents(() => this.record);
    const dog = await keepWatch(this.place, this.env, say, { projects: this.projects, agents });
    this.dog = dog;
    void dog.broken.then((reason) => {
      if (this.dog === dog) this.told.broke(`${this.place.facts.root}: ${reason}`); // else it was stopped here
    });
  }

  private heard(news: LineEvent): void {
    if (news.kind !== 'entry') return;
    const { entry, record } = news;
    this.record = record;
    this.admittedUpTo = Math.max(this.admittedUpTo, numberOf(record.taskId));
    if (entry.kind === 'admitted') this.clocked = { taskId: record.taskId, since: performance.now() };
    if (entry.kind === 'held' || record.halt !== undefined) this.clocked = undefined;
    if (entry.kind === 'moved') this.told.step();
    if (entry.kind === 'moved' && TERMINAL.includes(entry.to)) this.ended(record);
    this.wake();
  }

  private ended({ taskId, history }: TaskRecord): void {
    this.endedUpTo = numberOf(taskId);
    if (this.clocked?.taskId === taskId) this.told.timed((performance.now() - this.clocked.since) / history.length);
  }

  /** Takes the scripted path once the report is written, by the way of `andon resume`. */
  private async answer({ taskId, halt }: TaskRecord): Promise<void> {
    const { path } = lifeOf(taskId);
    if (path === undefined) throw new Error(`${taskId} halted (${halt?.trip.reason ?? ''}), which is not scripted`);
    const isStill = (): boolean => this.record?.halt?.id === halt?.id;
    await this.until(() => existsSync(this.file(FILES.lock)) || !isStill(), `${taskId} has its halt report`);
    const by = { by: 'a human', how: 'soak' };
    await this.place.requests.ask({ do: 'resume', taskId, path, haltId: halt?.id ?? '', ...by }, 10_000, isStill);
  }

  private isThere(number: number): boolean {
    if (number <= this.admittedUpTo || existsSync(this.file(`${FILES.queue}/${this.id(number)}.json`))) return true;
    const contract = this.file(FILES.contract);
    return existsSync(contract) && readFileSync(contract, 'utf8').includes(`"${this.id(number)}"`);
  }

  /** As an editor does that writes beside and renames. */
  private drop(number: number, name: string): void {
    mkdirSync(this.file(FILES.queue), { recursive: true });
    const beside = this.file('.drop.tmp');
    writeFileSync(beside, JSON.stringify(contractOf(this.id(number))));
    renameSync(beside, this.file(name));
  }

  private id(number: number): string {
    return taskId(this.number, number);
  }

  private file(name: string): string {
    return join(this.place.facts.root, HANDOFF, name);
  }

  /** Waits for andon's word; files are looked for now and then as well. */
  private async until(isSo: () => boolean, what: string): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!isSo()) {
      if (performance.now() > end) throw new Error(`${this.place.facts.root}: it did not happen: ${what}`);
      await Promise.race([sleep(LOOK_MS), new Promise<void>((resolve) => (this.wake = resolve))]);
    }
  }
}
