/** A number as Korean, Chinese and Japanese write it: `75,000`, `5만`, `3만 5천`, `오만`, `五十`, `1.5亿`; undefined where it is none. */
export function asianNumber(written: string): number | undefined {
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  let isOne = false;
  for (const [piece] of written.matchAll(PIECE)) {
    const small = SMALL_SCALES.get(piece);
    const large = LARGE_SCALES.get(piece);
    if (small !== undefined) {
      section += (digit ?? 1) * small;
      digit = undefined;
    } else if (large !== undefined) {
      const so = section + (digit ?? 0);
      total += (so === 0 ? 1 : so) * large;
      section = 0;
      digit = undefined;
    } else {
      if (digit !== undefined) return undefined;
      digit = NUMERALS.get(piece) ?? Number(piece.replaceAll(',', ''));
      if (!Number.isFinite(digit)) return undefined;
    }
    isOne = true;
  }
  return isOne ? total + section + (digit ?? 0) : undefined;
}

/** Where a number that ends at a place begins; at most 40 characters are looked at. */
export function asianNumberBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start < LONGEST && isPart(text.charAt(start - 1))) start -= 1;
  const found = text
    .slice(start, end)
    .replace(/^[\s,.]+/, '')
    .trim();
  // Syllables that are numbers are other things as well: alone they count only with a scale, or as several Chinese ones.
  if (/\d/.test(found)) return found.slice(found.search(/\d/));
  return /[십백천만억十百千万萬亿億]/u.test(found) || /^[零〇一二两兩三四五六七八九]+$/u.test(found) ? found : '';
}

const LONGEST = 40;
const isPart = (char: string): boolean => PARTS.has(char);

const PIECE = /\d+(?:,\d{3})*(?:\.\d+)?|[^\d\s,.]/gu;

const NUMERALS: ReadonlyMap<string, number> = new Map([
  ...Array.from('영일이삼사오육칠팔구', (char, at) => [char, at] as const),
  ...Array.from('零一二三四五六七八九', (char, at) => [char, at] as const),
  ['〇', 0],
  ['两', 2],
  ['兩', 2],
]);
const SMALL_SCALES: ReadonlyMap<string, number> = new Map([
  ['십', 10],
  ['백', 100],
  ['천', 1000],
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
const LARGE_SCALES: ReadonlyMap<string, number> = new Map([
  ['만', 1e4],
  ['억', 1e8],
  ['조', 1e12],
  ['万', 1e4],
  ['萬', 1e4],
  ['亿', 1e8],
  ['億', 1e8],
]);
const PARTS: ReadonlySet<string> = new Set([
  ...Array.from('0123456789,. \u00a0\t'),
  ...NUMERALS.keys(),
  ...SMALL_SCALES.keys(),
  ...LARGE_SCALES.keys(),
]);
