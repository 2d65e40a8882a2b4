import { listTaskIds, listWaitingIds } from '../../../wiring/task-ids.ts';
import { completeWords } from '../completion/complete-words.ts';
import type { Candidate } from '../completion/complete-words.ts';
import { COMPLETION_SCRIPTS } from '../completion/scripts.ts';
import { unknownWord } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

type CompletedShell = keyof typeof COMPLETION_SCRIPTS;

/** A candidate as each shell reads it. */
const LINES: Readonly<Record<CompletedShell, (candidate: Candidate) => string>> = {
  bash: ({ value }) => value,
  zsh: ({ value, text }) => `${value.replaceAll(':', String.raw`\:`)}${text === '' ? '' : `:${text}`}`,
  fish: ({ value, text }) => `${value}${text === '' ? '' : `\t${text}`}`,
};

/** `andon completion`: the script of a shell; with words, what may stand in place of the last one. */
export function run({ args, commands, cwd, env }: Invocation): number {
  const [name, words] = args as [string, readonly string[]];
  const shell = (Object.keys(COMPLETION_SCRIPTS) as CompletedShell[]).find((one) => one === name);
  if (shell === undefined) throw unknownWord('shell', name, Object.keys(COMPLETION_SCRIPTS), 'andon completion bash');
  if (words.length === 0) {
    process.stdout.write(COMPLETION_SCRIPTS[shell]);
    return 0;
  }
  const sources = { tasks: () => listTaskIds(cwd, env), waiting: () => listWaitingIds(cwd) };
  const found = completeWords(words, commands, sources);
  const lines = found === 'files' ? [':files'] : found.map(LINES[shell]);
  process.stdout.write(lines.map((text) => `${text}\n`).join(''));
  return 0;
}
