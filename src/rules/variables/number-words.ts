/** Numbers in words, English and German, from one to below a billion: `twenty-five`, `two hundred and fifty`, `fünfzig`. */
export function numberFromWords(words: readonly string[]): number | undefined {
  let total = 0;
  let section = 0;
  let isOne = false;
  for (const word of words) {
    if (FILLERS.has(word)) continue;
    const small = SMALL.get(word);
    const large = LARGE.get(word);
    if (small !== undefined) section += small;
    else if (word === 'hundred' || word === 'hundert') section = (section === 0 ? 1 : section) * 100;
    else if (large !== undefined) {
      total += (section === 0 ? 1 : section) * large;
      section = 0;
    } else return undefined;
    isOne = true;
  }
  return isOne ? total + section : undefined;
}

/** Whether a word can be a part of a number. */
export const isNumberWord = (word: string): boolean =>
  SMALL.has(word) || LARGE.has(word) || FILLERS.has(word) || word === 'hundred' || word === 'hundert';

/** Whether a word says a number by itself, so that one may begin or end with it. */
export const saysNumber = (word: string): boolean => isNumberWord(word) && !FILLERS.has(word);

const FILLERS: ReadonlySet<string> = new Set(['and', 'a', 'an', '-']);
const LARGE: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['tausend', 1e3],
  ['million', 1e6],
  ['millionen', 1e6],
  ['billion', 1e9],
]);

const ENGLISH =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const GERMAN =
  'null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn';
const GERMAN_TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig';

const SMALL: ReadonlyMap<string, number> = new Map([
  ...ENGLISH.split(' ').map((word, at) => [word, at] as const),
  ...ENGLISH_TENS.split(' ').map((word, at) => [word, 20 + 10 * at] as const),
  ...germanBelowAHundred(),
  ...[...germanBelowAHundred()].map(([word, value]) => [`hundert${word}`, 100 + value] as const),
  ...GERMAN.split(' ')
    .slice(1, 10)
    .map((word, at) => [`${word}hundert`, 100 * (at + 1)] as const),
  ...GERMAN.split(' ')
    .slice(1, 13)
    .map((word, at) => [`${word}tausend`, 1000 * (at + 1)] as const),
]);

function germanBelowAHundred(): readonly (readonly [string, number])[] {
  const small = GERMAN.split(' ').map((word, at) => [word, at] as const);
  const tens = GERMAN_TENS.split(' ').map((word, at) => [word, 20 + 10 * at] as const);
  const joined = tens.flatMap(([ten, base]) =>
    small.slice(1, 10).map(([unit, value]) => [`${unit}und${ten}`, base + value] as const),
  );
  return [...small.slice(1), ['eins', 1], ['dreissig', 30], ...tens, ...joined];
}
