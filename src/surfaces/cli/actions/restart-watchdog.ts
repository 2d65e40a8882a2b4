import { findService } from '../../../setup/service.ts';
import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import type { Workspace } from '../../../wiring/load-workspace.ts';
import { listRoots, startWatching, stopWatching, watchingProcesses } from '../background.ts';
import { printLine } from '../print.ts';
import { findWorkspaces } from '../watch-until.ts';
import type { Invocation } from '../command.ts';

/**
 * `andon start --restart`: ends the process that watches these repositories and starts this version of andon for all that it
 * watched; without one it only starts.
 */
export async function restartWatchdog(invocation: Invocation): Promise<number> {
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
  for (const one of running) {
    await stopWatching(one);
    printLine(`the watchdog (pid ${one.holder.pid}) of ${listRoots(one.roots)} has ended.`);
  }
  await startWatching([...named, ...others], env, invocation);
  return 0;
}
