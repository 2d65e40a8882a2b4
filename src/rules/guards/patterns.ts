import { lowered } from '../text/pattern-literals.ts';

/** Alternatives of English words and phrases in small letters, as whole words; of all patterns these alone have no flag `u`. */
export const english = (listed: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w'’-])(?:${longestFirst(listed).map(apostrophes).join('|')})(?![\\w-])`, 'g');

/** Alternatives of Korean stems at the beginning of an eojeol, each with the rest of it. */
export const koreanStems = (listed: readonly string[]): RegExp =>
  new RegExp(`(?<!\\p{Script=Hangul})(?:${longestFirst(listed).join('|')})\\p{Script=Hangul}*`, 'gu');

/** Alternatives of short Korean nouns, alone or with a particle and nothing else. */
export const koreanNouns = (listed: readonly string[]): RegExp =>
  new RegExp(`(?<!\\p{Script=Hangul})(?:${listed.join('|')})(?:${PARTICLES})?(?!\\p{Script=Hangul})`, 'gu');

const PARTICLES =
  '들?(?:을|를|이|가|은|는|에|의|로|으로|와|과|도|만|에서|께서|께|에게|까지|부터|만큼|처럼|보다|마다)?|입니다|이다|이네요|네요|예요|이에요|이라|라서|인데|이고|이십니다';

/** Alternatives of whole Korean words. */
export const koreanWords = (listed: readonly string[]): RegExp =>
  new RegExp(`(?<!\\p{Script=Hangul})(?:${longestFirst(listed).join('|')})(?!\\p{Script=Hangul})`, 'gu');

/** Alternatives of texts wherever they stand, as Chinese is written. */
export const anywhere = (listed: readonly string[]): RegExp => new RegExp(longestFirst(listed).join('|'), 'gu');

const longestFirst = (listed: readonly string[]): readonly string[] =>
  listed.toSorted((one, other) => other.length - one.length);

const apostrophes = (entry: string): string => entry.replaceAll("'", "['’]");

/** A text as it is looked for, whatever signs it holds. */
export const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** A stretch of a sentence, by character offsets. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Every place at which one of the patterns stands; the text is looked through in small letters, places stay. */
export function spansOf(text: string, ...patterns: readonly RegExp[]): readonly Span[] {
  const { lower, isAscii } = prepared(text);
  const spans: Span[] = [];
  for (const pattern of patterns)
    if (!isAscii || !pattern.unicode) {
      pattern.lastIndex = 0;
      for (let hit = pattern.exec(lower); hit !== null; hit = pattern.exec(lower)) {
        if (hit[0] === '') break; // a pattern of nothing finds nothing
        spans.push({ from: hit.index, to: hit.index + hit[0].length });
      }
    }
  return spans;
}

/** Whether one of the patterns stands anywhere in a text, looked through in small letters. */
export function holds(text: string, ...patterns: readonly RegExp[]): boolean {
  const { lower, isAscii } = prepared(text);
  return patterns.some((pattern) => (!isAscii || !pattern.unicode) && lower.search(pattern) !== -1);
}

interface Prepared {
  readonly text: string;
  readonly lower: string;
  /** Patterns of other scripts (all of them have the flag `u`) find nothing in it. */
  readonly isAscii: boolean;
}

/** One sentence is looked through by many patterns in a row: it is put into small letters once. */
function prepared(text: string): Prepared {
  if (last.text !== text) last = { text, lower: lowered(text), isAscii: !NOT_ASCII.test(text) };
  return last;
}

let last: Prepared = { text: '', lower: '', isAscii: true };
const NOT_ASCII = /[^\x00-\x7f]/;

/** Whether a stretch touches one of others. */
export const touches = ({ from, to }: Span, spans: readonly Span[]): boolean =>
  spans.some((one) => one.from < to && one.to > from);
