import type { Token } from './tokens.ts';

/** For every opening bracket the place of its closing one; what is never closed reaches to the end. */
export function pairsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  const waiting = new Map<string, number>();
  const count = (close: string, by: number): void => void waiting.set(close, (waiting.get(close) ?? 0) + by);
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    const closed = CLOSES.get(text);
    if (closed !== undefined) {
      open.push(at);
      count(closed, 1);
    } else if ((waiting.get(text) ?? 0) > 0) {
      // Brackets that were never closed end with the one around them.
      for (let start = open.pop(); start !== undefined; start = open.pop()) {
        pairs.set(start, at);
        const own = CLOSES.get(tokens[start]?.text ?? '') ?? '';
        count(own, -1);
        if (own === text) break;
      }
    }
  }
  for (const start of open) pairs.set(start, tokens.length);
  return pairs;
}

const CLOSES: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** The parts between the commas of a bracket, as ranges of tokens; a closing comma makes no part. */
export function partsOf(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  open: number,
): readonly (readonly [from: number, to: number])[] {
  const end = Math.min(pairs.get(open) ?? tokens.length, tokens.length);
  const parts: (readonly [number, number])[] = [];
  let from = open + 1;
  for (let at = open + 1; at <= end; at += 1) {
    const inner = pairs.get(at);
    if (inner !== undefined && at < end) at = Math.min(inner, end - 1);
    else if (at === end || isSign(tokens[at], ',')) {
      if (at > from) parts.push([from, at]);
      from = at + 1;
    }
  }
  return parts;
}

/** By how much a bracket of any kind goes deeper; 0 of what is none. */
export function deeper(token: Token | undefined): -1 | 0 | 1 {
  if (token?.kind !== 'sign') return 0;
  return '([{'.includes(token.text) ? 1 : ')]}'.includes(token.text) ? -1 : 0;
}

/** Whether a token is this sign. */
export const isSign = (token: Token | undefined, text: string): boolean =>
  token?.kind === 'sign' && token.text === text;

/** Whether a token is one of these words. */
export const isWord = (token: Token | undefined, words: RegExp): boolean =>
  token?.kind === 'word' && words.test(token.text);

/** Which of some places, that are in order, is the first one from here on; as many as there are where none is. */
export function firstFrom(places: readonly number[], from: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place in a range whose token is so; -1 where there is none. */
export function placeWithin(from: number, to: number, isSo: (at: number) => boolean): number {
  for (let at = from; at < to; at += 1) if (isSo(at)) return at;
  return -1;
}
