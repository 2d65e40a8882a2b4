/** An id made of words or a path: letters, digits, dots and dashes, beginning with a letter, at most 64. */
export function idFrom(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replaceAll('/', '.')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  const begun = /^[A-Za-z]/.test(plain) ? plain : `r-${plain}`;
  return begun.slice(0, 64).replace(/[-.]+$/, '');
}

/** The path below the folder of rules, without its ending: what a rule file is called by. */
export function pathInRules(name: string): string {
  const below = /(?:^|\/)rules\/(.+)$/.exec(name)?.[1] ?? name.split('/').at(-1) ?? name;
  return below.replace(/\.[A-Za-z]+$/, '');
}

/** The category of a rule that names none: the first folder below the folder of rules, else `general`. */
export function categoryOf(name: string): string {
  const parts = pathInRules(name).split('/');
  return parts.length > 1 ? (parts[0] ?? 'general') : 'general';
}
