/** The files that a sentence is about. */
export interface FoundScope {
  readonly paths: readonly string[];
  /** `named`: the sentence holds their names; `alike`: their names hold its words, which is a guess. */
  readonly by: 'named' | 'alike';
}

/** With more files of the same rank, the sentence says too little. */
const MOST = 6;

/**
 * Finds the tracked files that a sentence is about: those that it names, else those whose own names have most of its
 * words. Undefined where no file or too many would fit.
 */
export function findScope(sentence: string, files: readonly string[]): FoundScope | undefined {
  const named = findNamed(sentence, files);
  if (named.length > 0) return { paths: named, by: 'named' };
  const words = new Set(splitWords(sentence).filter((word) => word.length >= 3 && !COMMON.has(word)));
  const ranked = files.flatMap((path) => {
    const rank = rankOf(path, words);
    return rank === 0 ? [] : [{ path, rank }];
  });
  const highest = Math.max(0, ...ranked.map(({ rank }) => rank));
  const best = ranked.filter(({ rank }) => rank === highest).map(({ path }) => path);
  return best.length === 0 || best.length > MOST ? undefined : { paths: best, by: 'alike' };
}

/** A path of the repository, or the end of exactly one; folders end in `/`. */
function findNamed(sentence: string, files: readonly string[]): readonly string[] {
  const typed = sentence.match(/[\w@.+/-]*[\w/]/g)?.filter((word) => /[./]/.test(word)) ?? [];
  const found = typed.flatMap((word) => {
    const name = word.replace(/^\.\//, '');
    if (name.endsWith('/')) return files.some((path) => path.startsWith(name)) ? [name] : [];
    const fits = files.filter((path) => path === name || path.endsWith(`/${name}`));
    return fits.includes(name) ? [name] : fits.length === 1 ? fits : [];
  });
  return [...new Set(found)];
}

/** How many words the file's name has, and those of its folders at half the weight; 0 without one in its own name. */
function rankOf(path: string, words: ReadonlySet<string>): number {
  const at = path.lastIndexOf('/') + 1;
  const count = (text: string): number => new Set(splitWords(text).filter((word) => words.has(word))).size;
  const own = count(path.slice(at).replace(/\.\w+$/, ''));
  return own === 0 ? 0 : 2 * own + count(path.slice(0, at));
}

/** Words in lower case without a plural's ending; `camelCase`, `snake_case` and paths are split. */
const splitWords = (text: string): readonly string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => (word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word));

/** Words of many sentences and many files, which tell nothing. */
const COMMON = new Set(
  'the and for with from into that this are not all any has have its new use add make show shown must should when each one can test spec index main file code line src lib doc app util helper type'.split(
    ' ',
  ),
);
