import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { scriptedAgents } from '../../scripts/soak/agents.ts';
import { contractOf } from '../../scripts/soak/lives.ts';
import { Line } from '../../src/line/daemon/line.ts';
import { loadWorkspace } from '../../src/project/workspace/load-workspace.ts';
import { openServices } from '../../src/line/services/open-services.ts';
import { createRepository } from '../../src/project/git/create-repository.ts';
import type { LineServices, Services } from '../../src/line/services/services.ts';
import type { ChangedFile } from '../../src/base/changed-file.ts';
import type { JournalEntry } from '../../src/line/record/journal-entry.ts';
import type { TaskRecord } from '../../src/line/record/task-record.ts';
import { FILES, HANDOFF } from '../../src/base/names.ts';
import { success } from '../../src/base/outcome.ts';
import { foldJournal } from '../../src/line/core/fold-journal.ts';
import type { Agent, Transcript } from '../../src/agents/agent.ts';
import { tellingOfWrites, type Effect } from './every-write.ts';
import { patience } from './patience.ts';

/** What a test may do while the line runs; each is called in the very moment, before andon goes on. */
export interface Meanwhile {
  /** An entry is in the journal. */
  readonly noted?: (entry: JournalEntry, record: TaskRecord) => void;
  /** The merge is built and noted, and the target is about to be moved, or has just been. */
  readonly beforeLanding?: () => Promise<void> | void;
  readonly afterLanding?: () => Promise<void> | void;
  /** Something is about to be written, or has just been; what this throws is what the disk says. */
  readonly disk?: Effect;
  /** What an agent answered, before andon hears it. */
  readonly answers?: (transcript: Transcript, record: TaskRecord | undefined) => Transcript;
  /** What git counted of a change, before andon hears it. */
  readonly counts?: (files: readonly ChangedFile[]) => readonly ChangedFile[];
}

/** A repository with a history on `main`, and a real floor over it, in this process: journal, git and papers are real, the agents are scripted by the task's id. */
export class LiveFloor {
  repo: string;
  readonly state: string;
  meanwhile: Meanwhile = {};
  private readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  private floor: Line | undefined;
  private services: LineServices | undefined;
  private brokenBy: unknown;
  /** What the journal said when it was killed. */
  private last: TaskRecord | undefined;
  private died: () => void = () => {};
  private killed = new Promise<void>((resolve) => (this.died = resolve));

  private constructor(folder: string) {
    this.folder = folder;
    this.repo = join(folder, 'project');
    this.state = join(folder, 'state');
    this.env = {
      PATH: process.env['PATH'],
      HOME: join(folder, 'home'),
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_STATE_HOME: this.state,
    };
  }

  /** Makes it; each of `commits` is one commit of these files on top of the first one. */
  static async make(commits: readonly Readonly<Record<string, string>>[] = []): Promise<LiveFloor> {
    const live = new LiveFloor(realpathSync(mkdtempSync(join(tmpdir(), 'live-floor-'))));
    for (const part of ['home', 'state', 'config/andon']) mkdirSync(join(live.folder, part), { recursive: true });
    writeFileSync(join(live.folder, 'config/andon/config.yaml'), 'cage: none\n');
    await createRepository(live.repo, new Map(Object.entries(FIRST)));
    for (const files of commits) live.commit(files);
    return live;
  }

  /** Opens andon over the repository: a start, or a restart. */
  async start(): Promise<void> {
    const say: Parameters<typeof openServices>[2] = (news) => {
      if (news.kind === 'entry') this.meanwhile.noted?.(news.entry, news.record);
    };
    const opened = await openServices(await this.place(), this.env, say);
    const services = tellingOfWrites(opened.services, (...effect) => this.meanwhile.disk?.(...effect));
    const now = (): TaskRecord | undefined => this.record;
    this.services = services;
    this.brokenBy = undefined;
    const stubAgents = this.heard(scriptedAgents(now));
    const floor: Line = new Line({ ...services, repository: this.landing(services), stubAgents }, (error) => {
      if (this.floor === floor) this.brokenBy ??= error; // one that was killed has nothing to say any more
    });
    this.floor = floor;
    services.handoff.prepare();
    this.floor.recover();
  }

  /** The place as every command finds it. */
  place(): ReturnType<typeof loadWorkspace> {
    return loadWorkspace(this.repo, this.env);
  }

  /** Ends it as SIGKILL does, but for what waits in this process and is never looked at again. */
  kill(): void {
    this.meanwhile = {};
    const { floor, services, record } = this;
    [this.floor, this.services, this.last] = [undefined, undefined, record];
    this.died();
    this.killed = new Promise<void>((resolve) => (this.died = resolve));
    void floor?.stop().catch(() => {});
    services?.journal.close();
  }

  /** Ends it as its watchdog does where the disk refuses it: nothing of it goes on when the next one begins. */
  async rest(): Promise<void> {
    this.meanwhile = {};
    await this.floor?.stop().catch(() => {});
    this.kill();
  }

  async close(): Promise<void> {
    this.meanwhile = {};
    await this.floor?.stop();
    this.services?.journal.close();
    [this.floor, this.services] = [undefined, undefined];
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Moves the repository to a folder beside its own, as `mv` does. */
  moveTo(name: string): void {
    const there = join(this.folder, name);
    renameSync(this.repo, there);
    this.repo = there;
  }

  get line(): Line {
    if (this.floor === undefined) throw new Error('andon was not started');
    return this.floor;
  }

  /** The newest task, as the journal has it. */
  get record(): TaskRecord | undefined {
    const id = this.services?.journal.taskIds().at(-1);
    return id === undefined ? undefined : foldJournal(this.services?.journal.entries(id) ?? []);
  }

  get entries(): readonly JournalEntry[] {
    return this.services?.journal.since(0).map(({ entry }) => entry) ?? [];
  }

  /** Answers a halt as a command does: when no poll is under way. */
  resume(choice: Parameters<Line['resume']>[0]): Promise<TaskRecord> {
    const { line } = this;
    return line.pollLoop.inTurn(() => line.resume(choice));
  }

  /** Drops the contract of a scripted task. */
  drop(taskId: string, more: object = {}): void {
    const beside = this.path(`${HANDOFF}/.drop.tmp`);
    mkdirSync(dirname(beside), { recursive: true });
    writeFileSync(beside, JSON.stringify({ ...contractOf(taskId), ...more }));
    renameSync(beside, this.path(`${HANDOFF}/${FILES.contract}`));
  }

  /** Runs until the newest task has ended or halted (with its papers), and gives its record. */
  async untilEnd(): Promise<TaskRecord> {
    return this.until((record) =>
      record.halt === undefined
        ? record.status === 'merged' || record.status === 'abandoned'
        : existsSync(this.path(`${HANDOFF}/${FILES.lock}`)),
    );
  }

  /** Runs until something is so, or it was killed. */
  async until(isSo: (record: TaskRecord) => boolean): Promise<TaskRecord> {
    for (const began = performance.now(); ;) {
      if (this.brokenBy !== undefined) throw this.brokenBy;
      await Promise.race([this.floor?.poll(), this.killed]); // a poll that a kill cut off never ends
      if (this.floor === undefined && this.last !== undefined) return this.last;
      const { record } = this;
      if (record !== undefined && isSo(record)) return record;
      if (performance.now() - began > patience())
        throw new Error(`it did not happen; ${JSON.stringify(record?.history.at(-1))}`);
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  }

  git(...args: string[]): string {
    const env = { ...this.env, GIT_CONFIG_NOSYSTEM: '1', ...ERIK };
    return execFileSync('git', ['-c', 'gc.auto=0', ...args], { cwd: this.repo, env, stdio: 'pipe' })
      .toString()
      .trim();
  }

  path(name: string): string {
    return join(this.repo, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  commit(files: Readonly<Record<string, string>>, message = 'By hand'): string {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.git('add', '--', ...Object.keys(files));
    this.git('commit', '--quiet', '--message', message);
    return this.git('rev-parse', 'HEAD');
  }

  /** The merges of a task that a branch holds. */
  merges(taskId: string, branch = 'main'): readonly string[] {
    const found = this.git('log', '--format=%H', `--grep=^Merge task/${taskId}:`, branch, '--');
    return found.split('\n').filter((id) => id !== '');
  }

  private heard(agents: Services['agents']): Services['agents'] {
    const told = <One extends Agent>(agent: One): One => ({
      ...agent,
      run: async (call) => {
        const result = await agent.run(call);
        return result.ok ? success(this.meanwhile.answers?.(result.value, this.record) ?? result.value) : result;
      },
    });
    const heard = { claude: told(agents.claude), ollama: told(agents.ollama) };
    return { ...agents, ...heard };
  }

  private landing(services: LineServices): Services['repository'] {
    const { repository } = services;
    return {
      ...repository,
      diff: async (from, to) => {
        const files = await repository.diff(from, to);
        return this.meanwhile.counts?.(files) ?? files;
      },
      land: async (target, old, to) => {
        await this.meanwhile.beforeLanding?.();
        const landed = await repository.land(target, old, to);
        await this.meanwhile.afterLanding?.();
        return landed;
      },
    };
  }
}

const FIRST = {
  'README.md': '# A project\n',
  '.gitignore': '_handoff/\n',
  '.andon/config.yaml': 'target: main\nhold: {retry_minutes: 0.0005}\n',
  ...Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`notes/${at}.txt`, 'A note.\n'])),
};

const ERIK = {
  GIT_AUTHOR_NAME: 'Erik',
  GIT_AUTHOR_EMAIL: 'erik@localhost',
  GIT_COMMITTER_NAME: 'Erik',
  GIT_COMMITTER_EMAIL: 'erik@localhost',
};
