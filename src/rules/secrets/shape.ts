/** A published form of tokens: what such a token looks like, and which word tells that one could be there. */
export interface Shape {
  readonly name: string;
  /** In lower case; without one of them nothing is looked for. */
  readonly words: readonly string[];
  readonly pattern: RegExp;
  /** Bits per character that a real one has at least; 0: whatever it holds. */
  readonly entropy: number;
}

/**
 * A token that is known by its own beginning. In `form`, `<w20>` stands for 20 word characters or dashes, `<h32>` for
 * hexadecimal digits, `<a…>` for letters and digits, `<l…>` for small letters and digits, `<d…>` digits, `<b…>` base64.
 */
export function prefixed(name: string, word: string, form: string, entropy = 2): Shape {
  const source = `(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrt]|%[0-9A-F]{2}))(?:${spelled(form)})(?![A-Za-z0-9_])`;
  return { name, words: word.toLowerCase().split(' '), pattern: new RegExp(source, 'g'), entropy };
}

/** A token without a beginning of its own: it is one only where it is given to a name that holds one of the words. */
export function named(name: string, words: string, form: string, entropy = 2): Shape {
  const listed = words.split(' ');
  const some = listed.map((word) => word.replace(/[.]/g, '\\.').replaceAll('-', '[ ._-]?')).join('|');
  const key = `(?<word>${some})[\\w .\\t-]{0,24}`;
  const source = `${key}\\\\?["'\`\\]]?\\s{0,4}${OPERATOR}[\\s"'\`(=>\\\\]{0,24}(?<value>${spelled(form)})(?=["'\`\\s;,<)\\]}]|\\\\[nr"]|$)`;
  const first = listed.map((word) => word.toLowerCase().split('-')[0] ?? word);
  return { name, words: first, pattern: new RegExp(source, 'gi'), entropy };
}

/** How values are given to names in programs, settings, markup and make files. */
export const OPERATOR = '(?:=>|->|[?:|.+]{0,3}={1,3}|:{1,2}|,|>|\\|\\|)';

const KINDS: Readonly<Record<string, string>> = {
  a: '[A-Za-z0-9]',
  b: '[A-Za-z0-9+/=]',
  d: '[0-9]',
  h: '[A-Fa-f0-9]',
  l: '[a-z0-9]',
  u: '[A-Z0-9]',
  w: '[A-Za-z0-9_-]',
};

const spelled = (form: string): string =>
  form
    .replace(/<uuid>/g, '[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}')
    .replace(/<([abdhluw])([\d,]+)>/g, (_, kind: string, count: string) => `${KINDS[kind] ?? ''}{${count}}`);
