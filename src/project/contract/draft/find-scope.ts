import { isFolderOf, isAmong, unique } from './path-lists.ts';
import { readNamedPaths } from './read-named-paths.ts';

/** The files and folders that a sentence is about. */
export interface FoundScope {
  /** Empty where the sentence names only others. */
  readonly paths: readonly string[];
  /** What the sentence names but does not clearly want changed. */
  readonly others: readonly string[];
  /** The sentence clearly wants them changed; otherwise they are a guess. */
  readonly isNamed: boolean;
  /** The reason, in a phrase. */
  readonly why: string;
}

/** More than this is no scope but a guess. */
const MOST_PATHS = 5;

/**
 * The scope of a task from its sentence: the tracked files that it names and wants changed; else those whose whole name is
 * in it; else those whose path has the most of its words;
 * else, with their texts, those that define a name with the most of its words. Tests of these files belong to it, but tests
 * and examples alone are no scope: the code that they use would be missing. Undefined where nothing is found, or too much.
 * `isGuarded` files, which decide over gates, belong to it only where the sentence names nothing else.
 */
export function findScope(
  sentence: string,
  tracked: readonly string[],
  texts: ReadonlyMap<string, string> = new Map(),
  isGuarded?: (path: string) => boolean,
): FoundScope | undefined {
  const { wanted, others, isSure, wish } = readNamedPaths(sentence, tracked, isGuarded);
  const files = tracked.filter((path) => !isAmong(others, path));
  if (wanted.length > 0) {
    const paths = isAboutTests(sentence, wish) ? wanted : withTests(wanted, files);
    const tests = paths.length > wanted.length ? ', and its tests' : '';
    return { paths, others, isNamed: isSure, why: `named in the sentence${tests}` };
  }
  if (others.some((path) => tracked.includes(path))) return { paths: [], others, isNamed: false, why: '' };
  const guessed = files.filter((path) => isGuarded?.(path) !== true);
  const found = guessScope(wish, guessed, new Map([...texts].filter(([path]) => guessed.includes(path))));
  const isMixed = found?.paths.some((path) => others.some((other) => isFolderOf(path, other))) === true;
  if (found !== undefined && !isMixed) return { ...found, others };
  return others.length === 0 ? undefined : { paths: [], others, isNamed: false, why: '' };
}

/** Whether it speaks of tests only where it says what is to be kept. */
const isAboutTests = (sentence: string, wish: string): boolean => MEANS_TESTS.test(sentence) && !MEANS_TESTS.test(wish);

type Guess = Omit<FoundScope, 'others'>;

function guessScope(sentence: string, files: readonly string[], texts: ReadonlyMap<string, string>): Guess | undefined {
  const words = new Set(wordsOf(sentence).filter((word) => word.length > 2 && !COMMON.has(word)));
  const among = (isMeant: (path: string) => boolean): Guess | undefined =>
    findBest(words, files.filter(isMeant), files, (path) => wordsOf(path.replace(/\.\w+$/, ''))) ??
    findBest(words, [...texts.keys()].filter(isMeant), files, (path) =>
      listDefinitions(texts.get(path) ?? '').flatMap(wordsOf),
    );
  const code =
    among((path) => !isTest(path) && !EXAMPLES.test(path)) ??
    (MEANS_TESTS.test(sentence) ? among((path) => !EXAMPLES.test(path)) : undefined);
  if (code === undefined) return undefined;
  const tests = files.filter((path) => isTest(path) && isWhole(path, words) && !isAmong(code.paths, path));
  return tests.length > MOST_PATHS ? code : { ...code, paths: unique([...code.paths, ...tests]) };
}

function findBest(
  words: ReadonlySet<string>,
  among: readonly string[],
  files: readonly string[],
  readWords: (path: string) => readonly string[],
): Guess | undefined {
  const all = among.map((path) => ({ path, found: unique(readWords(path)).filter((word) => words.has(word)) }));
  const whole = all.filter(({ path }) => isWhole(path, words));
  const scored = whole.length > 0 ? whole : all;
  const most = Math.max(0, ...scored.map(({ found }) => found.length));
  const best = scored.filter(({ found }) => found.length === most && most > 0);
  const why = `found by ${unique(best.flatMap(({ found }) => found))
    .map((word) => `"${word}"`)
    .join(', ')}`;
  const paths = unique(best.map(({ path, found }) => folderNamed(path, found) ?? path));
  const outer = paths.filter((path) => !paths.some((other) => other !== path && isFolderOf(other, path)));
  return outer.length === 0 || outer.length > MOST_PATHS
    ? undefined
    : { paths: withTests(outer, files), isNamed: false, why };
}

/** Whether all words of a file's name are among these. */
function isWhole(path: string, words: ReadonlySet<string>): boolean {
  const name = wordsOf(stemOf(path));
  return name.length > 0 && name.every((word) => words.has(word));
}

/** The innermost folder of a path whose own name has one of the words. */
function folderNamed(path: string, words: readonly string[]): string | undefined {
  const folders = path.split('/').slice(0, -1);
  const at = folders.findLastIndex((folder) => wordsOf(folder).some((word) => words.includes(word)));
  return at === -1 ? undefined : `${folders.slice(0, at + 1).join('/')}/`;
}

/** The paths, and the test files that have the name of one of them. */
function withTests(paths: readonly string[], files: readonly string[]): readonly string[] {
  const stems = new Set(
    files
      .filter((file) => isAmong(paths, file))
      .map(stemOf)
      .filter((stem) => !COMMON.has(stem)),
  );
  const tests = files.filter((file) => !isAmong(paths, file) && TEST.test(baseOf(file)) && stems.has(stemOf(file)));
  return tests.length > MOST_PATHS ? paths : [...paths, ...tests];
}

const TEST = /^test_|[._-](?:test|spec)\./;

/** Folders whose files use the code of a project. */
const TESTS = /(?:^|\/)(?:__tests__|tests?|specs?)\//;
const EXAMPLES = /(?:^|\/)(?:examples?|demos?|benches|bench(?:mark)?s?|fixtures)\//;

const MEANS_TESTS = /\b(?:tests?|specs?)\b/i;

const isTest = (path: string): boolean => TEST.test(baseOf(path)) || TESTS.test(path);

const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const stemOf = (path: string): string =>
  baseOf(path)
    .replace(/^test_|[._-](?:test|spec)(?=\.)/, '')
    .replace(/\..*$/, '');

/** The names that a text in a usual language defines. */
const listDefinitions = (text: string): readonly string[] =>
  [
    ...text.matchAll(
      /\b(?:function|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|module)[ *]+([A-Za-z_]\w*)|\bexports\.([A-Za-z_]\w*) *=|^([A-Za-z_]\w*) *=(?!=)/gm,
    ),
  ].map(([, name, exported, assigned]) => name ?? exported ?? assigned ?? '');

/** The words of a sentence, a path or a name (`formatDate`), in lower case and the singular. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
    .map((word) => word.replace(/ies$/, 'y').replace(/(?<=..[^s])s$/, ''));

/** Words that say nothing about the place. */
const COMMON = new Set(
  wordsOf(
    'the and are for with from into that this these those not all any each every when where which who how must should shall can may will has have had was were been its their our your add new use make fix show shown change set get let one two more most also only than then there out src lib code file files work works index main test spec helper util type',
  ),
);
