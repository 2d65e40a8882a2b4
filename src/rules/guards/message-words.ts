import { z } from 'zod';
import { loadTable } from '../../base/load-table.ts';
import data from './message-words.json' with { type: 'json' };

/** A list of words in English, Korean and Chinese. */
export type WordList = keyof typeof data;

const rows = z.array(z.string().min(1)).describe('alternatives of a regular expression');
const WORDS = loadTable('src/rules/guards/message-words.json', z.record(z.string(), rows), data);

/** A stretch of a text, in UTF-16 units; `to` is exclusive. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** Patterns for ASCII words, which need boundaries, and for the others; undefined where a list has none. */
export interface WordPatterns {
  readonly ascii: RegExp | undefined;
  readonly other: RegExp | undefined;
}

/** Compiles rows of alternatives; a possessive `'s` belongs to an ASCII word. */
export function wordPatterns(alternatives: readonly string[]): WordPatterns {
  const [ascii, other] = [alternatives.filter(isAscii), alternatives.filter((row) => !isAscii(row))];
  return {
    ascii: ascii.length === 0 ? undefined : new RegExp(`(?<![\\w'-])(?:${ascii.join('|')})(?:['’]s)?(?![\\w'-])`, 'g'),
    other: other.length === 0 ? undefined : new RegExp(other.join('|'), 'gu'),
  };
}

/** The alternatives of a list. */
export const alternativesOf = (list: WordList): readonly string[] => WORDS[list] ?? [];

/** The places of the words of a list, or of patterns, in a text. */
export function wordSpans(text: string, words: WordList | WordPatterns): readonly TextSpan[] {
  const { ascii, other } = typeof words === 'string' ? patternsOf(words) : words;
  const { lower, isAscii: onlyAscii } = prepare(text);
  const patterns = onlyAscii ? [ascii] : [ascii, other];
  return patterns.flatMap((pattern) =>
    pattern === undefined
      ? []
      : [...lower.matchAll(pattern)].map(({ 0: found, index }) => ({ from: index, to: index + found.length })),
  );
}

/** Whether a text holds a word of a list. */
export function hasWord(text: string, list: WordList): boolean {
  const { ascii, other } = patternsOf(list);
  const { lower, isAscii: onlyAscii } = prepare(text);
  return (
    (ascii !== undefined && lower.search(ascii) !== -1) ||
    (other !== undefined && !onlyAscii && lower.search(other) !== -1)
  );
}

/** Whether a span overlaps one of others. */
export const overlaps = ({ from, to }: TextSpan, spans: readonly TextSpan[]): boolean =>
  spans.some((one) => one.from < to && one.to > from);

/** A text with spans replaced by spaces, so that places stay. */
export const blankSpans = (text: string, spans: readonly TextSpan[]): string =>
  spans.reduce((rest, { from, to }) => `${rest.slice(0, from)}${' '.repeat(to - from)}${rest.slice(to)}`, text);

/** Case-sensitive patterns are several times as fast; only ASCII letters change, so that places stay. */
function prepare(text: string): { readonly lower: string; readonly isAscii: boolean } {
  if (last.text !== text)
    last = { text, lower: text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase()), isAscii: isAscii(text) };
  return last;
}

const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text);

let last = { text: '', lower: '', isAscii: true };
const compiled = new Map<WordList, WordPatterns>();
function patternsOf(list: WordList): WordPatterns {
  const known = compiled.get(list) ?? wordPatterns(alternativesOf(list));
  compiled.set(list, known);
  return known;
}
