import { findService, type Service } from '../../setup/service.ts';
import { loadWorkspace, type Workspace } from '../../../project/workspace/load-workspace.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { printLine, printJson, printWarning } from '../print.ts';
import { conflictingOptions, unexpectedArgument } from '../usage-errors.ts';
import { withWorkspaces } from '../watch-until.ts';
import { type Invocation, getUserName, type Shell } from '../command.ts';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { Problem } from '../../../base/problem.ts';
import { openHolder } from '../../../project/workspace/open-reader.ts';
import { OUTPUT, isRunning, readLastOutput, readStartedRoots, terminateProcess } from '../background.ts';
import { startInBackground } from '../../../sandbox/processes/start-andon.ts';
import { listWorkspaces } from '../../../project/workspace/list-workspaces.ts';
import { readStateHolder } from '../../../project/locks/holder.ts';
import { onFirstSignal } from '../signals.ts';

/** `andon start`: the watchdog in the background, which goes on when the terminal is closed. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, env } = invocation;
  if (readTextOption(options, 'service') !== undefined) return manageService(invocation);
  return withWorkspaces(invocation, (places) =>
    hasFlag(options, 'restart') ? restart(invocation, places) : startWatching(places, env, invocation),
  );
}

/** `andon stop`: ends the process that watches these repositories, however it was started; exit code 0 also without one. */
export const stopWatchdogs = (invocation: Invocation): Promise<number> =>
  withWorkspaces(invocation, async (places) => {
    const running = watchingProcesses(places, invocation.env);
    await stopAll(running);
    if (running.length === 0)
      printLine(`No watchdog is running for ${listRoots(places.map(({ facts }) => facts.root))}.`);
    return 0;
  });

/** Ends what watches these repositories, then starts this version of andon for all that it watched. */
async function restart(invocation: Invocation, named: readonly [Workspace, ...Workspace[]]): Promise<number> {
  const { env } = invocation;
  const [first, ...more] = named;
  const service = findService(first, env);
  if (more.length === 0 && service.isInstalled() && service.isActive()) {
    service.restart();
    printLine(`${service.name} is restarted.`);
    return 0;
  }
  const running = watchingProcesses(named, env);
  const others: Workspace[] = [];
  for (const root of new Set(running.flatMap(({ roots }) => roots)))
    if (!named.some(({ facts }) => facts.root === root)) others.push(await loadWorkspace(root, env));
  await stopAll(running);
  return startWatching([...named, ...others], env, invocation);
}

async function stopAll(running: readonly WatchingProcess[]): Promise<void> {
  for (const one of running) {
    await stopWatching(one);
    printLine(`The watchdog (pid ${one.holder.pid}) of ${listRoots(one.roots)} has ended. Open tasks are kept.`);
  }
}

const POLL_MS = 50;
/** A unit that watches nothing by then has most likely failed. */
const STARTED_MS = 20_000;

/** `andon start --service`: the watchdog as a service of the user, which starts again after a crash and at login. */
async function manageService({ args, options, cwd, env }: Invocation): Promise<number> {
  const what = readTextOption(options, 'service') ?? '';
  const [folder, ...others] = (args[0] as readonly string[] | undefined) ?? [];
  if (hasFlag(options, 'restart')) throw conflictingOptions(['--restart', '--service'], 'andon start --restart');
  if (others.length > 0) throw unexpectedArgument(others, `andon start --service ${what}`);
  const place = await loadWorkspace(resolve(cwd, folder ?? '.'), env);
  const service = findService(place, env);
  if (what === 'install') return install(place, service, hasFlag(options, 'print'));
  if (what === 'remove') {
    printLine(
      service.remove() ? `${service.file} is removed, and its watchdog has ended.` : 'No service is installed here.',
    );
    return 0;
  }
  return status(service, hasFlag(options, 'json'));
}

async function install(place: Workspace, service: Service, isPrintOnly: boolean): Promise<number> {
  if (isPrintOnly) {
    printLine(service.text);
    return 0;
  }
  const holder = openHolder(place);
  if (holder?.doing === 'watch' && !service.isActive())
    throw new Problem(
      'busy',
      `A watchdog (pid ${holder.pid}) already watches ${place.facts.root}.`,
      'Run `andon stop`, then `andon start --service install`.',
      1,
    );
  try {
    service.install();
  } catch (error) {
    if (!service.isInstalled()) printLine(`# ${service.file}\n${service.text}`);
    throw error;
  }
  printLine(`${service.file} is installed.`);
  const hint = service.hint();
  if (hint !== undefined) printWarning(hint);
  for (const end = performance.now() + STARTED_MS; openHolder(place)?.doing !== 'watch'; await sleep(POLL_MS))
    if (performance.now() > end)
      throw new Problem('no-answer', `${service.name} watches nothing yet.`, `Read ${service.output}.`, 1);
  printLine(
    `andon watches ${listRoots([place.facts.root])} as ${service.name} (pid ${openHolder(place)?.pid ?? 'unknown'}).`,
  );
  return 0;
}

function status(service: Service, isJson: boolean): number {
  const isInstalled = service.isInstalled();
  const state = isInstalled ? service.state() : 'not installed';
  if (isJson) printJson({ name: service.name, file: service.file, installed: isInstalled, state });
  else printLine(`${service.name}: ${toTerminalLine(state, 200)}${isInstalled ? `; output: ${service.output}` : ''}`);
  return isInstalled && service.isActive() ? 0 : 1;
}

type Holder = NonNullable<ReturnType<typeof readStateHolder>>;

/** One process that watches, and the repositories that it is known to watch. */
interface WatchingProcess {
  readonly holder: Holder;
  readonly place: Workspace;
  readonly roots: readonly string[];
}

/** A watchdog of an earlier version answers no such request; it is sent a signal instead. */
const ANSWER_MS = 5000;
const SHOWN_LINES = 12;

/** The processes that watch these repositories, each once. */
function watchingProcesses(places: readonly Workspace[], env: NodeJS.ProcessEnv): readonly WatchingProcess[] {
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

const listRoots = (roots: readonly string[]): string => roots.map((root) => toTerminalLine(root)).join(', ');

/** Starts one watchdog for these repositories in the background, and returns once it watches all of them. */
async function startWatching(
  places: readonly [Workspace, ...Workspace[]],
  env: NodeJS.ProcessEnv,
  { onSignal }: Pick<Shell, 'onSignal'>,
): Promise<number> {
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
  printLine(`log: ${state}/logs, output: ${output}`);
  const missing = roots.filter((root) => !watched.includes(root));
  if (missing.length > 0)
    throw new Problem('busy', `${listRoots(missing)} is not watched.`, `Read ${output} for the reason.`, 1);
  return 0;
}

/** Asks a process that watches to end, and waits until it has; a task under way is kept for the next start. */
async function stopWatching({ holder, place }: WatchingProcess): Promise<void> {
  const isThere = (): boolean => {
    const now = openHolder(place);
    return now !== undefined && isSame(now, holder);
  };
  const answer = await place.requests.ask({ do: 'stop', by: getUserName() }, ANSWER_MS, isThere);
  if (answer === undefined && isThere()) terminateProcess(holder);
  while (isThere() || isRunning(holder)) await sleep(POLL_MS);
}
