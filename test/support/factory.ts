import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { Contract } from './contract.ts';
import { IGNORED, makeRepository } from './make-repository.ts';
import { isAlive, processesAbout, type LiveProcess } from './processes.ts';
import { hostFor } from './stand-in-host.ts';
import { aScenario, type Stations } from './scenario.ts';
import { patience } from './patience.ts';
import { endWarm, runWarm, type WarmRun } from './warm-andon.ts';

const ANDON = join(import.meta.dirname, '../..');
const POLL_MS = 15;
/** How long a command in the warm process may take to end when its test is over. */
const LEAVE_MS = 10_000;

export const AUTH_V1 = '# Authentication\n\n## Login\n\nUsers log in with an email address and a password.\n';
export const AUTH_V2 = '# Authentication, second version\n\n## Login\n\nUsers log in with a passkey.\n';

/** Files that decide about tasks. */
const DECIDES = /^\.(?:andon|rulebound)\//;

/** The files of every sample repository. */
const FILES: Readonly<Record<string, string>> = {
  'docs/auth_v1.md': AUTH_V1,
  'docs/auth_v2.md': AUTH_V2,
  'README.md': '# Project A\n',
  'TODO.md': '# To do\n\n- [ ] DOC-001: one document about authentication\n- [ ] DOC-002: something else\n',
  '.gitignore': IGNORED,
};

export interface Options {
  /** Further or other tracked files. */
  readonly files?: Readonly<Record<string, string>>;
  readonly scenario?: Stations;
  /** `.andon/config.yaml`, committed. */
  readonly projectConfig?: object;
  readonly cage?: 'none' | 'bubblewrap' | 'sandbox-runtime';
  readonly repoName?: string;
  /** `watch` commits what was written below `.andon/` and `.rulebound/` before, and `write` from then on; default true. */
  readonly commitsConfiguration?: boolean;
  /**
   * The watchdog is a process of its own, as it is for users; else it runs in one that is warm, which takes a third of the
   * time. Other commands run there anyway, but for those that are to see further variables.
   */
  readonly apart?: boolean;
  /** The command that is started, each time as a process of its own; where nobody says, the one that was built for these tests. */
  readonly command?: readonly string[];
  /** A program, with arguments, that starts each andon; it must become the process it starts, as `strace -D` does. */
  readonly through?: () => readonly string[];
}

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** A running `andon watch`. */
export interface Watchdog {
  readonly pid: number;
  /** Everything it printed. */
  output(): string;
  /** Waits for a text in its output, or for a condition; fails with the output when it does not come. */
  until(what: string | RegExp | (() => unknown), ms?: number): Promise<void>;
  send(signal: NodeJS.Signals): void;
  /** Sends a signal and waits until the daemon is gone. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
  kill9(): Promise<void>;
}

/** One task as `andon show --json` prints it; what a test needs of it. */
export interface Shown {
  readonly task_id: string;
  readonly status: string;
  readonly status_reason: string;
  readonly attempt: number;
  readonly review_cycles: number;
  readonly rebuttals: number;
  readonly base: string;
  readonly commit: string | null;
  readonly verdict: string | null;
  readonly reviews: readonly { readonly reviewer: string; readonly tree: string }[];
  readonly findings: readonly string[];
  readonly cost_usd: number | null;
  readonly agent_minutes: number;
  readonly working: { readonly station: string } | null;
  readonly halt: { readonly id: string; readonly breaker: string; readonly reason: string } | null;
  readonly hold: { readonly station: string; readonly since: string; readonly until: string | null } | null;
  readonly merged_as: string | null;
  readonly calls: readonly { readonly station: string; readonly ok: boolean }[];
  readonly story: readonly { readonly at: string; readonly text: string }[];
}

/** What `andon status --json` prints; what a test needs of it. */
export interface Standing {
  readonly task: Shown | null;
  readonly watchdog: { readonly pid: number } | null;
  readonly paused: { readonly by: string } | null;
}

export type Factory = Awaited<ReturnType<typeof aFactory>>;

/** The state folder of the only repository that the home in a factory's folder knows. */
export function stateIn(folder: string): string {
  const repositories = join(folder, 'state/andon/repositories');
  return join(repositories, readdirSync(repositories)[0] ?? '');
}

/** A repository, a home and scripted agents of its own in a temporary folder; all of it is gone after the test. */
export async function aFactory({
  files = {},
  scenario = {},
  projectConfig,
  cage = 'none',
  repoName = 'Project-A',
  through,
  command,
  commitsConfiguration = true,
  apart = through !== undefined || command !== undefined,
}: Options = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'andon-e2e-')));
  const repo = join(folder, repoName);
  const handoff = join(repo, '_handoff');
  const agents = join(folder, 'agents');
  const scenarioFile = join(agents, 'scenario.json');
  const children: ChildProcess[] = [];
  const warm = new Set<WarmRun>();
  const env = environment(folder);

  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const run of warm) run.signal('SIGTERM');
    for (const { pid } of processesAbout(folder)) kill(pid);
    const left = Promise.allSettled([...warm].map(({ ended }) => ended)).then(() => true);
    if (!(await Promise.race([left, sleep(LEAVE_MS, false)]))) endWarm();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const part of ['home', 'config/andon', 'state', 'agents']) mkdirSync(join(folder, part), { recursive: true });
  // A server of the developer's own must not be taken for that of the stand-in.
  const program = (name: string): object => ({
    program: join(ANDON, 'stand-ins', name),
    env: { ANDON_SCENARIO: scenarioFile, PATH: env['PATH'], OLLAMA_HOST: 'stand-in.invalid' },
  });
  const userConfig = { cage, agents: { ollama: program('ollama'), claude: program('claude') } };
  writeFileSync(join(folder, 'config/andon/config.yaml'), stringify(userConfig));
  const script = (stations: Stations): void => writeFileSync(scenarioFile, JSON.stringify(aScenario(stations)));
  script(scenario);
  hostFor(scenarioFile);

  let isWatched = false;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
    if (isWatched && DECIDES.test(path)) commitConfiguration();
  };
  /** Commits what decides about tasks: for the line it counts only so. */
  const commitConfiguration = (): void => {
    const folders = ['.andon', '.rulebound'];
    if (!folders.some((name) => existsSync(join(repo, name))) || git('status', '--porcelain', '--', ...folders) === '')
      return;
    git(
      'add',
      '--all',
      '--',
      ...folders.filter((name) => existsSync(join(repo, name)) || git('ls-files', name) !== ''),
    );
    git(
      'commit',
      '--quiet',
      '--no-verify',
      '--message=Configure andon',
      '--',
      ...folders.filter((name) => git('diff', '--cached', '--name-only', '--', name) !== ''),
    );
  };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'gc.auto=0', '-c', 'maintenance.auto=false', ...args], {
      cwd: repo,
      env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
      stdio: 'pipe',
    })
      .toString()
      .trimEnd();
  mkdirSync(repo);
  const tracked = projectConfig === undefined ? {} : { '.andon/config.yaml': stringify(projectConfig) };
  const first = { ...FILES, ...tracked, ...files };
  for (const [path, text] of Object.entries(first)) write(path, text);
  makeRepository(repo, first, 'First version');
  appendFileSync(join(repo, '.git/config'), '[user]\n\tname = Erik\n\temail = erik@example.org\n');

  /** A line is to find what was written for it. */
  const beforeLine = (command: string | undefined): void => {
    if (!commitsConfiguration || !['watch', 'night', 'doctor'].includes(command ?? '')) return;
    commitConfiguration();
    isWatched ||= command !== 'doctor';
  };
  const start = (
    args: readonly string[],
    cwd = repo,
  ): { readonly child: ChildProcess; readonly ended: Promise<Ended>; readonly output: () => string } => {
    beforeLine(args[0]);
    const began = performance.now();
    const built = (): readonly string[] => [process.execPath, '--disable-warning=ExperimentalWarning', inject('andon')];
    const [program = '', ...words] = [...(through?.() ?? []), ...(command ?? built()), ...args];
    const child = spawn(program, words, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr, ms: performance.now() - began }));
    });
    return { child, ended, output: () => stdout + stderr };
  };
  const startWarm = (args: readonly string[], cwd: string, input?: string) => {
    beforeLine(args[0]);
    const began = performance.now();
    const run = runWarm(args, { cwd, env, input });
    warm.add(run);
    const ended = run.ended
      .finally(() => warm.delete(run))
      .then((code): Ended => {
        const ms = performance.now() - began;
        return { code, signal: null, stdout: run.stdout(), stderr: run.stderr(), ms };
      });
    return { signal: run.signal, output: run.output, pid: run.pid, ended };
  };
  const usualNames = new Set(Object.keys(env));
  const isProcess = (args: readonly string[]): boolean =>
    through !== undefined ||
    command !== undefined ||
    (apart && (args[0] === 'watch' || Object.keys(env).some((name) => !usualNames.has(name))));
  const andonIn = (cwd: string, ...args: string[]): Promise<Ended> =>
    (isProcess(args) ? start : startWarm)(args, cwd).ended;
  const andon = (...args: string[]): Promise<Ended> => andonIn(repo, ...args);
  const json = async (...args: string[]): Promise<unknown> => JSON.parse((await andon(...args, '--json')).stdout);

  const show = (taskId: string): Promise<Shown> => json('show', taskId) as Promise<Shown>;

  /** A file in `_handoff/`; undefined when it is not there. */
  const paper = (name: string): string | undefined => {
    try {
      return readFileSync(join(handoff, name), 'utf8');
    } catch {
      return undefined;
    }
  };
  /** The status that the contract (or its lock) on disk shows. */
  const faceOf = (name: string): string | undefined => {
    try {
      return (JSON.parse(paper(name) ?? '{}') as { status?: string }).status;
    } catch {
      return undefined;
    }
  };

  /** `andon watch`, as a process of its own or in the warm one; `signal` reaches it, `kill9` ends it as only a process can be ended. */
  const startWatch = (more: readonly string[]) => {
    if (!apart) {
      const kill9 = (): void => {
        throw new Error('only a process can be killed: aFactory({ apart: true })');
      };
      return { ...startWarm(['watch', ...more], repo), kill9 };
    }
    const { child, ended, output } = start(['watch', ...more]);
    const signal = (name: NodeJS.Signals): void => void child.kill(name);
    return { ended, output, pid: child.pid ?? 0, signal, kill9: () => signal('SIGKILL') };
  };
  const watch = async (...more: readonly string[]): Promise<Watchdog> => {
    const { ended, output, pid, signal: send, kill9 } = startWatch(more);
    let over: Ended | undefined;
    void ended.then((how) => (over = how));
    const until: Watchdog['until'] = async (what, ms) => {
      const isSo = typeof what === 'function' ? what : () => matches(output(), what);
      for (const began = performance.now(); ;) {
        if (await isSo()) return;
        const why = over === undefined ? undefined : `the daemon ended (${over.code ?? over.signal})`;
        if (why !== undefined || performance.now() - began > (ms ?? patience()))
          throw new Error(`${why ?? 'it did not happen'}: ${String(what)}\n--- the daemon printed\n${output()}`);
        await sleep(POLL_MS);
      }
    };
    const watchdog: Watchdog = {
      pid,
      send,
      output,
      until,
      async stop(signal = 'SIGINT') {
        const began = performance.now();
        send(signal);
        const how = await ended;
        return { ...how, ms: performance.now() - began };
      },
      async kill9() {
        kill9();
        await ended;
      },
    };
    await until('watches');
    return watchdog;
  };

  const isHalted = (): boolean => paper('ERIK_HALT.md') !== undefined && paper('TASK_CONTRACT.json.lock') !== undefined;
  const isArchived = (taskId: string): boolean =>
    existsSync(join(handoff, 'archive', taskId, 'TASK_CONTRACT.json')) && faceOf('TASK_CONTRACT.json') !== 'merged';
  const archivedAs = (taskId: string): string | undefined => faceOf(`archive/${taskId}/TASK_CONTRACT.json`);
  const drop = (contract: object | string, name = 'TASK_CONTRACT.json'): void => {
    const text = typeof contract === 'string' ? contract : `${JSON.stringify(contract, null, 2)}\n`;
    mkdirSync(dirname(join(handoff, name)), { recursive: true });
    writeFileSync(join(handoff, '.drop.tmp'), text);
    renameSync(join(handoff, '.drop.tmp'), join(handoff, name));
  };
  const signal = {
    has: (name: string): boolean => existsSync(join(agents, name)),
    give: (name: string): void => writeFileSync(join(agents, name), ''),
    take: (name: string): void => rmSync(join(agents, name), { force: true }),
  };
  /** Starts the daemon and drops a contract; waits until an agent has touched a file beside the scenario, if one is named. */
  const begin = async (contract: object | string, touched?: string): Promise<Watchdog> => {
    const dog = await watch();
    drop(contract);
    if (touched !== undefined) await dog.until(() => signal.has(touched));
    return dog;
  };
  /** Waits until a task was merged, given up or halted, and says which. */
  const end = async (dog: Watchdog, taskId = 'DOC-001'): Promise<string | undefined> => {
    await dog.until(() => isHalted() || isArchived(taskId));
    return isHalted() ? 'erik_consultation' : archivedAs(taskId);
  };

  return {
    folder,
    repo,
    handoff,
    end,
    isHalted,
    /** The status of the contract in a task's archive. */
    archivedAs,
    /** The task's papers lie in the archive, and its contract says merged. */
    isMerged: (taskId = 'DOC-001'): boolean => isArchived(taskId) && archivedAs(taskId) === 'merged',
    begin,
    /** Starts the daemon, drops a contract and waits for the end or a halt. */
    async run(contract: Contract): Promise<{ readonly dog: Watchdog; readonly status: string | undefined }> {
      const dog = await begin(contract);
      return { dog, status: await end(dog, contract.task_id) };
    },
    env,
    git,
    write,
    andon,
    andonIn,
    start,
    startWarm,
    watch,
    script,
    paper,
    read: (path: string): string => readFileSync(join(repo, path), 'utf8'),
    has: (path: string): boolean => existsSync(join(repo, path)),
    show,
    /** What `andon show` tells of the only task, a line for each entry. */
    story: async (taskId = 'DOC-001'): Promise<string> => (await show(taskId)).story.map(({ text }) => text).join('\n'),
    list: (): Promise<readonly Shown[]> => json('list') as Promise<readonly Shown[]>,
    status: () => json('status') as Promise<Standing>,
    /** Drops a contract as an editor does that writes it beside and renames it into place. */
    drop,
    /** Which breaker stopped the line, as the halt report says. */
    breaker: (): string | undefined => /^<!-- .*"breaker":"(\w+)".* -->$/m.exec(paper('ERIK_HALT.md') ?? '')?.[1],
    /** The transitions that `transition.ndjson` tells, oldest first. */
    transitions: (): readonly Record<string, unknown>[] => linesOf(join(handoff, 'transition.ndjson')),
    /** The entries of one of the two logs of rules, oldest first. */
    audit(name: 'rule_violations.jsonl' | 'soft_hooks.log'): readonly Record<string, unknown>[] {
      return linesOf(join(stateIn(folder), 'audit', name));
    },
    /** The status on disk: the contract's, or while the line is halted its lock's. */
    face: (): string | undefined => faceOf('TASK_CONTRACT.json') ?? faceOf('TASK_CONTRACT.json.lock'),
    /** Calls of the stand-ins that read a prompt, in order. */
    calls: (which?: 'implementer' | 'reviewer' | 'judge'): readonly AgentCall[] =>
      (linesOf(`${scenarioFile}.log`) as unknown as AgentCall[])
        .filter(({ prompt }) => typeof prompt === 'string' && prompt.trim() !== '')
        .filter((call) => which === undefined || stationOf(call) === which),
    /** A file beside the scenario, for `touch` and `wait-for`. */
    signal,
    /** Processes that belong to this world: agents, gates and what they left behind, daemons included. */
    processes: (): readonly LiveProcess[] => processesAbout(folder),
    /** Merge commits with our trailer that a branch holds. */
    merges: (branch = 'main'): readonly string[] =>
      git('log', '--merges', '--format=%H', '--grep=^Andon-Task:', branch)
        .split('\n')
        .filter((line) => line !== ''),
    snapshot: (target = 'refs/heads/main'): Readonly<Record<string, string>> => snapshot(repo, git, target),
  };
}

/** One call as the stand-ins note it. */
export interface AgentCall {
  readonly program: string;
  readonly argv: readonly string[];
  readonly pid: number;
  readonly prompt: string;
}

function stationOf({ program, argv }: AgentCall): 'implementer' | 'reviewer' | 'judge' {
  if (program === 'claude') return 'judge';
  return argv.includes('deepseek-r1') ? 'reviewer' : 'implementer';
}

/** Nothing of the developer's environment but the way to programs. */
function environment(folder: string): Record<string, string> {
  const built = inject('andon') as string | undefined;
  const programs = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((place) => !/[\\/]node_modules[\\/]\.bin$/.test(place) && !place.startsWith(ANDON));
  return {
    PATH: [dirname(process.execPath), ...programs].join(delimiter),
    HOME: join(folder, 'home'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    GIT_CONFIG_NOSYSTEM: '1',
    // What Node.js has compiled of andon is kept for the whole run.
    ...(built === undefined ? {} : { XDG_CACHE_HOME: join(dirname(built), '../cache') }),
  };
}

/**
 * What of the user's checkout nobody may change, as hashes: HEAD, index, configuration, stash, hooks and every other file
 * of `.git` besides objects, andon's lock and ORIG_HEAD (`git merge` writes it even when it refuses); every file of the work tree besides `_handoff/`; every ref besides andon's own and the target.
 */
function snapshot(repo: string, git: (...args: string[]) => string, target: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = relative(repo, path);
      if (/^(?:_handoff|\.git\/(?:andon|objects|refs|logs\/refs|packed-refs|ORIG_HEAD))$/.test(name)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isSymbolicLink()) seen[name] = `-> ${readlinkSync(path)}`;
      else if (entry.isFile()) seen[name] = `${lstatSync(path).mode.toString(8)} ${sha(readFileSync(path))}`;
    }
  };
  visit(repo);
  for (const row of git('for-each-ref', '--format=%(refname) %(objectname)').split('\n')) {
    const [ref = '', commit = ''] = row.split(' ');
    if (!ref.startsWith('refs/heads/task/') && !ref.startsWith('refs/andon/') && ref !== target) seen[ref] = commit;
  }
  return seen;
}

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

const matches = (text: string, what: string | RegExp): boolean =>
  typeof what === 'string' ? text.includes(what) : what.test(text);

function linesOf(file: string): Record<string, unknown>[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

function kill(pid: number): void {
  try {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

/** Waits for a condition outside a daemon; fails when it does not come. */
export async function eventually(isSo: () => unknown, what: string, ms?: number): Promise<void> {
  for (const began = performance.now(); !(await isSo());) {
    if (performance.now() - began > (ms ?? patience())) throw new Error(`it did not happen: ${what}`);
    await sleep(POLL_MS);
  }
}
