import { setTimeout as sleep } from 'node:timers/promises';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import {
  OUTPUT,
  isRunning,
  readLastOutput,
  readStartedRoots,
  terminateProcess,
} from '../../project/workspace/background.ts';
import { startInBackground } from '../../sandbox/processes/start-andon.ts';
import { listWorkspaces } from '../../project/workspace/list-workspaces.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { openHolder } from '../../project/workspace/open-reader.ts';
import { readStateHolder } from '../../project/locks/holder.ts';
import { getUserName, type Shell } from './command.ts';
import { printLine } from './print.ts';
import { onFirstSignal } from './signals.ts';

type Holder = NonNullable<ReturnType<typeof readStateHolder>>;

/** One process that watches, and the repositories that it is known to watch. */
export interface WatchingProcess {
  readonly holder: Holder;
  readonly place: Workspace;
  readonly roots: readonly string[];
}

const POLL_MS = 50;
/** A watchdog of an earlier version answers no such request; it is sent a signal instead. */
const ANSWER_MS = 5000;
const SHOWN_LINES = 12;

/** The processes that watch these repositories, each once. */
export function watchingProcesses(places: readonly Workspace[], env: NodeJS.ProcessEnv): readonly WatchingProcess[] {
  const found: WatchingProcess[] = [];
  for (const place of places) {
    const holder = openHolder(place);
    if (holder?.doing !== 'watch' || found.some((one) => isSame(one.holder, holder))) continue;
    const roots = listWorkspaces(env).flatMap(({ state, root }) => {
      const other = readStateHolder(state);
      return root !== undefined && other !== undefined && isSame(other, holder) ? [root] : [];
    });
    found.push({ holder, place, roots: roots.includes(place.facts.root) ? roots : [place.facts.root, ...roots] });
  }
  return found;
}

const isSame = (one: Holder, other: Holder): boolean => one.pid === other.pid && one.startTime === other.startTime;

export const listRoots = (roots: readonly string[]): string => roots.map((root) => toTerminalLine(root)).join(', ');

/** Starts one watchdog for these repositories in the background, and returns once it watches all of them. */
export async function startWatching(
  places: readonly [Workspace, ...Workspace[]],
  env: NodeJS.ProcessEnv,
  { onSignal }: Pick<Shell, 'onSignal'>,
): Promise<void> {
  const [running] = watchingProcesses(places, env);
  if (running !== undefined)
    throw new Problem(
      'busy',
      `A watchdog (pid ${running.holder.pid}) already watches ${listRoots(running.roots)}.`,
      'Run `andon start --restart` to restart it, or `andon stop` to end it.',
      1,
    );
  const [{ state }] = places;
  const roots = places.map(({ facts }) => facts.root);
  const started = startInBackground(['watch', '--plain', ...roots], env, { folder: state, file: OUTPUT });
  onFirstSignal({ onSignal }, () => started.kill('SIGTERM'));
  const fate: { ended?: string } = {};
  void started.ended.then((how) => (fate.ended = how));
  const report = (): readonly string[] | undefined => readStartedRoots(state, started.pid);
  while (fate.ended === undefined && report() === undefined) await sleep(POLL_MS);
  const watched = report();
  const output = `${state}/${OUTPUT}`;
  if (watched === undefined) {
    const lines = readLastOutput(state, SHOWN_LINES).map((text) => toTerminalLine(text, 400));
    throw new Problem(
      'no-answer',
      [`The watchdog did not start (${fate.ended}). The last lines of ${output}:`, ...lines],
      'Run `andon watch` to see the same in this terminal.',
      1,
    );
  }
  started.release();
  printLine(
    `andon watches ${listRoots(watched)} in the background (pid ${started.pid}). Run \`andon stop\` to end it.`,
  );
  printLine(`log: ${state}/logs (andon logs --watchdog), output: ${output}`);
  const missing = roots.filter((root) => !watched.includes(root));
  if (missing.length > 0)
    throw new Problem('busy', `${listRoots(missing)} is not watched.`, `Read ${output} for the reason.`, 1);
}

/** Asks a process that watches to end, and waits until it has; a task under way is kept for the next start. */
export async function stopWatching({ holder, place }: WatchingProcess): Promise<void> {
  const isThere = (): boolean => {
    const now = openHolder(place);
    return now !== undefined && isSame(now, holder);
  };
  const answer = await place.requests.ask({ do: 'stop', by: getUserName() }, ANSWER_MS, isThere);
  if (answer === undefined && isThere()) terminateProcess(holder);
  while (isThere() || isRunning(holder)) await sleep(POLL_MS);
}
