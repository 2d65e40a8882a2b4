import { findService } from '../../setup/service.ts';
import { loadWorkspace, type Workspace } from '../../../project/workspace/load-workspace.ts';
import { listRoots, startWatching, stopWatching, watchingProcesses, type WatchingProcess } from '../background.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { printLine } from '../print.ts';
import { misplacedOption } from '../usage-errors.ts';
import { findWorkspaces } from '../watch-until.ts';
import type { Invocation } from '../command.ts';

/** `andon start`: the watchdog in the background, which goes on when the terminal is closed. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, env } = invocation;
  if (readTextOption(options, 'service') !== undefined)
    return (await import('../actions/manage-service.ts')).manageService(invocation);
  for (const name of ['print', 'json'])
    if (hasFlag(options, name)) throw misplacedOption(`--${name}`, '--service', 'andon start --service status');
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
    printLine(`The watchdog (pid ${one.holder.pid}) of ${listRoots(one.roots)} has ended. A task under way is kept.`);
  }
}
