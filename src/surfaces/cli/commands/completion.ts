import { taskIdsHere, waitingHere } from '../../../wiring/task-ids.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { mistake } from '../../../base/problem.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { wordsOf } from '../completion/words.ts';
import type { CommandWords } from '../completion/words.ts';
import { zshScript } from '../completion/zsh.ts';
import { line } from '../print.ts';
import type { Invocation } from '../command.ts';

const SCRIPTS: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `andon completion`: the script by which a shell completes andon's commands, options, choices, task ids and files. */
export function run({ args, commands, cwd, env }: Invocation): number {
  const [shell] = args as [string];
  // The scripts ask this at every Tab: words that no help names, for they are no shells.
  if (shell === 'tasks' || shell === 'waiting') {
    for (const id of shell === 'tasks' ? taskIdsHere(cwd, env) : waitingHere(cwd)) line(id);
    return 0;
  }
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined)
    throw mistake(
      `completion ${inOneTerminalLine(shell)} is not known: andon completes in ${Object.keys(SCRIPTS).join(', ')}`,
      `andon completion ${Object.keys(SCRIPTS).join('|')}`,
    );
  process.stdout.write(script(wordsOf(commands)));
  return 0;
}
