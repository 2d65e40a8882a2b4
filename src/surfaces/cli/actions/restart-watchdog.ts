import { serviceOf } from '../../../setup/service.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import type { Place } from '../../../wiring/open-place.ts';
import { listRoots, startWatching, stopWatching, watchingProcesses } from '../background.ts';
import { line } from '../print.ts';
import { placesOf } from '../watch-until.ts';
import type { Invocation } from '../command.ts';

/**
 * `andon start --restart`: ends the process that watches these repositories and starts this version of andon for all that it
 * watched; without one it only starts.
 */
export async function restartWatchdog(invocation: Invocation): Promise<number> {
  const { env } = invocation;
  const named = await placesOf(invocation);
  const [first, ...more] = named;
  const service = serviceOf(first, env);
  if (more.length === 0 && service.isInstalled() && service.isActive()) {
    service.restart();
    line(`${service.name} is restarted.`);
    return 0;
  }
  const running = watchingProcesses(named, env);
  const others: Place[] = [];
  for (const root of new Set(running.flatMap(({ roots }) => roots)))
    if (!named.some(({ facts }) => facts.root === root)) others.push(await findPlace(root, env));
  for (const one of running) {
    await stopWatching(one);
    line(`the watchdog (pid ${one.holder.pid}) of ${listRoots(one.roots)} has ended.`);
  }
  await startWatching([...named, ...others], env, invocation);
  return 0;
}
