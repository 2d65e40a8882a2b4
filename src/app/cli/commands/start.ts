import { findService, type Service } from '../../setup/service.ts';
import { loadWorkspace, type Workspace } from '../../../project/workspace/load-workspace.ts';
import { listRoots, startWatching, stopWatching, watchingProcesses, type WatchingProcess } from '../background.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { printLine, printJson, printWarning } from '../print.ts';
import { conflictingOptions, unexpectedArgument } from '../usage-errors.ts';
import { findWorkspaces } from '../watch-until.ts';
import type { Invocation } from '../command.ts';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { Problem } from '../../../base/problem.ts';
import { openHolder } from '../../../project/workspace/open-reader.ts';

/** `andon start`: the watchdog in the background, which goes on when the terminal is closed. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, env } = invocation;
  if (readTextOption(options, 'service') !== undefined) return manageService(invocation);
  if (hasFlag(options, 'restart')) return restart(invocation);
  await startWatching(await findWorkspaces(invocation), env, invocation);
  return 0;
}

/** `andon stop`: ends the process that watches these repositories, however it was started; exit code 0 also without one. */
export async function stopWatchdogs(invocation: Invocation): Promise<number> {
  const places = await findWorkspaces(invocation);
  const running = watchingProcesses(places, invocation.env);
  await stopAll(running);
  if (running.length === 0)
    printLine(`No watchdog is running for ${listRoots(places.map(({ facts }) => facts.root))}.`);
  return 0;
}

/** Ends what watches these repositories, then starts this version of andon for all that it watched. */
async function restart(invocation: Invocation): Promise<number> {
  const { env } = invocation;
  const named = await findWorkspaces(invocation);
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
  await startWatching([...named, ...others], env, invocation);
  return 0;
}

async function stopAll(running: readonly WatchingProcess[]): Promise<void> {
  for (const one of running) {
    await stopWatching(one);
    printLine(`The watchdog (pid ${one.holder.pid}) of ${listRoots(one.roots)} has ended. Open tasks are kept.`);
  }
}

const POLL_MS = 100;
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
  printLine(`andon watches ${place.facts.root} as ${service.name} (pid ${openHolder(place)?.pid ?? 'unknown'}).`);
  return 0;
}

function status(service: Service, isJson: boolean): number {
  const isInstalled = service.isInstalled();
  const state = isInstalled ? service.state() : 'not installed';
  if (isJson) printJson({ name: service.name, file: service.file, installed: isInstalled, state });
  else printLine(`${service.name}: ${toTerminalLine(state, 200)}${isInstalled ? `; output: ${service.output}` : ''}`);
  return isInstalled && service.isActive() ? 0 : 1;
}
