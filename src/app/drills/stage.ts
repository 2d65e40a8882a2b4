import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  lstatSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONFIG } from '../../project/config/read-settings.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';
import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import { foldJournal } from '../../line/core/fold-journal.ts';
import { Problem } from '../../base/problem.ts';
import { makeSamplePlace } from './demo-place.ts';
import { readJournal } from '../../line/journal/open-journal.ts';
import type { Journal } from '../../line/journal/journal.ts';
import { loadWorkspace, type Workspace } from '../../project/workspace/load-workspace.ts';
import { openForReading, openHolder } from '../../project/workspace/open-reader.ts';
import { checkOutOlder, commitFiles } from '../../project/git/create-repository.ts';
import type { Situation } from './drill.ts';
import { readFigures } from './figures.ts';
import { SAMPLE, TASK, drillContract, aScenario, type Call, type Stations } from './scenario.ts';
import type { Request } from '../../project/requests/request.ts';
import { sha256 } from '../../base/sha256.ts';
import { getLastLine } from '../../base/get-last-line.ts';
import { formatEntry } from '../../line/words/list-story.ts';
import { startAndon } from '../../sandbox/processes/start-andon.ts';
import { keepWatch } from '../../line/daemon/keep-watch.ts';
import type { LineEvent } from '../../line/services/services.ts';
import { nameProcess } from '../../sandbox/processes/descendants.ts';
import { listPids, readLink, readProc } from '../../sandbox/processes/proc.ts';

const POLL_MS = 20;

/** The timeout of a request to a running andon. */
const ANSWER_MS = 20_000;

export type OpenStage = Awaited<ReturnType<typeof openStage>>;

/** How drills run: environment, sandbox, keeping of workspaces, interruption. */
export interface DrillGround {
  readonly env: NodeJS.ProcessEnv;
  readonly caged: boolean;
  readonly keep?: boolean;
  /** Timeout of a step; default 30 s. */
  readonly patienceMs?: number;
  readonly signal: AbortSignal;
}

/** Thrown on a timeout or an interruption. */
class DidNotHappen extends Error {}

/** Creates the workspace of one situation: sample repository, stand-ins, state. The line is not started. */
export async function openStage(
  { files = {}, config, agents, contract, apart }: Situation,
  { env, caged, signal, patienceMs = PATIENCE_MS }: DrillGround,
) {
  const committed = config === undefined ? {} : { [CONFIG]: `${JSON.stringify(config, null, 2)}\n` };
  const place = await makeSamplePlace(env, {
    called: 'drill',
    files: new Map(Object.entries({ ...SAMPLE, ...committed, ...files })),
    scenario: aScenario(agents),
    caged,
  });
  const { repository } = place;
  const found = await loadWorkspace(repository, place.env).catch((error: unknown) => {
    place.remove();
    throw error;
  });
  const repo = await openForReading(found);
  const checkoutPath = (path: string): string => join(repository, path);
  const agentPath = (name: string): string => join(place.agents, name);
  let line: RunningLine | undefined;
  let journal: Journal | undefined;
  let checkout = lookAtCheckout(repository);

  const entries = () => (journal ??= readJournal(found))?.entries(TASK) ?? [];
  /** From the journal on disk; throws before the admission. */
  const record = (): TaskRecord => {
    const folded = foldJournal(entries());
    if (folded === undefined) throw new DidNotHappen('the contract was not admitted');
    return folded;
  };
  /** A file in `_handoff/`; undefined when it is missing. */
  const paper = (name: string): string | undefined => textOf(checkoutPath(`${HANDOFF}/${name}`));
  /** The same of the task's halt; a parked task has its own folder. */
  const haltPaper = (name: string): string | undefined => paper(`${FILES.tasks}/${TASK}/${name}`) ?? paper(name);
  /** Polls a condition; fails with `what` after the timeout. */
  const until = async (what: string, isSo: () => boolean, ms = patienceMs): Promise<void> => {
    for (const end = performance.now() + ms; !isSo(); await sleep(POLL_MS)) {
      if (signal.aborted) throw new DidNotHappen('interrupted');
      if (line?.broken() !== undefined) throw new DidNotHappen(`andon ended: ${line.broken()}`);
      if (performance.now() > end)
        throw new DidNotHappen(`timeout after ${ms / 1000} s: ${what}; ${line?.lastWords() ?? ''}`);
    }
  };
  const isAtRest = (after: string | undefined): boolean => {
    const now = foldJournal(entries());
    if (now === undefined) return false;
    if (TERMINAL.includes(now.status)) return paper(`${FILES.archive}/${TASK}/${FILES.contract}`) !== undefined;
    if (now.halt === undefined || now.halt.id === after) return false;
    return haltPaper(FILES.halt) !== undefined && haltPaper(FILES.lock) !== undefined;
  };
  /** Writes a file of the checkout; `null` removes it. */
  const write = (path: string, text: string | null): void => {
    if (text === null) return rmSync(checkoutPath(path), { force: true });
    mkdirSync(dirname(checkoutPath(path)), { recursive: true });
    writeFileSync(checkoutPath(path), text);
  };
  /** Runs a change by the user; its result is the checkout that no other process may change. */
  const asUser = async (deed: () => void | Promise<void>): Promise<void> => {
    await deed();
    checkout = lookAtCheckout(repository);
  };

  return {
    repository,
    repo,
    record,
    entries,
    until,
    asUser,
    write,
    paper,
    haltPaper,
    figures: () => readFigures(record(), entries(), place.scenario),
    /** A file beside the scenario, for `touch` and `wait-for` of a stand-in. */
    signal: {
      has: (name: string): boolean => existsSync(agentPath(name)),
      give: (name: string): void => writeFileSync(agentPath(name), ''),
    },
    read: (path: string) => textOf(checkoutPath(path)),
    commit: (changed: Readonly<Record<string, string>>) =>
      asUser(() => commitFiles(repository, new Map(Object.entries(changed)), 'By hand, while the task runs')),
    /** Checks out a new branch that starts before the last commit, as the user. */
    checkOutOlder: (branch: string) => asUser(() => checkOutOlder(repository, branch)),
    /** Sends a request to the running andon, as commands do; throws when it is refused. */
    async ask(request: Request): Promise<void> {
      const answer = await found.requests.ask(request, ANSWER_MS, () => true);
      if (answer === undefined) throw new DidNotHappen(`andon did not answer the request to ${request.do}`);
      if (!answer.ok) throw new DidNotHappen(`andon refused to ${request.do}: ${answer.sentence}`);
    },
    script: (other: Stations, more: Call = {}): void =>
      writeFileSync(place.scenario, JSON.stringify({ ...aScenario(other), ...more }, null, 2)),
    /** Removes or restores the program of an agent. */
    program(name: 'ollama' | 'claude', isThere: boolean): void {
      if (isThere) renameSync(agentPath(`${name}.away`), agentPath(name));
      else renameSync(agentPath(name), agentPath(`${name}.away`));
    },
    /** Live processes of this workspace, without andon itself. */
    processes: () => listDrillProcesses(place.folder, line === undefined ? [] : [line.pid]),
    async start(): Promise<void> {
      line = await startLine(found, place.env, apart === true);
    },
    /** Kills andon with SIGKILL, but none of its children. */
    async kill(): Promise<void> {
      await line?.kill();
      line = undefined;
    },
    /** Drops the situation's contract with a rename, as editors do. */
    drop(): void {
      write(`${HANDOFF}/.drop`, `${JSON.stringify(drillContract(contract), null, 2)}\n`);
      renameSync(checkoutPath(`${HANDOFF}/.drop`), checkoutPath(`${HANDOFF}/${FILES.contract}`));
    },
    /** Waits until the task is merged, given up or halted (another halt than `after`), and its files are written. */
    async rest(after?: string): Promise<TaskRecord> {
      await until('the task ends or halts', () => isAtRest(after));
      return record();
    },
    /** Paths of the checkout that changed without the user. */
    trespasses: () => listChangedPaths(checkout, lookAtCheckout(repository)),
    /** Ends the line and every process of this workspace; removes it unless it is to be kept. */
    async close(keep = false): Promise<void> {
      journal?.close();
      try {
        await line?.stop();
      } finally {
        for (const { pid } of listDrillProcesses(place.folder, [])) endNow(pid);
        if (!keep) place.remove();
      }
    },
  };
}

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited by itself.
  }
}

/** The message of a refused or late step. */
export const refusalMessage = (error: unknown): string =>
  error instanceof Problem || error instanceof DidNotHappen
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);

/** The protected state of a user's checkout, by path: work tree, HEAD, index, configuration, stash, hooks, branches. */
type CheckoutState = ReadonlyMap<string, string>;

/**
 * andon's own: its folder, its lock, objects, its refs; `git merge` writes ORIG_HEAD even when it refuses. Packed refs
 * are read below.
 */
const ANDONS =
  /^(?:_handoff|\.git\/(?:andon|objects|logs\/refs|ORIG_HEAD|packed-refs|refs\/andon|refs\/heads\/task))(?:\/|$)/;

export function lookAtCheckout(root: string): CheckoutState {
  const seen = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = relative(root, path);
      if (ANDONS.test(name)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isSymbolicLink()) seen.set(name, `-> ${readlinkSync(path)}`);
      else if (entry.isFile()) seen.set(name, `${lstatSync(path).mode.toString(8)} ${sha256(readFileSync(path))}`);
    }
  };
  visit(root);
  return seen;
}

/** The paths that differ between two snapshots; empty = identical. */
export const listChangedPaths = (before: CheckoutState, after: CheckoutState): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).toSorted();

/** A running line, in this process or its own. */
interface RunningLine {
  readonly pid: number;
  /** Why it ended by itself; undefined while it runs. */
  broken(): string | undefined;
  /** Its last output. */
  lastWords(): string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts the watchdog: in this process, or (`apart`) as `andon watch`. */
export const startLine = (place: Workspace, env: NodeJS.ProcessEnv, apart: boolean): Promise<RunningLine> =>
  apart ? startApart(place, env) : startHere(place, env);

async function startHere(place: Workspace, env: NodeJS.ProcessEnv): Promise<RunningLine> {
  let words = '';
  let broken: string | undefined;
  const dog = await keepWatch(place, env, (news) => (words = wordsOf(news) ?? words));
  void dog.broken.then((reason) => (broken = reason));
  return {
    pid: process.pid,
    broken: () => broken,
    lastWords: () => words,
    stop: () => dog.stop(),
    kill: () => Promise.reject(new Error('only an andon of its own can be killed')),
  };
}

/** It watches once it holds the lock under its own pid. */
async function startApart(place: Workspace, env: NodeJS.ProcessEnv): Promise<RunningLine> {
  const andon = startAndon(['watch'], place.facts.root, env);
  let ended = false;
  const isUp = (): boolean => openHolder(place)?.pid === andon.pid && andon.output().includes('watches');
  for (const end = performance.now() + PATIENCE_MS; !isUp();) {
    if (performance.now() > end) {
      await andon.end('SIGKILL');
      throw new Error(`andon watch did not start: ${andon.output().slice(-400)}`);
    }
    await sleep(20);
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    ended = true;
    await andon.end(signal);
  };
  return {
    pid: andon.pid,
    broken: () => (!ended && openHolder(place) === undefined ? andon.output().slice(-400) : undefined),
    lastWords: () => getLastLine(andon.output()),
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
  };
}

/** The most that a start or a step may take: where twenty programs wait for each core, a step takes 30 s. */
export const PATIENCE_MS = 90_000;

const wordsOf = (news: LineEvent): string | undefined => {
  if (news.kind === 'word') return news.text;
  return news.kind === 'entry' ? formatEntry(news.entry) : undefined;
};

/** Live processes whose command line, environment or working folder names this folder. Empty without /proc. */
export function listDrillProcesses(folder: string, except: readonly number[]) {
  return listPids().flatMap((pid) => {
    if (pid === process.pid || except.includes(pid)) return [];
    const command = readProc(`${pid}/cmdline`);
    if (command === '') return []; // its memory is gone: it is exiting
    const texts = [command, readProc(`${pid}/environ`), readLink(`${pid}/cwd`)];
    const isOfPlace = texts.some((text) => text.includes(folder)) && nameProcess(pid) !== undefined;
    return isOfPlace ? [{ pid, command: command.replaceAll('\0', ' ').trim().slice(0, 160) }] : [];
  });
}
