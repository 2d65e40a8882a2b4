import { asianMoney } from './asian-money.ts';
import type { Money } from './asian-money.ts';
import { CURRENCIES, currencyOfCode, entryOf } from './currencies.ts';
import { numberFromDigits } from './digits.ts';
import { numberFromWords, saysNumber, isNumberWord } from './number-words.ts';
import { areJoined, areNear, textTokens } from './text-token.ts';
import type { TextToken } from './text-token.ts';

/** Every sum of money in a text, in order: `$1.5k`, `1.250,00 EUR`, `50 US dollars`, `fifty euros`, `75,000원`, `五十美元`. */
export function findMoney(text: string, tokens: readonly TextToken[] = textTokens(text)): readonly Money[] {
  const found: Money[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const last = found.at(-1);
    if (last !== undefined && (tokens[at]?.start ?? 0) < last.end) continue; // a part of what was just read
    const money = inDigits(tokens, at) ?? inWords(tokens, at) ?? continued(tokens, at, last);
    if (money !== undefined) found.push(money);
  }
  return withCents([...found, ...asianMoney(text)].toSorted((one, other) => one.start - other.start));
}

interface Named {
  readonly currency: string;
  readonly end: number;
  /** How many tokens it takes up. */
  readonly length: number;
}

function inDigits(tokens: readonly TextToken[], at: number): Money | undefined {
  const number = tokens[at];
  if (number?.kind !== 'number') return undefined;
  const before = currencyBefore(tokens, at);
  const scale = scaleAt(tokens, at + 1, before !== undefined);
  const after = before === undefined ? currencyAfter(tokens, at + 1 + (scale?.length ?? 0)) : undefined;
  const currency = before?.currency ?? after?.currency ?? currencyAfterRange(tokens, at);
  if (currency === undefined) return undefined;
  const lone = CURRENCIES.stop_parts_thousands.includes(currency) ? 'both' : 'comma';
  const digits = numberFromDigits(number.text, lone);
  if (digits === undefined) return undefined;
  const isNegative = isMinus(tokens, before?.first ?? at) || (before !== undefined && before.isNegative);
  const value = rounded((isNegative ? -digits : digits) * (scale?.by ?? 1) * (currency === 'cent' ? 0.01 : 1));
  return {
    value,
    currency,
    start: tokens[before?.first ?? at]?.start ?? number.start,
    end: after?.end ?? scale?.end ?? number.end,
  };
}

/** A sign or code right before a number, perhaps with a minus between. */
function currencyBefore(
  tokens: readonly TextToken[],
  at: number,
): { readonly currency: string; readonly first: number; readonly isNegative: boolean } | undefined {
  const minus = isDash(tokens[at - 1]) && areJoined(tokens[at - 1], tokens[at]) ? 1 : 0;
  const isStop = tokens[at - 1 - minus]?.text === '.' ? 1 : 0; // Rs. 50
  const last = at - 1 - minus - isStop;
  const token = tokens[last];
  if (token === undefined || !areNear(tokens[at - 1], tokens[at]) || !areNear(token, tokens[last + 1]))
    return undefined;
  const symbol = entryOf(CURRENCIES.symbols, token.text);
  if (symbol !== undefined && symbol !== 'cent') {
    const word = tokens[last - 1];
    const named = areJoined(word, token) ? entryOf(CURRENCIES.before_symbol, word?.lower ?? '') : undefined;
    return { currency: named ?? symbol, first: named === undefined ? last : last - 1, isNegative: minus === 1 };
  }
  if (token.kind !== 'word') return undefined;
  const isShort = isStop === 1 || /^[A-Z]/.test(token.text);
  const currency = currencyOfCode(token.text) ?? (isShort ? entryOf(CURRENCIES.prefix_words, token.lower) : undefined);
  return currency === undefined ? undefined : { currency, first: last, isNegative: minus === 1 };
}

/** A word that multiplies: a letter only where it stands at the number, and only of a sum that is already known for one, or before a currency. */
function scaleAt(
  tokens: readonly TextToken[],
  at: number,
  isMoney: boolean,
): { readonly by: number; readonly length: number; readonly end: number } | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word' || !areNear(tokens[at - 1], token)) return undefined;
  const by = entryOf(CURRENCIES.scales, token.lower);
  if (by === undefined) return undefined;
  const isLetter = token.text.length <= 2;
  if (isLetter && !areJoined(tokens[at - 1], token) && !isMoney) return undefined;
  const length = tokens[at + 1]?.text === '.' && /^(?:tsd|mio|mrd|тыс|млн)$/.test(token.lower) ? 2 : 1;
  const end = tokens[at + length - 1]?.end ?? token.end;
  if (!isMoney && currencyAfter(tokens, at + length) === undefined) return undefined;
  return { by, length, end };
}

/** A currency behind a number: at once, or after what tells which dollars are meant. */
function currencyAfter(tokens: readonly TextToken[], from: number): Named | undefined {
  let at = from;
  // `50,-`, `50.–`
  if (
    (tokens[at]?.text === ',' || tokens[at]?.text === '.') &&
    isDash(tokens[at + 1]) &&
    areJoined(tokens[at], tokens[at + 1])
  )
    at += 2;
  for (let skipped = 0; skipped <= MOST_BETWEEN; skipped += 1) {
    const token = tokens[at];
    if (token === undefined || !areNear(tokens[at - 1], token)) return undefined;
    const currency = currencyIn(token, skipped);
    if (currency !== undefined) return { currency, end: token.end, length: at - from + 1 };
    const isJoint = /^[.\-'’]$/.test(token.text) && areJoined(tokens[at - 1], token) && at > from;
    if (!isJoint && !CURRENCIES.between.includes(token.lower)) return undefined;
    at += 1;
  }
  return undefined;
}

/** `50 U.S. dollars`, `2 millions d'euros`. */
const MOST_BETWEEN = 4;

function currencyIn(token: TextToken, skipped: number): string | undefined {
  if (token.kind === 'word') {
    const word = entryOf(CURRENCIES.suffix_words, token.lower);
    return word ?? (skipped === 0 ? currencyOfCode(token.text) : undefined);
  }
  return skipped === 0 ? entryOf(CURRENCIES.symbols, token.text) : undefined;
}

/** `50-75 USD`, `between 50 and 75 euros`: the first number is money because the second one is. */
function currencyAfterRange(tokens: readonly TextToken[], at: number): string | undefined {
  const joint = tokens[at + 1];
  const other = tokens[at + 2];
  if (joint === undefined || other?.kind !== 'number') return undefined;
  const isRange = isDash(joint) || RANGE_WORDS.has(joint.lower);
  if (!isRange) return undefined;
  const scale = scaleAt(tokens, at + 3, false);
  return scale === undefined ? currencyAfter(tokens, at + 3)?.currency : undefined;
}

const RANGE_WORDS: ReadonlySet<string> = new Set(['to', 'bis', 'a', 'à', 'and', 'und', 'y', 'et', 'or', 'oder']);

/** `$50-75`: the second number is money because the first one is. */
function continued(tokens: readonly TextToken[], at: number, last: Money | undefined): Money | undefined {
  const number = tokens[at];
  const dash = tokens[at - 1];
  if (number?.kind !== 'number' || last === undefined || last.end !== dash?.start || !isDash(dash)) return undefined;
  if (!areJoined(dash, number) || !(tokens[at - 2]?.kind === 'number')) return undefined;
  const value = numberFromDigits(number.text, 'comma');
  return value === undefined ? undefined : { ...last, value: Math.abs(value), start: number.start, end: number.end };
}

/** `fifty dollars`, `two hundred and fifty US dollars`. */
function inWords(tokens: readonly TextToken[], at: number): Money | undefined {
  const first = tokens[at];
  if (first?.kind !== 'word' || !startsNumber(tokens, at)) return undefined;
  const words: string[] = [];
  let next = at;
  for (; next < tokens.length && words.length < MOST_WORDS; next += 1) {
    const token = tokens[next];
    if (token === undefined || !isNumberWord(token.lower) || (next > at && !areNear(tokens[next - 1], token))) break;
    words.push(token.lower);
  }
  const after = currencyAfter(tokens, next);
  const value = after === undefined ? undefined : numberFromWords(words);
  if (after === undefined || value === undefined) return undefined;
  return {
    value: rounded(after.currency === 'cent' ? value / 100 : value),
    currency: after.currency,
    start: first.start,
    end: after.end,
  };
}

const MOST_WORDS = 14;

/** A number begins at its first word, or at `a` before `hundred`. */
function startsNumber(tokens: readonly TextToken[], at: number): boolean {
  const { lower = '' } = tokens[at] ?? {};
  const isFirst = !saysNumber(tokens[at - 1]?.lower ?? '') || !areNear(tokens[at - 1], tokens[at]);
  const isArticle = (lower === 'a' || lower === 'an') && saysNumber(tokens[at + 1]?.lower ?? '');
  return isFirst && (saysNumber(lower) || isArticle);
}

/** `5 dollars and 50 cents` is one sum. */
function withCents(found: readonly Money[]): readonly Money[] {
  return found.flatMap((money, at) => {
    const [before, after] = [found[at - 1], found[at + 1]];
    if (isCentsOf(before, money)) return [];
    if (!isCentsOf(money, after)) return [money];
    return [{ ...money, value: rounded(money.value + (after?.value ?? 0)), end: after?.end ?? money.end }];
  });
}

const isCentsOf = (whole: Money | undefined, cents: Money | undefined): boolean =>
  whole !== undefined &&
  cents?.currency === 'cent' &&
  whole.currency !== 'cent' &&
  cents.value < 1 &&
  cents.start - whole.end <= ' and '.length;

const isDash = (token: TextToken | undefined): boolean =>
  token !== undefined && /^[-\u2010-\u2015\u2212]$/.test(token.text);

/** A minus stands at what it belongs to, and behind nothing that it could join to it. */
function isMinus(tokens: readonly TextToken[], at: number): boolean {
  const [before, sign, first] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  if (!isDash(sign) || !areJoined(sign, first)) return false;
  return before === undefined || !areJoined(before, sign) || /^[([{:"'“‘]$/.test(before.text);
}

/** Hundredths are added without the dust that binary fractions leave. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
