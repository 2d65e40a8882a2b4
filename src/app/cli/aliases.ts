/** Spellings that other tools taught, each of one implementation: the words that replace them. */
export const ALIASES: Readonly<Record<string, readonly string[]>> = {
  create: ['new'],
  validate: ['check'],
  ci: ['check', '--base'],
  enforce: ['rules', 'enforce'],
  feedback: ['rules', 'feedback'],
  diff: ['show', '--diff'],
  explain: ['show', '--explain'],
  report: ['show', '--report'],
  cost: ['show', '--cost'],
  verify: ['doctor', '--journal'],
  judge: ['agents', 'judge'],
  retry: ['resume', '--again'],
  unpause: ['pause', '--off'],
};

/** Options that have another name behind a spelling: those of the first tools, and `--max-diff` beside that of `andon new`. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  validate: { '--file': '--plan' },
  resume: { '--max-diff': '--max-diff-size' },
};

const own = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The typed words with other spellings of the command and of its options replaced. */
export function expandAlias(words: readonly string[]): readonly string[] {
  const [name = '', ...rest] = words;
  if (name === 'help') return expandAlias([...rest.slice(0, 1), '--help']);
  const renamed = own(RENAMED, name) ?? {};
  const typed = rest.map((word) => word.replace(/^--[\w-]+(?==|$)/, (flag) => own(renamed, flag) ?? flag));
  return [...(own(ALIASES, name) ?? [name]), ...typed];
}
