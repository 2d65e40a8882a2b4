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

/** The typed words with another spelling of the command replaced. */
export function expandAlias(words: readonly string[]): readonly string[] {
  const [name = '', ...rest] = words;
  if (name === 'help') return expandAlias([...rest.slice(0, 1), '--help']);
  const typed = name === 'validate' ? rest.map((word) => word.replace(/^--file(?==|$)/, '--plan')) : rest;
  return [...((Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined) ?? [name]), ...typed];
}
