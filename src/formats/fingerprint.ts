import { z } from 'zod';

/** What a change is remembered by once it was rejected, besides its tree: enough to know it again in other clothes. */
export const fingerprintSchema = z.strictObject({
  files: z
    .record(z.string(), z.string())
    .describe('Changed path → print of its normal form (no spacing, quotes alike); "deleted" for a file that went.'),
  lines: z
    .array(z.string())
    .describe('Prints of the added lines in normal form; of very large changes a fixed sample.'),
});
export type Fingerprint = z.infer<typeof fingerprintSchema>;

/** Prints of added lines kept of one change; more would only make the journal longer. */
const KEPT_LINES = 2000;
/** Lines with fewer tokens than this (a brace, `return`, a blank) are in every change and say nothing. */
const TELLING_TOKENS = 3;

/** Takes the print of a change: `contents` are its files after the change (undefined = deleted), `added` its new lines. */
export function takeFingerprint(
  contents: ReadonlyMap<string, string | undefined>,
  added: readonly string[],
): Fingerprint {
  const files = [...contents].map(([path, text]) => [path, text === undefined ? 'deleted' : print(normalForm(text))]);
  const telling = added.map(tokens).filter(({ length }) => length >= TELLING_TOKENS);
  const lines = [...new Set(telling.map((one) => print(one.join(' '))))].toSorted();
  return { files: Object.fromEntries(files) as Record<string, string>, lines: lines.slice(0, KEPT_LINES) };
}

/** A text as a formatter cannot change it: tokens only, one kind of quote, no commas or semicolons before a break. */
export const normalForm = (text: string): string => tokens(text).join(' ');

const tokens = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [])
    .map((token) => (token === '"' || token === '`' ? "'" : token))
    .filter((token) => token !== ';' && token !== ',');

/** A short, stable print of a text (FNV-1a, twice with different seeds); it tells texts apart, it protects nothing. */
function print(text: string): string {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return ((high >>> 0) * 0x100000 + ((low >>> 0) & 0xfffff)).toString(36);
}
