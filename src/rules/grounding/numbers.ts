import { STOP_WORDS, stemOf } from '../text/words.ts';
import { NUMBER_WORDS, UNITS, VAGUE_NUMBERS } from './words.ts';

/** A number that a text says, with what it counts. */
export interface NumberSaid {
  readonly value: number;
  /** What is measured (`time`, `usd`, `percent`) or counted (the stem of the noun); undefined where nothing says it. */
  readonly of: string | undefined;
  /** Whether the value is in the smallest unit of what is measured. */
  readonly isMeasured: boolean;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Every number of a text, without digits in words, paths, versions and clock times. */
export function numbersIn(text: string): readonly NumberSaid[] {
  return [...digits(text), ...written(text, NUMBER_WORDS)];
}

/** Further numbers that a context implies: `a week`, `its third`, `both`. */
export const vagueNumbersIn = (text: string): readonly NumberSaid[] => [
  ...written(text, VAGUE_NUMBERS),
  ...[...text.matchAll(/(?<![\w.])(\d{1,3})(?:st|nd|rd|th)\b/gi)].map((found) =>
    said(text, found.index, found[0], Number(found[1])),
  ),
];

const DIGITS =
  /(?<![\w./:#-])([$€£₩¥]\s?|(?:USD|EUR|GBP|KRW|CNY)\s)?(\d{1,3}(?:[,_']\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d:]|[.]\d|[-/]\d|_)([만천억万千亿])?/gu;

function digits(text: string): readonly NumberSaid[] {
  return [...text.matchAll(DIGITS)].flatMap((found) => {
    const [whole, sign, number = '', large] = found;
    const to = found.index + whole.length;
    // `2nd`, `3x`, `0x1f`, `16px` glued to letters that are no unit are names of something.
    const glued = /^[A-Za-z]+/.exec(text.slice(to))?.[0];
    if (glued !== undefined && !UNITS.has(glued.toLowerCase())) return [];
    const value = Number(number.replace(/[,_']/g, '')) * (LARGE[large ?? ''] ?? 1);
    return Number.isFinite(value) ? [said(text, found.index, whole, value, sign?.trim())] : [];
  });
}

const LARGE: Readonly<Record<string, number>> = { 만: 1e4, 万: 1e4, 천: 1e3, 千: 1e3, 억: 1e8, 亿: 1e8 };

function written(text: string, words: ReadonlyMap<string, number>): readonly NumberSaid[] {
  return [...text.matchAll(/(?<![\w-])[A-Za-z]+(?![\w'-])/g)].flatMap((found) => {
    const value = words.get(found[0].toLowerCase());
    return value === undefined ? [] : [said(text, found.index, found[0], value)];
  });
}

/** A number with its unit or currency sign. */
function said(text: string, from: number, written: string, value: number, sign?: string): NumberSaid {
  const to = from + written.length;
  const after = /^[\s-]{0,2}(%|％|°?[A-Za-zÀ-ɏ]+|\p{L}+)/u.exec(text.slice(to, to + 40))?.[1];
  const unit = sign ?? after;
  const measure = unit === undefined ? undefined : measureOf(unit);
  return {
    value: value * (measure?.factor ?? 1),
    of: measure?.of ?? counted(after),
    isMeasured: measure !== undefined,
    text:
      sign === undefined && after !== undefined && measure !== undefined
        ? text.slice(from, to) + gapOf(text, to) + after
        : written,
    from,
    to,
  };
}

const gapOf = (text: string, at: number): string => /^[\s-]{0,2}/.exec(text.slice(at))?.[0] ?? '';

/** The unit itself, or with a Korean or Chinese particle behind it. */
const measureOf = (unit: string) =>
  UNITS.get(unit.toLowerCase()) ?? (ASIAN.test(unit) ? UNITS.get(unit.slice(0, 1)) : undefined);

const ASIAN = /^[\p{Script=Hangul}\p{Script=Han}]/u;

/** What is counted, where the next word names it. */
function counted(noun = ''): string | undefined {
  if (ASIAN.test(noun)) return noun.slice(0, 1);
  return noun.length < 3 || STOP_WORDS.has(noun.toLowerCase()) ? undefined : stemOf(noun.toLowerCase());
}
