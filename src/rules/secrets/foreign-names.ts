import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { loadTable } from '../../base/load-table.ts';
import data from './foreign-names.json' with { type: 'json' };
import { LITERAL_SECRET, type FoundSecret } from './found-secret.ts';
import {
  entropy,
  isPlaceholderValue,
  getQuoteRules,
  isPassword,
  isRandomValue,
  isUuid,
  isTranslation,
} from './values.ts';

/** Values that are given to words for passwords and keys in other languages than English. */
export function findForeignSecrets(path: string, text: string): readonly FoundSecret[] {
  const quotes = getQuoteRules(path);
  const found: FoundSecret[] = [];
  for (const name of text.matchAll(anyName())) {
    GIVEN.lastIndex = name.index + name[0].length;
    const match = GIVEN.exec(text);
    if (match === null) continue;
    const { quoted, bare } = match.groups ?? {};
    const value = quoted ?? (bare ?? '').replace(/[.,;:!?)\]}。，；]+$/, '');
    if (quoted === undefined && !quotes.bare) continue;
    const isSecret = name.groups?.['key'] === undefined ? isForeignPassword(value) : isForeignKey(value);
    if (!isSecret || isTranslation(path, value)) continue;
    const start = match.index + match[0].lastIndexOf(value);
    found.push({ start, end: start + value.length, what: LITERAL_SECRET });
  }
  return found;
}

/** Whether a text names a password, in any language: what a translation of a form holds. */
export const namesPassword = (text: string): boolean => ENGLISH.test(text) || text.search(anyName()) !== -1;

/** Hides what is given to a word for a password and has a digit, however short. */
export const maskForeignPasswords = (text: string, stars: string): string =>
  text.replace(loosePassword(), (_, before: string) => `${before}${stars}`);

const words = z.array(z.string().min(2)).describe('regular expressions of words that a name holds');
const NAMES = loadTable(
  'src/rules/secrets/foreign-names.json',
  z.strictObject({ passwords: words, keys: words }),
  data,
);
/** `\\b` knows only the letters of English. */
const bounded = (list: readonly string[]): string =>
  list
    .join('|')
    .replaceAll(
      '\\b',
      '(?:(?<![A-Za-z\\u00c0-\\u024f])(?=[A-Za-z\\u00c0-\\u024f])|(?<=[A-Za-z\\u00c0-\\u024f])(?![A-Za-z\\u00c0-\\u024f]))',
    );
const anyName = lazy(() => new RegExp(`(?:${bounded(NAMES.passwords)})|(?<key>${bounded(NAMES.keys)})`, 'gi'));
const loosePassword = lazy(
  () =>
    new RegExp(
      `((?:${bounded(NAMES.passwords)})[\\w\\u00c0-\\uffef.-]{0,30}?["'\`*_\\])»」]{0,4}\\s{0,4}(?:=>|[:=：＝]{1,3}|は|是|为|(?:ist|es|est|é|è)(?=\\s))\\s{0,4}["'\`“「『*]{0,2})(?!\\*{3})(?=[!-~]{0,60}\\d)[^\\s"'\`,;(){}[\\]<>\\u0080-\\uffff]{3,200}`,
      'gi',
    ),
);
const ENGLISH = /passw|passphrase|token|secret|api[ -]?key/i;

/** The rest of the name, what gives a value to it (a sign, or a word for "is"), and the value. */
const GIVEN =
  /[\p{L}\p{N}_.-]{0,30}["'`*_\])»」]{0,4}\s{0,4}(?:[A-Za-z]{1,10}\s{0,2}(?==))?(?:=>|:?={1,3}|[:：＝]|->|→|—|–|,|は|是|为|(?:ist|es|est|é|è|is|jest|je|är|er|on)(?=\s)|(?<=[ \t])(?=["'`*「]))[ \t]{0,6}[*(]{0,2}(?:[@bru]?["'`「『“«](?<quoted>[^"'`「』」”»\r\n]{6,200})["'`」』”»]|(?<bare>[!-~]{6,200}))/uy;

/** Such a word occurs in sentences too: a value has letters and digits, and only signs that people type. */
const isForeignPassword = (value: string): boolean =>
  value.length >= 8 &&
  /^[!-~]+$/.test(value) &&
  /\d/.test(value) &&
  !/^[\w.]+\(|^\d+[a-z.,)-]{0,3}$|[[\]{}<>]|^\W|=>|::|:\/\//.test(value) &&
  entropy(value) >= 2.2 &&
  isPassword(value) &&
  !/^[\w.-]+\.[a-z]{2,4}$|^[a-z]+[-_.][a-z]+[-_.]?\d{0,2}$|^[a-z]+[_-]?\d{1,2}$/.test(value);

const isForeignKey = (value: string): boolean =>
  isRandomValue(value, 16, 3.2) && !isPlaceholderValue(value) && !isUuid(value);
