import { join } from 'node:path';
import { toSingleLine, toTerminalLine } from '../../../base/plain-text.ts';
import { quoteForShell, toShellWord } from '../../../base/shell-word.ts';
import { lintContract } from '../../../line/intake/contract-checker.ts';
import { readLine } from '../../../line/readers/read-line.ts';
import { usingJournal } from '../../../line/journal/open-journal.ts';
import { isDetachedWatchdog } from '../background.ts';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import { Problem } from '../../../base/problem.ts';
import { hasFlag } from '../options.ts';
import { printLine, printSentence } from '../print.ts';
import { canDraw } from '../terminal.ts';
import { watchUntil, withWorkspaces } from '../watch-until.ts';
import type { Invocation } from '../command.ts';

/** `andon watch`: the daemon, in the foreground, until Ctrl-C; a terminal shows its board. */
export const run = (invocation: Invocation): Promise<number> =>
  withWorkspaces(invocation, (places) => watch(invocation, places));

async function watch(invocation: Invocation, places: readonly Workspace[]): Promise<number> {
  const { options, env, onSignal } = invocation;
  if (hasFlag(options, 'dryRun')) return rehearse(places, env);
  const board = !hasFlag(options, 'plain') && canDraw(env);
  const { how, exitCode } = await watchUntil(places, env, { onSignal, board, breaks: hasFlag(options, 'breakLock') });
  if (how === 'stopped' && !isDetachedWatchdog(env))
    printLine(
      toSingleLine(`The watchdog has ended. Open tasks are kept. Run \`${formatWatchCommand(invocation)}\` to go on.`),
    );
  return exitCode;
}

/** The command for the same repositories. */
function formatWatchCommand({ args }: Invocation): string {
  const folders = (args[0] as readonly string[] | undefined) ?? [];
  return ['andon watch', ...folders.map((one) => toShellWord(one) ?? quoteForShell(one))].join(' ');
}

/** What would be admitted, in which order, and what it waits for; nothing is written, no branch made, no program run. */
async function rehearse(places: readonly Workspace[], env: NodeJS.ProcessEnv): Promise<number> {
  let bad = false;
  for (const place of places) {
    const { root } = place.facts;
    const { queue, proposal } = await usingJournal(place, (journal) => readLine(place, journal));
    if (queue.length === 0) printLine(`${toSingleLine(root)}: ${proposal ?? 'no contract waits'}`);
    for (const { file, why } of queue) {
      const path = join(root, file);
      const faults = await faultsIn(place, env, path);
      bad ||= faults !== 0;
      const text =
        faults === 0
          ? `would be accepted; it ${toTerminalLine(why, 400)}`
          : faults === undefined
            ? 'would be refused: it is no plain file that can be read'
            : `would be refused for ${faults} fault${faults === 1 ? '' : 's'} (andon contract lint names them)`;
      printSentence(`${toSingleLine(path)}: ${text}`);
    }
  }
  return bad ? 2 : 0;
}

/** The number of faults in a contract; undefined where it cannot be read at all. */
async function faultsIn(place: Workspace, env: NodeJS.ProcessEnv, path: string): Promise<number | undefined> {
  try {
    return (await lintContract(place, env, path)).faults.length;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
