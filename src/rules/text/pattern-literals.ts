/** What the pattern package knows of the words that must stand in a text before its pattern can match. */
export interface Prefilter {
  /** 0 nothing, 1 one word, 2 all of, 3 one of. */
  readonly type: number;
  readonly str: string;
  readonly subs: readonly Prefilter[];
}

/** Words of which every match contains at least one, in lower case; undefined if unknown. */
export function literalsOf(prefilter: Prefilter | null): readonly string[] | undefined {
  const found = prefilter === null ? undefined : wordsOf(prefilter);
  if (found === undefined || found.length > MOST_WORDS || found.some(({ length }) => length < SHORTEST))
    return undefined;
  return found;
}

/** Lower case in which every character keeps its place; the two letters that fold to a Latin one by rule do so here. */
export function lowered(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return text.replace(UPPER, (letter) => {
    const lower = letter === 'ſ' ? 's' : letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });
}

function wordsOf({ type, str, subs }: Prefilter): readonly string[] | undefined {
  if (type === 1) return [lowered(str)];
  const parts = subs.map(wordsOf);
  if (type === 3) return parts.every((part) => part !== undefined) ? [...new Set(parts.flat())] : undefined;
  const known = parts.filter((part) => part !== undefined);
  return known.toSorted((one, other) => worth(other) - worth(one))[0];
}

/** Long words are rare ones; of many, one is there soon. */
const worth = (words: readonly string[]): number => Math.min(...words.map(({ length }) => length)) - words.length / 8;

const MOST_WORDS = 64;
const SHORTEST = 2;
// eslint-disable-next-line no-control-regex
const NOT_ASCII = /[^\u0000-\u007f]/;
const UPPER = /\p{Lu}|ſ/gu;
