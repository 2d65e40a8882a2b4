import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { forOneLine, inOneTerminalLine } from '../../../base/plain-text.ts';
import { lintContract } from '../../../daemon/intake/lint-contract.ts';
import { lineNow } from '../../../daemon/readers/line-now.ts';
import { readJournal } from '../../../daemon/wiring/open-journal.ts';
import { endProcesses } from '../../../daemon/wiring/leftovers.ts';
import { findPlace } from '../../../daemon/wiring/open-place.ts';
import type { Place } from '../../../daemon/wiring/open-place.ts';
import { keepWatch } from '../../../daemon/watch/keep-watch.ts';
import type { Watchdog } from '../../../daemon/watch/watchdog.ts';
import { Problem } from '../../../base/problem.ts';
import { flag } from '../options.ts';
import { newsPrinter } from '../news.ts';
import { errorLine, line, remedyLine, sentence, styled } from '../print.ts';
import type { Shell } from '../shell.ts';
import { onFirstSignal } from '../signals.ts';
import type { Invocation } from '../command.ts';

/** `andon watch`: the daemon, in the foreground, until Ctrl-C. */
export async function run({ args, options, cwd, env, onSignal }: Invocation): Promise<number> {
  const folders = (args[0] as readonly string[] | undefined) ?? [];
  const places: Place[] = [];
  for (const folder of folders.length === 0 ? [cwd] : folders) places.push(await findPlace(resolve(cwd, folder), env));
  const names = new Set(places.map(({ state }) => state));
  if (names.size < places.length)
    throw new Problem('bad-argument', 'two of these folders belong to one repository', 'name each repository once');

  if (flag(options, 'dryRun')) return rehearse(places, env);
  const stopping = untilSignal({ onSignal }, places);
  const dogs: Watchdog[] = [];
  const refused: Problem[] = [];
  try {
    for (const place of places) {
      const dog = await start(place, env, places.length);
      if (dog instanceof Problem) {
        refused.push(dog);
        continue;
      }
      dogs.push(dog);
      line(
        `${styled('bold', 'andon')} watches ${realpathSync(place.facts.root)} (cage: ${dog.line.services.cage.name}). Ctrl-C stops it; nothing is lost.`,
      );
      const missing = place.settings.gates.length === 0 ? undefined : await dog.line.services.cage.unavailable();
      if (missing !== undefined) line(styled('yellow', `  gates will halt the line: ${missing}`));
    }
    if (dogs.length === 0) return Math.max(...refused.map(({ exitCode }) => exitCode));
    const reason = await Promise.race([stopping, ...dogs.map(({ broken }) => broken)]);
    if (reason !== undefined) errorLine(`stopped: ${reason}`);
    return reason === undefined && refused.length === 0 ? 0 : 1;
  } finally {
    await Promise.all(dogs.map((dog) => dog.stop()));
  }
}

/** Of several repositories, one that cannot be watched is named, and the others are watched all the same. */
async function start(place: Place, env: NodeJS.ProcessEnv, projects: number): Promise<Watchdog | Problem> {
  const name = projects > 1 ? `${inOneTerminalLine(place.facts.root.split('/').at(-1) ?? '', 60)}  ` : '';
  try {
    return await keepWatch(place, env, newsPrinter(name), { projects });
  } catch (error) {
    if (!(error instanceof Problem) || projects === 1) throw error;
    errorLine(`${place.facts.root} is not watched: ${error.message}`);
    remedyLine(error.remedy);
    return error;
  }
}

/** What would be admitted, in which order, and what it waits for; nothing is written, no branch made, no program run. */
async function rehearse(places: readonly Place[], env: NodeJS.ProcessEnv): Promise<number> {
  let bad = false;
  for (const place of places) {
    const { root } = place.facts;
    const journal = readJournal(place);
    const { queue } = await lineNow(place, journal).finally(() => journal?.close());
    if (queue.length === 0) line(`${forOneLine(root)}: no contract waits`);
    for (const { file, why } of queue) {
      const path = join(root, file);
      const faults = await faultsIn(place, env, path);
      bad ||= faults !== 0;
      const said =
        faults === 0
          ? `would be admitted; it ${inOneTerminalLine(why, 400)}`
          : faults === undefined
            ? 'would be refused: it is no plain file that can be read'
            : `would be refused for ${faults} fault${faults === 1 ? '' : 's'} (andon contract lint names them)`;
      sentence(`${forOneLine(path)}: ${said}`);
    }
  }
  return bad ? 2 : 0;
}

/** How many faults a contract has; undefined where it cannot be read at all, which keeps nobody from looking at the others. */
async function faultsIn(place: Place, env: NodeJS.ProcessEnv, path: string): Promise<number | undefined> {
  try {
    return (await lintContract(place, env, path)).faults.length;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Resolves at the first signal to end; a second one ends what runs, and the process, at once. */
function untilSignal(shell: Pick<Shell, 'onSignal'>, places: readonly Place[]): Promise<undefined> {
  return new Promise((resolve) => {
    onFirstSignal(
      shell,
      () => resolve(undefined),
      () => {
        for (const place of places) endProcesses(place);
      },
    );
  });
}
