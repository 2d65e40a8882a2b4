import { z } from 'zod';
import { loadTable } from '../../base/load-table.ts';
import data from './tokens.json' with { type: 'json' };

/** A published form of tokens: what such a token looks like, and which word tells that one could be there. */
export interface Shape {
  readonly name: string;
  /** In lower case; without one of them nothing is looked for. */
  readonly words: readonly string[];
  readonly pattern: RegExp;
  /** Bits per character that a real one has at least; 0: whatever it holds. */
  readonly entropy: number;
  /** It is one only where it is given to a name that holds one of the words. */
  readonly isNamed: boolean;
}

const namedRow = z.strictObject({
  name: z.string().min(1).describe('name of the secret in messages'),
  words: z.string().min(1).describe('words of which one is there, parted by blanks'),
  form: z
    .string()
    .min(1)
    .describe(
      'a regular expression, in which `<w20>` means 20 word characters or dashes, `<h32>` for hexadecimal digits, `<a…>` for letters and digits, `<l…>` for small letters and digits, `<d…>` digits, `<b…>` base64',
    ),
  entropy: z.number().min(0).max(8).default(2).describe('bits per character'),
});
const prefixedRow = namedRow
  .partial({ words: true })
  .refine(({ words, form }) => (words ?? beginningOf(form)) !== '', 'a form without a plain beginning needs words');

/** The plain characters that a form without alternatives begins with. */
const beginningOf = (form: string): string =>
  /^(?:\\[.$]|[\w:=~-](?![*?+{]))*/.exec(form)?.[0].replaceAll('\\', '') ?? '';

/** A token that is known by its own beginning, which is its word where no other is named. */
function prefixed({ name, form, words = beginningOf(form), entropy }: z.infer<typeof prefixedRow>): Shape {
  const source = `(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrt]|%[0-9A-F]{2}))(?:${spelled(form)})(?![A-Za-z0-9_])`;
  return { name, words: words.toLowerCase().split(' '), pattern: new RegExp(source, 'g'), entropy, isNamed: false };
}

/** A token without a beginning of its own: random text, known by its published length where it is given to a name of its vendor's. */
function named({ name, words, form, entropy }: z.infer<typeof namedRow>): Shape {
  const listed = words.split(' ');
  const some = listed.map((word) => word.replace(/[.]/g, '\\.').replaceAll('-', '[ ._-]?')).join('|');
  const key = `(?<word>${some})[\\w .\\t-]{0,24}`;
  const source = `${key}\\\\?["'\`\\]]?\\s{0,4}${OPERATOR}[\\s"'\`(=>\\\\]{0,24}(?<value>${spelled(form)})(?=["'\`\\s;,<)\\]}]|\\\\[nr"]|$)`;
  const first = listed.map((word) => word.toLowerCase().split('-')[0] ?? word);
  return { name, words: first, pattern: new RegExp(source, 'gi'), entropy, isNamed: true };
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

const TOKENS = loadTable(
  'src/rules/secrets/tokens.json',
  z.strictObject({
    prefixed: z
      .record(z.string(), z.array(prefixedRow))
      .describe('tokens that say by their beginning whose they are, by their field'),
    named: z.array(namedRow),
    public_samples: z.array(z.string().regex(/^[0-9a-f]{16}$/)).describe('the first 16 digits of their SHA-256'),
  }),
  data,
);

/** Every form of tokens that vendors publish. */
export const SHAPES: readonly Shape[] = [
  ...Object.values(TOKENS.prefixed).flat().map(prefixed),
  ...TOKENS.named.map(named),
];

/**
 * Keys that are known from public sample code, and so no secret any more; as digests, so that no scanner finds them
 * here. They are the negative texts of `test/corpora/outside/gitleaks-rule-tests.jsonl`: nothing in their form tells them
 * from a key that is secret.
 */
export const PUBLIC_SAMPLES: ReadonlySet<string> = new Set(TOKENS.public_samples);
