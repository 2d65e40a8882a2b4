import { setTimeout as sleep } from 'node:timers/promises';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { OUTPUT, isRunning, lastOutput, startInBackground, startedRoots, terminate } from '../../wiring/background.ts';
import { knownStates } from '../../wiring/known-states.ts';
import type { Place } from '../../wiring/open-place.ts';
import { holderOf, holderOfState } from '../../wiring/open-reader.ts';
import { whoAmI } from './ask.ts';
import { line } from './print.ts';
import type { Shell } from './shell.ts';
import { onFirstSignal } from './signals.ts';

type Holder = NonNullable<ReturnType<typeof holderOfState>>;

/** One process that watches, and the repositories that it is known to watch. */
export interface WatchingProcess {
  readonly holder: Holder;
  readonly place: Place;
  readonly roots: readonly string[];
}

const POLL_MS = 50;
/** A watchdog of an earlier version answers no such request; it is sent a signal instead. */
const ANSWER_MS = 5000;
const SHOWN_LINES = 12;

/** The processes that watch these repositories, each once. */
export function watchingProcesses(places: readonly Place[], env: NodeJS.ProcessEnv): readonly WatchingProcess[] {
  const found: WatchingProcess[] = [];
  for (const place of places) {
    const holder = holderOf(place);
    if (holder?.doing !== 'watch' || found.some((one) => isSame(one.holder, holder))) continue;
    const roots = knownStates(env).flatMap(({ state, root }) => {
      const other = holderOfState(state);
      return root !== undefined && other !== undefined && isSame(other, holder) ? [root] : [];
    });
    found.push({ holder, place, roots: roots.includes(place.facts.root) ? roots : [place.facts.root, ...roots] });
  }
  return found;
}

const isSame = (one: Holder, other: Holder): boolean => one.pid === other.pid && one.startTime === other.startTime;

export const listRoots = (roots: readonly string[]): string => roots.map((root) => inOneTerminalLine(root)).join(', ');

/** Starts one watchdog for these repositories in the background, and returns once it watches all of them. */
export async function startWatching(
  places: readonly [Place, ...Place[]],
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
  const report = (): readonly string[] | undefined => startedRoots(state, started.pid);
  while (fate.ended === undefined && report() === undefined) await sleep(POLL_MS);
  const watched = report();
  const output = `${state}/${OUTPUT}`;
  if (watched === undefined) {
    const said = lastOutput(state, SHOWN_LINES).map((text) => inOneTerminalLine(text, 400));
    throw new Problem(
      'no-answer',
      [`The watchdog did not start (${fate.ended}). The last lines of ${output}:`, ...said],
      'Run `andon watch` to see the same in this terminal.',
      1,
    );
  }
  started.release();
  line(`andon watches ${listRoots(watched)} in the background (pid ${started.pid}). Run \`andon stop\` to end it.`);
  line(`log: ${state}/logs (andon logs --watchdog), output: ${output}`);
  const missing = roots.filter((root) => !watched.includes(root));
  if (missing.length > 0)
    throw new Problem('busy', `${listRoots(missing)} is not watched.`, `Read ${output} for the reason.`, 1);
}

/** Asks a process that watches to end, and waits until it has; a task under way is kept for the next start. */
export async function stopWatching({ holder, place }: WatchingProcess): Promise<void> {
  const isThere = (): boolean => {
    const now = holderOf(place);
    return now !== undefined && isSame(now, holder);
  };
  const answer = await place.requests.ask({ do: 'stop', by: whoAmI() }, ANSWER_MS, isThere);
  if (answer === undefined && isThere()) terminate(holder);
  while (isThere() || isRunning(holder)) await sleep(POLL_MS);
}
