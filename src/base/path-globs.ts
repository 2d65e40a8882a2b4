import picomatch from 'picomatch';

/** Whether a path matches a glob of a rule or a waiver; one without a slash counts in every folder. */
export function matchesGlobs(path: string, globs: readonly string[]): boolean {
  return path.length <= LONGEST_PATH && globs.some((glob) => compiled(glob)?.(path) ?? false);
}

/** Why a glob is refused, in one sentence; undefined if it is fine. */
export function checkGlobPattern(glob: string): string | undefined {
  if (glob.trim() === '') return 'The glob is empty: name a file, a folder or `**`.';
  if (glob.length > LONGEST_GLOB) return `The glob is longer than ${LONGEST_GLOB} characters: split it.`;
  if (glob.startsWith('!')) return 'The glob starts with `!`: list what is left out under `exclude_patterns`.';
  if (glob.split('/').includes('..') || glob.startsWith('/'))
    return 'The glob leads out of the project: write it from the root of the repository.';
  if (hasTooManyWildcards(glob)) return `The glob has ${TOO_MANY_WILDCARDS}: split it.`;
  return toMatcher(glob) === undefined ? 'The glob has an open or wrong `[]` or `{}`: close it.' : undefined;
}

/** Limits the cost of one comparison: at worst some 0.2 s on the longest path. */
export function hasTooManyWildcards(glob: string): boolean {
  const count = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;
  const stars = glob.split('/').map((name) => (name === '**' ? 0 : count(name, /\*+/g)));
  const all = stars.reduce((sum, one) => sum + one, 0);
  return (
    count(glob, /\*\*/g) > 3 || Math.max(...stars) > 3 || all > 4 || count(glob, /\{/g) > 3 || count(glob, /,/g) > 60
  );
}

export const TOO_MANY_WILDCARDS =
  'too many wildcards (at most 3 `**`, 3 `*` in a name, 4 `*` in all, 3 `{}` with 60 choices)';

type Matcher = (path: string) => boolean;

/** Compiles a glob whose folders (with a closing `/`) cover everything below them; throws where it is malformed. */
export function compileGlob(glob: string, nocase: boolean): Matcher {
  const beneath = glob.endsWith('/') ? `${glob}**` : glob;
  const plain = beneath.replace(/[()|+$]/g, '\\$&').replaceAll('[!', '[^');
  return picomatch(plain, { dot: true, nocase, noextglob: true, nonegate: true, windows: false, debug: true });
}

function compiled(glob: string): Matcher | undefined {
  const known = COMPILED.get(glob);
  if (known !== undefined || COMPILED.has(glob)) return known;
  if (COMPILED.size >= MOST_COMPILED) COMPILED.clear();
  const made = checkGlobPattern(glob) === undefined ? toMatcher(glob) : undefined;
  COMPILED.set(glob, made);
  return made;
}

function toMatcher(glob: string): Matcher | undefined {
  const bare = glob.startsWith('./') ? glob.slice(2) : glob;
  try {
    const matches = compileGlob(bare, false);
    const isName = !glob.includes('/') && bare !== '**';
    return isName ? (path) => matches(path.slice(path.lastIndexOf('/') + 1, LONGEST_PATH)) : (path) => matches(path);
  } catch {
    return undefined;
  }
}

const COMPILED = new Map<string, Matcher | undefined>();
const MOST_COMPILED = 5000;
const LONGEST_GLOB = 500;
const LONGEST_PATH = 1024;
