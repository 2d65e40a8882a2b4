import { z } from 'zod';
import { loadTable } from '../../base/load-table.ts';
import data from './message-words.json' with { type: 'json' };

export type WordList = keyof typeof data;

const rows = z.array(z.string().min(1)).describe('alternatives of a regular expression');
const WORDS = loadTable('src/rules/guards/message-words.json', z.record(z.string(), rows), data);

/** A stretch of a text, in UTF-16 units; `to` is exclusive. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

export const alternativesOf = (list: WordList): readonly string[] => WORDS[list] ?? [];

/** Whether an alternative is of ASCII signs; those are found as whole words only. */
export const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text);

/** Compiles alternatives in small letters; a possessive `'s` belongs to an ASCII word. */
export function wordPattern(alternatives: readonly string[]): RegExp {
  const ascii = alternatives.filter(isAscii).join('|') || NEVER;
  const others = alternatives.filter((row) => !isAscii(row));
  return new RegExp([`(?<![\\w'-])(?:${ascii})(?:['’]s)?(?![\\w'-])`, ...others].join('|'), 'gu');
}

const NEVER = '[^\\s\\S]';

export const wordSpans = (text: string, words: WordList | RegExp): readonly TextSpan[] =>
  [...toSmallLetters(text).matchAll(patternOf(words))].map(({ 0: found, index }) => ({
    from: index,
    to: index + found.length,
  }));

export const hasWord = (text: string, list: WordList): boolean => toSmallLetters(text).search(patternOf(list)) !== -1;

export const overlaps = ({ from, to }: TextSpan, spans: readonly TextSpan[]): boolean =>
  spans.some((one) => one.from < to && one.to > from);

/** A text with spans replaced by spaces, so that places stay. */
export function blankSpans(text: string, spans: readonly TextSpan[]): string {
  let end = 0;
  const parts = spans
    .toSorted((one, other) => one.from - other.from)
    .flatMap(({ from, to }) => {
      const parted = [text.slice(end, from), ' '.repeat(Math.max(0, to - Math.max(end, from)))];
      end = Math.max(end, to);
      return parted;
    });
  return [...parts, text.slice(end)].join('');
}

/** Case-sensitive patterns are several times as fast; only ASCII letters change, so that places stay. */
const toSmallLetters = (text: string): string => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

const compiled = new Map<WordList, RegExp>();
function patternOf(words: WordList | RegExp): RegExp {
  if (typeof words !== 'string') return words;
  const known = compiled.get(words) ?? wordPattern(alternativesOf(words));
  compiled.set(words, known);
  return known;
}
