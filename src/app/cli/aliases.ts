import { createUsageError } from '../../base/problem.ts';

/** Another spelling of a command: the words that replace it, and options that have another name there. */
interface CommandAlias {
  readonly words: readonly string[];
  readonly renames?: Readonly<Record<string, string>>;
}

/** Spellings that other tools and earlier versions taught, each of one implementation. */
export const ALIASES: Readonly<Record<string, CommandAlias>> = {
  create: { words: ['new'] },
  validate: { words: ['check'], renames: { '--file': '--plan' } },
  ci: { words: ['check', '--base'] },
  enforce: { words: ['rules', 'enforce'] },
  feedback: { words: ['rules', 'feedback'] },
  diff: { words: ['show', '--diff'] },
  explain: { words: ['show', '--explain'] },
  report: { words: ['show', '--report'] },
  cost: { words: ['show', '--cost'] },
  verify: { words: ['doctor', '--journal'] },
  judge: { words: ['agents', 'judge'] },
  retry: { words: ['resume', '--again'] },
  unpause: { words: ['pause', '--off'] },
};

/** Earlier names of options, by command. */
const OPTION_ALIASES: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  Object.entries({
    init: { '--target': '--branch' },
    new: { '--target': '--target-file' },
    resume: { '--max-diff': '--max-diff-size' },
  }),
);

/** The typed words with other spellings of the command and of its options replaced. */
export function expandAlias(words: readonly string[]): readonly string[] {
  const [name = '', ...rest] = words;
  if (name === 'help') return expandAlias([...rest.slice(0, 1), '--help']);
  const alias: CommandAlias = (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined) ?? { words: [name] };
  const renames = alias.renames ?? OPTION_ALIASES.get(alias.words[0] ?? '') ?? {};
  const typed = new Set(rest.map((word) => word.split('=', 1)[0]));
  for (const [from, to] of Object.entries(renames))
    if (typed.has(from) && typed.has(to))
      throw createUsageError(`${to} and ${from} cannot be combined.`, `Run \`andon ${alias.words.join(' ')} --help\`.`);
  return [...alias.words, ...rest.map((word) => word.replace(/^--[\w-]+(?==|$)/, (flag) => renames[flag] ?? flag))];
}
