import { lazy } from './lazy.ts';

/** A text that many patterns are looked for in; what they share is worked out once. */
export interface Haystack {
  readonly text: string;
  readonly lower: string;
  /** Whether a word in lower case may stand in it; what is not there is mostly told without a look at the text. */
  readonly mayHold: (word: string) => boolean;
}

export function haystackOf(text: string): Haystack {
  const lower = lowered(text);
  if (lower.length < WORTH_AN_INDEX) return { text, lower, mayHold: (word) => lower.includes(word) };
  const index = lazy(() => indexOf(lower));
  return { text, lower, mayHold: (word) => isIndexed(index(), word) && lower.includes(word) };
}

/** Which three letters in a row a text holds, one bit each; some share one. */
function indexOf(text: string): Uint8Array {
  const index = new Uint8Array(SLOTS / 8);
  let [one, two] = [text.charCodeAt(0), text.charCodeAt(1)];
  for (let at = 2; at < text.length; at += 1) {
    const three = text.charCodeAt(at);
    const slot = slotOf(one, two, three);
    index[slot >> 3] = (index[slot >> 3] ?? 0) | (1 << (slot & 7));
    one = two;
    two = three;
  }
  return index;
}

function isIndexed(index: Uint8Array, word: string): boolean {
  for (let at = 2; at < word.length; at += 1) {
    const slot = slotOf(word.charCodeAt(at - 2), word.charCodeAt(at - 1), word.charCodeAt(at));
    if (((index[slot >> 3] ?? 0) & (1 << (slot & 7))) === 0) return false;
  }
  return true;
}

const slotOf = (one: number, two: number, three: number): number =>
  (one * 1031 + two * 37 + three * 3 + (one >> 5)) & (SLOTS - 1);

const SLOTS = 65_536;
const WORTH_AN_INDEX = 256;

/** Lower case in which every character keeps its place; the two letters that fold to a Latin one by rule do so here. */
export function lowered(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.replace(UPPER, (letter) => {
    const lower = letter === 'ſ' ? 's' : letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });
}

// eslint-disable-next-line no-control-regex
const NOT_ASCII = /[^\u0000-\u007f]/;
const UPPER = /\p{Lu}|ſ/gu;
