/** Why a pattern is refused before it is read, in one sentence; undefined when it may be read. */
export function refusalBeforeReading(pattern: string): string | undefined {
  if (pattern === '') return 'The pattern is empty: leave it out, or write what is looked for.';
  if (new TextEncoder().encode(pattern).length > MOST_BYTES)
    return 'The pattern is longer than 2 kB: split it into several rules, or list words under `keywords`.';
  if (CONTROL.test(pattern))
    return 'The pattern holds a control character, as YAML makes of "\\b" in double quotes: write the pattern in single quotes.';
  if (!pattern.isWellFormed()) return 'The pattern holds half a character: rewrite it.';
  return undefined;
}

/** Why the engine refused a pattern, and what to write instead, in one sentence. */
export function refusal(pattern: string, said: string): string {
  const bare = pattern.replace(/\\[^\d]/g, '').replace(/\[\^?\]?[^\]]*\]/g, '');
  const known = CONSTRUCTS.find(({ is }) => is.test(bare));
  if (known !== undefined) return known.says;
  return `The pattern is no regular expression in RE2 syntax (${said
    .replace(/^error parsing regexp: /, '')
    .replace(/\s+/g, ' ')
    .slice(0, 200)}): mend it, or put a backslash before a sign that is meant as such.`;
}

const CONSTRUCTS: readonly { readonly is: RegExp; readonly says: string }[] = [
  {
    is: /\(\?<?!/,
    says: 'The pattern looks for what must not follow or precede (`(?!…)`, `(?<!…)`), which RE2 cannot: write what is allowed as `not_pattern`.',
  },
  {
    is: /\(\?<?=/,
    says: 'The pattern looks ahead or behind (`(?=…)`, `(?<=…)`), which RE2 cannot: match that text as well, or say it in a second rule with `mode: require`.',
  },
  {
    is: /\\[1-9]|\\k[<{']|\(\?P=/,
    says: 'The pattern refers back to a group (`\\1`), which RE2 cannot: write out the alternatives, or exclude the rest by `not_pattern`.',
  },
  {
    is: /\(\?>|[*+?}]\+/,
    says: 'The pattern has an atomic group or a possessive repetition (`(?>…)`, `a++`), which RE2 does not need: write `(?:…)` or `a+`.',
  },
  {
    is: /\{\d{4,}|\{\d+,\d{4,}|\{(?:100[1-9]|10[1-9]\d|1[1-9]\d\d|[2-9]\d{3})|\}\)*\)\{/,
    says: 'The pattern repeats something more than 1000 times, alone or by repetitions within each other: use smaller counts, or `*`.',
  },
  {
    is: /p\{(?:Script|sc|General_Category|gc)=/i,
    says: 'The pattern names a script as `\\p{Script=…}`, which RE2 writes `\\p{…}` (for example `\\p{Hangul}`).',
  },
];

const MOST_BYTES = 2048;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
