import { listRoots, stopWatching, watchingProcesses } from '../background.ts';
import { printLine } from '../print.ts';
import { findWorkspaces } from '../watch-until.ts';
import type { Invocation } from '../command.ts';

/** `andon stop`: ends the process that watches these repositories, however it was started; exit code 0 also without one. */
export async function run(invocation: Invocation): Promise<number> {
  const places = await findWorkspaces(invocation);
  const running = watchingProcesses(places, invocation.env);
  for (const one of running) {
    await stopWatching(one);
    printLine(`the watchdog (pid ${one.holder.pid}) of ${listRoots(one.roots)} has ended; a task under way is kept.`);
  }
  if (running.length === 0) printLine(`no watchdog runs for ${listRoots(places.map(({ facts }) => facts.root))}.`);
  return 0;
}
