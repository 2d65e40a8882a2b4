import type { RuleExtract } from '../model/rule.ts';
import { findDiscounts, findMoney, findPercents, numberFromDigits, type PercentsFound } from './amounts.ts';
import { compilePattern } from '../../base/pattern.ts';
import { StepBudget } from '../matchers/find-matches.ts';

/** What a rule's own extraction found: plain data, nothing (`undefined`), or why it cannot be told. */
export type Extracted = { readonly value: unknown; readonly isUnsure?: boolean } | { readonly problem: string };

/** Applies one entry of a rule's `extract:` to a text; what a language model is asked is not answered here. */
export function extractOwn(entry: RuleExtract, text: string): Extracted {
  if (entry.pack !== undefined) {
    const { values, isUnsure } = extractPack(entry.pack, text, entry.pick ?? 'max');
    return { value: picked(values, entry.pick ?? 'max'), isUnsure };
  }
  if (entry.keywords !== undefined) return keywords(entry.keywords, text, entry);
  const pattern = entry.count ?? entry.regex;
  if (pattern === undefined) return { value: undefined };
  const found = matchesOf(pattern, text);
  if ('problem' in found) return found;
  if (entry.count !== undefined) return { value: found.texts.length };
  // A match that is no readable number is still there; the rule must not take it for absent.
  const { pick = 'first' } = entry;
  const asked = pick === 'first' ? found.texts.slice(0, 1) : pick === 'last' ? found.texts.slice(-1) : found.texts;
  const isUnsure = entry.type === 'number' && pick !== 'count' && asked.some((one) => numberOf(one) === undefined);
  return { value: extractRegex(found.texts, entry), isUnsure };
}

/** The fault of an entry beyond its shape; undefined if it is valid. */
export function extractFault({ regex, count }: RuleExtract): string | undefined {
  for (const pattern of [regex, count]) {
    const made = pattern === undefined ? undefined : compilePattern(pattern);
    if (made?.ok === false) return made.why;
  }
  return undefined;
}

function extractPack(pack: NonNullable<RuleExtract['pack']>, text: string, pick: string): PercentsFound {
  if (pack !== 'money') return pack === 'percent' ? findPercents(text) : findDiscounts(text);
  const { sums, isUnsure } = findMoney(text, pick === 'max' ? 'largest' : 'all');
  return { values: sums.map(({ value }) => value), isUnsure };
}

function extractRegex(texts: readonly string[], { type = 'text', pick = 'first' }: RuleExtract): unknown {
  if (pick === 'count') return texts.length;
  if (type === 'boolean') return texts.length > 0;
  if (type === 'text') return pick === 'all' ? texts : pick === 'last' ? texts.at(-1) : texts[0];
  return picked(
    texts.flatMap((one) => numberOf(one) ?? []),
    pick,
  );
}

/** The number that a match holds, without the punctuation around it; undefined where it cannot be read. */
function numberOf(match: string): number | undefined {
  const bare = match.trim().replace(/^[("'[*_]+|(?<![.,;:!?)\]'"*_])[.,;:!?)\]'"*_]+$/g, '');
  const plain = numberFromDigits(bare);
  if (plain !== undefined) return plain;
  const { sums, isUnsure } = findMoney(bare);
  return isUnsure || sums.length !== 1 ? undefined : sums[0]?.value;
}

/** One of several numbers, or what they come to; of none nothing, but for their number, their sum and their list. */
export function picked(
  numbers: readonly number[],
  pick: NonNullable<RuleExtract['pick']>,
): number | readonly number[] | undefined {
  switch (pick) {
    case 'all':
      return numbers;
    case 'count':
      return numbers.length;
    case 'sum':
      return numbers.length === 0 ? undefined : Math.round(numbers.reduce((sum, one) => sum + one, 0) * 1e6) / 1e6;
    case 'first':
      return numbers[0];
    case 'last':
      return numbers.at(-1);
    case 'max':
    case 'min':
      return numbers.toSorted((one, other) => (pick === 'max' ? other - one : one - other))[0];
  }
}

/** Whole words in any case. */
function keywords(words: readonly string[], text: string, { pick }: RuleExtract): Extracted {
  const spoken = ` ${wordsIn(text).join(' ')} `;
  const lower = text.toLowerCase();
  let count = 0;
  for (const word of words) {
    const bare = word.trim().toLowerCase();
    // Scripts without blanks between words are looked through as they stand.
    const isSpaced = !/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(
      bare,
    );
    count += isSpaced ? occurrences(spoken, ` ${wordsIn(bare).join(' ')} `, 1) : occurrences(lower, bare, 0);
  }
  return { value: pick === 'count' ? count : count > 0 };
}

export const wordsIn = (text: string): readonly string[] =>
  text.toLowerCase().match(/\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{M}]*|\S/gu) ?? [];

function occurrences(text: string, word: string, overlap: number): number {
  if (word.trim() === '') return 0;
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length - overlap)) count += 1;
  return count;
}

const MOST_MATCHES = 10_000;

function matchesOf(
  pattern: string,
  text: string,
): { readonly texts: readonly string[] } | { readonly problem: string } {
  const made = compilePattern(pattern);
  if (!made.ok) return { problem: made.why };
  const budget = new StepBudget().share();
  const texts: string[] = [];
  for (let from = 0; from <= text.length;) {
    const found = made.value.capture(text, from, (steps) => void budget.spend(steps));
    if (budget.isSpent || texts.length >= MOST_MATCHES)
      return { problem: `the pattern ${pattern} is too slow for so much text, or is there too often` };
    if (found === undefined) break;
    texts.push(found.text);
    from = found.end > found.start ? found.end : found.end + 1;
  }
  return { texts };
}
