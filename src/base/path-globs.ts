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
  const stars = glob.split('/').map((name) => (name === '**' ? 0 : (name.match(/\*+/g)?.length ?? 0)));
  if (
    (glob.match(/\*\*/g)?.length ?? 0) > 3 ||
    Math.max(...stars) > 3 ||
    stars.reduce((sum, count) => sum + count, 0) > 4
  )
    return 'The glob has too many wildcards (at most 3 `**`, 3 `*` in a name, 4 `*` in all): split it.';
  if ((glob.match(/\{/g)?.length ?? 0) > 3 || (glob.match(/,/g)?.length ?? 0) > 60)
    return 'The glob has too many choices in `{}`: split it.';
  return toMatcher(glob) === undefined ? 'The glob has an open or wrong `[]` or `{}`: close it.' : undefined;
}

type Matcher = (path: string) => boolean;

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
  const beneath = bare.endsWith('/') ? `${bare}**` : bare;
  const plain = beneath.replace(/[()|+$]/g, '\\$&').replaceAll('[!', '[^');
  try {
    const matches = picomatch(plain, { dot: true, noextglob: true, nonegate: true, windows: false, debug: true });
    const isName = !glob.includes('/') && plain !== '**';
    return isName ? (path) => matches(path.slice(path.lastIndexOf('/') + 1, LONGEST_PATH)) : (path) => matches(path);
  } catch {
    return undefined;
  }
}

const COMPILED = new Map<string, Matcher | undefined>();
const MOST_COMPILED = 5000;
const LONGEST_GLOB = 500;
const LONGEST_PATH = 1024;
