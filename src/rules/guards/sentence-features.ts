import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

/**
 * What a masked sentence is made of, each once: its words and the pairs of neighbours, heads and tails of longer English
 * words, pieces of two or three letters of Korean and of one to three of Chinese, signs, and its length. Something that
 * can be looked up stands for its kind: which file it was does not matter. No feature holds a space.
 */
export function featuresOf(sentence: string): readonly string[] {
  const tokens = tokensOf(sentence);
  const found = new Set<string>();
  for (const token of tokens) addPieces(found, token);
  addWords(found, tokens.map(wordOf));
  for (const [name, pattern] of SIGNS) if (pattern.test(sentence)) found.add(name);
  found.add(`length:${Math.min(LONGEST, Math.floor(Math.log2(1 + tokens.length)))}`);
  return [...found];
}

/** Sentences of more than 64 tokens are as long as one another. */
const LONGEST = 6;
const SIGNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['sign:!', /[!！]/u],
  ['sign:?', /[?？]/u],
  ['sign:emoji', /\p{Extended_Pictographic}/u],
  ['sign:item', /^\s*(?:[-*•]|\d+[.)])/u],
  ['sign:heading', /^\s*#/u],
];

/** The word that stands for a token among its neighbours. */
function wordOf({ text, script, thing }: Token): string {
  if (script === 'quote') return '<quote>';
  if (thing === 'ratio') return shareOf(text);
  if (thing !== undefined) return /^0+$/.test(text) ? '<zero>' : `<${thing}>`;
  if (script === 'hangul' || script === 'han') return `<${script}>`;
  return text.toLowerCase().replaceAll('’', "'");
}

/** `42/42` is all, `0/42` none. */
function shareOf(ratio: string): string {
  const [part, whole] = ratio.split('/');
  return part === whole ? '<all>' : Number(part) === 0 ? '<none>' : '<part>';
}

function addPieces(found: Set<string>, { text, script, thing }: Token): void {
  if (thing !== undefined || script === 'quote') return;
  if (script === 'han') addRuns(found, 'zh:', Array.from(text), 1);
  else if (script === 'hangul') {
    found.add(`ko:${text}`);
    addRuns(found, 'ko:', Array.from(`^${text}$`), 2);
  } else if (text.length > SHORT) {
    const word = text.toLowerCase();
    found.add(`head:${word.slice(0, 4)}`);
    found.add(`tail:${word.slice(-3)}`);
  }
}

/** A word of so many letters has no head and tail. */
const SHORT = 4;

/** The runs of `least` to three letters. */
function addRuns(found: Set<string>, prefix: string, letters: readonly string[], least: number): void {
  for (let at = 0; at < letters.length; at += 1)
    for (let length = least; length <= 3 && at + length <= letters.length; length += 1)
      found.add(prefix + letters.slice(at, at + length).join(''));
}

/** Words, and pairs of neighbours; Korean and Chinese words are known by their pieces. */
function addWords(found: Set<string>, words: readonly string[]): void {
  const isAsian = (word: string): boolean => word === '<hangul>' || word === '<han>';
  const around = ['^', ...words, '$'];
  for (const [at, word] of around.entries()) {
    if (at > 0 && at <= words.length && !isAsian(word)) found.add(`word:${word}`);
    const next = around[at + 1];
    if (next !== undefined && !(isAsian(word) && (isAsian(next) || next === '$'))) found.add(`pair:${word}_${next}`);
  }
}
