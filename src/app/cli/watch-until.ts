import { resolve } from 'node:path';
import { toSingleLine, toTerminalLine } from '../../base/plain-text.ts';
import { isDetachedWatchdog, noteStarted } from './background.ts';
import { endNotedProcesses } from '../../line/upkeep/leftovers.ts';
import { loadWorkspace, type Workspace } from '../../project/workspace/load-workspace.ts';
import type { Clock } from '../../base/clock.ts';
import { readLine } from '../../line/readers/read-line.ts';
import { keepWatch } from '../../line/daemon/keep-watch.ts';
import { NIGHT_STOPPED, type Watchdog } from '../../line/daemon/watchdog.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import type { Invocation, Shell } from './command.ts';
import { hasFlag } from './options.ts';
import { createEventPrinter } from './event-printer.ts';
import { printErrorLine, printLine, printRemedy, colourText, redirectOutput } from './print.ts';
import { onFirstSignal } from './signals.ts';
import { isIdle, listFirstSteps } from './tasks.ts';
import { isStoppedByOutput } from '../../sandbox/processes/job-control.ts';
import { stripVTControlCharacters } from 'node:util';
import { startChildDaemon } from '../../sandbox/processes/start-andon.ts';

/**
 * Does its work with the repositories of the folders that were named, by default the one it was typed in. One of several
 * that cannot be opened is named, left out, and makes the exit code 1.
 */
export async function withWorkspaces(
  { args, options, cwd, env }: Invocation,
  work: (places: readonly [Workspace, ...Workspace[]]) => Promise<number>,
): Promise<number> {
  const [first = cwd, ...others] = (args[0] as readonly string[] | undefined) ?? [];
  const workingConfig = hasFlag(options, 'workingConfig');
  // What the checkout holds counts for a line only in a trial.
  const tolerates = workingConfig ? 'nothing' : 'the checkout';
  const places: Workspace[] = [];
  const missing: { readonly folder: string; readonly why: Problem }[] = [];
  for (const folder of [first, ...others])
    try {
      const place = await loadWorkspace(resolve(cwd, folder), env, { tolerates });
      places.push(workingConfig ? { ...place, workingConfig } : place);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      missing.push({ folder, why: error });
    }
  const [found, ...more] = places;
  if (new Set(places.map(({ state }) => state)).size < places.length)
    throw createUsageError('Two of these folders belong to one repository.', 'Name each repository once.');
  for (const { folder, why } of found === undefined ? missing.slice(1) : missing) {
    printErrorLine(`${toTerminalLine(folder)} is left out: ${why.message}`);
    printRemedy(why.remedy);
  }
  if (found === undefined) throw missing[0]?.why;
  return Math.max(missing.length === 0 ? 0 : 1, await work([found, ...more]));
}

/** How watching ended: by a signal, because its time had come, or by itself; and the exit code that is worth. */
export interface WatchEnd {
  readonly how: 'stopped' | 'over' | 'broke off' | 'refused';
  readonly exitCode: number;
}

/** Watches repositories in the foreground, with their board or with lines, until Ctrl-C, or until a moment; then what runs is ended, and nothing is lost. */
export async function watchUntil(
  places: readonly Workspace[],
  env: NodeJS.ProcessEnv,
  {
    onSignal,
    until,
    ownNight,
    board = false,
    breaks = false,
  }: Pick<Shell, 'onSignal'> & {
    readonly until?: string;
    /** The night that it watches for, and with which it ends. */
    readonly ownNight?: number;
    readonly board?: boolean;
    /** Take a lock whose holder on another machine cannot be asked. */
    readonly breaks?: boolean;
  },
): Promise<WatchEnd> {
  skipOutputThatStops();
  const stopRequest = Promise.withResolvers<undefined>();
  const stopping = Promise.race([untilSignal({ onSignal }, places), stopRequest.promise]);
  const onStopRequest = (): void => stopRequest.resolve(undefined);
  const dogs: Watchdog[] = [];
  const refused: Problem[] = [];
  const roots: string[] = [];
  const ended = new AbortController();
  let shown: ReturnType<typeof openWatchBoard> | undefined;
  try {
    for (const place of places) {
      const options = { projects: places.length, ends: until, ownNight, breaks, onStopRequest };
      const dog = await start(place, env, options);
      if (dog instanceof Problem) {
        refused.push(dog);
        continue;
      }
      dogs.push(dog);
      roots.push(place.facts.root);
      const { cage, settings } = dog.line.services.configuration.line();
      printLine(
        `${colourText('bold', 'andon')} watches ${toSingleLine(place.facts.root)} (cage: ${cage.name}). Ctrl-C stops it; nothing is lost.`,
      );
      const missing = settings.gates.length === 0 ? undefined : await cage.unavailable();
      if (missing !== undefined) printLine(colourText('yellow', `  gates will halt the line: ${missing}`));
      if (await isUntouched(dog))
        for (const step of listFirstSteps(dog.place, { isIdle: true })) printLine(`  ${step}`);
    }
    const [first] = dogs;
    if (first === undefined) return { how: 'refused', exitCode: Math.max(...refused.map(({ exitCode }) => exitCode)) };
    if (isDetachedWatchdog(env)) for (const { place } of dogs) noteStarted(place.state, roots);
    if (board) shown = openWatchBoard(roots, env);
    const over =
      until === undefined ? [] : [untilMoment(first.line.services.clock, until, ended.signal).then(() => null)];
    const live = new Map(dogs.map((dog) => [dog, dog.broken.then((reason) => ({ dog, reason }))]));
    for (;;) {
      const end = await Promise.race([stopping, ...over, ...live.values()]);
      const exitCode = refused.length === 0 && live.size === dogs.length ? 0 : 1;
      if (end === null) return { how: 'over', exitCode };
      if (end === undefined || end.reason === NIGHT_STOPPED) return { how: 'stopped', exitCode };
      const { dog, reason } = end;
      const { root } = dog.place.facts;
      printErrorLine(places.length === 1 ? `stopped: ${reason}` : `${root} is not watched any more: ${reason}`);
      live.delete(dog);
      if (live.size === 0) return { how: 'broke off', exitCode: 1 };
      void dog.stop().catch(() => {}); // without waiting; the stop in `finally` reports a failure
    }
  } finally {
    ended.abort();
    try {
      await Promise.allSettled(dogs.map((dog) => dog.stop())); // a failure of one must not cut off another
      await Promise.all(dogs.map((dog) => dog.stop()));
    } finally {
      await shown?.close(); // its output must not be lost
    }
  }
}

/** Whether a repository never had a task, and nothing waits to become one. */
async function isUntouched({ place, line }: Watchdog): Promise<boolean> {
  const { journal } = line.services;
  if (journal.taskIds().length > 0) return false;
  return readLine(place, journal).then(isIdle, () => false); // a failed hint must not end the watch
}

/** Waits until the wall clock shows it, also when the clock is set back. */
async function untilMoment(clock: Clock, moment: string, signal: AbortSignal): Promise<void> {
  while (clock.now() < moment && !signal.aborted) await clock.until(moment, signal);
}

/** Of several repositories, one that cannot be watched is named, and the others are watched all the same. */
async function start(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  options: NonNullable<Parameters<typeof keepWatch>[3]> & { readonly projects: number },
): Promise<Watchdog | Problem> {
  const { projects } = options;
  const name = projects > 1 ? `${toTerminalLine(place.facts.root.split('/').at(-1) ?? '', 60)}  ` : '';
  try {
    // In the background the log of each day, which has a bound, is the only place for news.
    return await keepWatch(place, env, isDetachedWatchdog(env) ? () => {} : createEventPrinter(name), options);
  } catch (error) {
    if (!(error instanceof Problem) || projects === 1) throw error;
    printErrorLine(`${place.facts.root} is not watched: ${error.message}`);
    printRemedy(error.remedy);
    return error;
  }
}

/** Resolves at the first signal to end; a second one ends what runs, and the process, at once. */
function untilSignal(shell: Pick<Shell, 'onSignal'>, places: readonly Workspace[]): Promise<undefined> {
  return new Promise((resolve) => {
    onFirstSignal(
      shell,
      () => resolve(undefined),
      () => {
        for (const place of places) endNotedProcesses(place);
      },
    );
  });
}

/** From now on a background job leaves out what would stop it when it is written to the terminal; the log has it. */
function skipOutputThatStops(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.isTTY || guarded.has(stream)) continue;
    guarded.add(stream);
    const write = stream.write.bind(stream) as (...args: readonly unknown[]) => boolean;
    stream.write = (...args: readonly unknown[]): boolean => {
      if (!isStoppedByOutput()) return write(...args);
      const done = args.findLast((arg) => typeof arg === 'function') as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return true;
    };
  }
}

const guarded = new WeakSet<object>();

/** Number of board lines that remain in the terminal after closing. */
const KEPT = 500;

/**
 * Shows the board of what is watched in this terminal. A process of its own draws it, so its end ends nothing. Output
 * goes there, and to the terminal when it is closed.
 */
function openWatchBoard(roots: readonly string[], env: NodeJS.ProcessEnv): { close(): Promise<void> } {
  const kept: string[] = [];
  let isOver = false;
  const board = startChildDaemon(['top', ...roots], env, () => process.kill(process.pid, 'SIGINT'));
  redirectOutput((text) => {
    kept.push(text);
    if (kept.length > KEPT) kept.shift();
    board.tell(stripVTControlCharacters(text));
  });
  const closed = board.gone.then((code) => {
    redirectOutput(undefined);
    for (const text of kept) printLine(text);
    if (isOver) return;
    if (code !== 0) printErrorLine(`the board ended by itself (${code === null ? 'by a signal' : `code ${code}`})`);
    printLine('the board is closed, andon goes on watching; Ctrl-C stops it');
  });
  return {
    async close() {
      isOver = true;
      await board.end();
      await closed;
    },
  };
}
