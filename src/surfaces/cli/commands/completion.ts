import { shippedNames } from '../../../wiring/own-files.ts';
import { listTaskIds, listWaitingIds } from '../../../wiring/task-ids.ts';
import { completeWords, type Candidate } from '../completion/complete-words.ts';
import { COMPLETION_SCRIPTS } from '../completion/scripts.ts';
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
  const [shell, words] = args as [CompletedShell, readonly string[]];
  if (words.length === 0) {
    process.stdout.write(COMPLETION_SCRIPTS[shell]);
    return 0;
  }
  const sources = { tasks: () => listTaskIds(cwd, env), waiting: () => listWaitingIds(cwd), drills: listDrillNames };
  const found = completeWords(words, commands, sources);
  const lines = found === 'files' ? [':files'] : found.map(LINES[shell]);
  process.stdout.write(lines.map((text) => `${text}\n`).join(''));
  return 0;
}

/** By their files, for to read them takes a while. */
const listDrillNames = (): readonly string[] => [
  'all',
  ...shippedNames('drills').flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? []),
];
