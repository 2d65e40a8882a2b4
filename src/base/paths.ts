import { compileGlob, hasTooManyWildcards, TOO_MANY_WILDCARDS } from './path-globs.ts';
import { foldPath, listPathSpellings, stripPathTail } from './path-spellings.ts';
import { isDotGit, isNeverOpen, isProtectedSpelling, type ProtectedChange } from './protected-paths.ts';

/** Where a task may write; forbidden wins over allowed. */
export interface PathScope {
  readonly allowedPaths: readonly string[];
  readonly forbiddenPaths: readonly string[];
  /** The changes to the list of protected files. */
  readonly protectedPaths?: ProtectedChange | undefined;
}

/** The scope's answer about a path; only `allowed` may be written. */
type ScopeAnswer = 'allowed' | 'outside' | 'forbidden' | 'protected';

/** Why a path from the repository's root must not be written, in one sentence; undefined if it is safe. */
export function checkPath(path: string): string | undefined {
  const unsafe = checkNamedPath(path);
  if (unsafe !== undefined) return unsafe;
  if (path.includes('\t')) return 'The path holds a tab; use plain characters.';
  if (path.startsWith('-')) return 'The path starts with `-`, which commands read as an option; choose another name.';
  if (path !== path.normalize('NFC')) return 'The path is not in normal form (NFC); write its letters composed.';
  return path.split('/').some((segment) => segment !== stripPathTail(segment))
    ? 'The path has a name that ends with a dot or a blank; remove it.'
    : undefined;
}

/**
 * The same for a path that a person named exactly, in which oddities are intended: a leading `-`, a tab, uncomposed
 * letters, or a blank at the end of a name.
 */
export function checkNamedPath(path: string): string | undefined {
  if (path === '') return 'The path is empty; name a file from the root of the repository.';
  if (path.length > 4096) return 'The path is longer than 4096 characters; use a shorter one.';
  if (!path.isWellFormed() || INVISIBLE.test(path.replaceAll('\t', '')))
    return 'The path holds control characters; use plain ones.';
  if (ABSOLUTE.test(path)) return 'The path does not start at the root of the repository; leave out what leads there.';
  if (path.includes('\\')) return 'The path holds a backslash; separate folders with `/`.';
  if (path.includes(':')) return 'The path holds a colon, which can mean a drive or a stream; leave it out.';
  for (const segment of path.split('/')) {
    const fault = checkSegment(segment);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** The same for a path that a task writes: exact names in `allowed_paths` come from a person. */
export const checkWrittenPath = (path: string, scope: Pick<PathScope, 'allowedPaths'>): string | undefined =>
  isNamedExactly(path, scope) ? checkNamedPath(path) : checkPath(path);

/** Whether `allowed_paths` names exactly this path. */
export const isNamedExactly = (path: string, { allowedPaths }: Pick<PathScope, 'allowedPaths'>): boolean =>
  allowedPaths.some((pattern) => withoutDot(pattern) === path);

/** Whether a path is a protected file in any spelling, and so closed even inside allowed paths. */
export function isProtected(path: string, change?: ProtectedChange): boolean {
  const facts = factsOf(path);
  if (change === undefined) return facts.isProtected;
  const more = patternsOf(change.more, true);
  return facts.spellings.some((spelling) => isProtectedSpelling(spelling, change.less) || matches(spelling, more));
}

/** The verdict of the contract's patterns and the protected list on a path. */
export function classifyPath(path: string, scope: PathScope): ScopeAnswer {
  if (path.length > 4096) return 'outside';
  const forbidden = patternsOf(scope.forbiddenPaths, true);
  const facts = factsOf(path);
  if (facts.spellings.some((spelling) => matches(spelling, forbidden))) return 'forbidden';
  if (isProtected(path, scope.protectedPaths) && !isNamed(path, scope)) return 'protected';
  const allowed =
    matches(facts.folded, patternsOf(scope.allowedPaths, false)) && checkWrittenPath(path, scope) === undefined;
  return allowed ? 'allowed' : 'outside';
}

/**
 * Where a path leads that `checkPath` refuses; undefined if it only misspells a file of the scope. `..` and what makes a
 * path absolute are resolved as the repository's root would.
 */
export function classifyRefusedPath(path: string, scope: PathScope): Exclude<ScopeAnswer, 'allowed'> | undefined {
  const segments: string[] = [];
  for (const segment of path.replace(ABSOLUTE, '').split(/[\\/]/)) {
    if (segment === '..' && segments.pop() === undefined) return 'outside';
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(segment);
  }
  const meant = segments.join('/');
  const answer = classifyPath(meant, scope);
  if (answer === 'forbidden' || answer === 'protected') return answer;
  const leadsAway = ABSOLUTE.test(path) || path.split(/[\\/]/).includes('..');
  return leadsAway && !mayBeAllowed(meant, scope) ? 'outside' : undefined;
}

/** Whether a path could be allowed: a quick test for every file of a repository. */
export const mayBeAllowed = (path: string, { allowedPaths }: PathScope): boolean =>
  path.length <= 4096 && matches(factsOf(path).folded, patternsOf(allowedPaths, false));

/** Why a pattern of `allowed_paths` or `forbidden_paths` is refused, in one sentence; undefined if it is fine. */
export function checkPattern(pattern: string): string | undefined {
  if (pattern.length > 1000) return 'The pattern is longer than 1000 characters; split it.';
  if (pattern !== pattern.trim()) return 'The pattern begins or ends with blanks; remove them.';
  if (pattern.startsWith('!')) return 'The pattern starts with `!`; put what is excluded into `forbidden_paths`.';
  if (REGEX_LIKE.test(pattern)) return 'The pattern is a regular expression; use only `*`, `**`, `?`, `[]`, `{}`.';
  const bare = withoutDot(pattern);
  if (bare === '') return 'The pattern names nothing; name a file, a folder ending in `/`, or `**` for everything.';
  const isExact = !GLOB.test(bare) && !bare.endsWith('/');
  const fault = isExact ? checkNamedPath(bare) : checkPath(bare.replace(/\/$/, '').replace(/[*?]/g, '_'));
  if (fault !== undefined && fault !== INTO_GIT) return fault.replace('The path', 'The pattern');
  return GLOB.test(bare) ? checkGlob(bare) : undefined;
}

// One segment of a path.

function checkSegment(segment: string): string | undefined {
  if (segment === '') return 'The path has an empty folder name (`//`, or a `/` at its end); name a file.';
  if (segment === '.' || segment === '..') return 'The path holds `.` or `..`; name the file from the root.';
  if (segment.length > 255) return 'The path has a name longer than 255 characters; use a shorter one.';
  if (listPathSpellings(segment).some(isDotGit)) return INTO_GIT;
  if (DEVICE.test(segment)) return 'The path has a name that Windows reserves for a device; choose another name.';
  return undefined;
}

// Facts about a path that no contract changes. Cached, because every path of a repository is checked repeatedly.

interface PathFacts {
  readonly folded: string;
  readonly spellings: readonly string[];
  readonly isProtected: boolean;
}

function factsOf(path: string): PathFacts {
  const known = FACTS.get(path);
  if (known !== undefined) return known;
  const ways = listPathSpellings(path);
  const facts = { folded: foldPath(path), spellings: ways, isProtected: ways.some((way) => isProtectedSpelling(way)) };
  if (FACTS.size >= MOST_FACTS) FACTS.clear();
  FACTS.set(path, facts);
  return facts;
}

/** A protected file is open only if the contract names exactly it; git's, the line's and andon's own never are. */
function isNamed(path: string, scope: PathScope): boolean {
  const isOwn = listPathSpellings(path).some((spelling) => isNeverOpen(spelling.split('/')));
  return !isOwn && isNamedExactly(path, scope);
}

interface Patterns {
  /** Folded files and folders (with a closing `/`), each covering everything below it. */
  readonly literal: ReadonlySet<string>;
  /** The same as folders, each with its closing `/`. */
  readonly folders: readonly string[];
  /** Names that count in every folder. */
  readonly names: ReadonlySet<string>;
  readonly globs: readonly ((path: string) => boolean)[];
}

function matches(path: string, patterns: Patterns): boolean {
  if (patterns.literal.has(path)) return true;
  if (patterns.names.size > 0 && path.split('/').some((segment) => patterns.names.has(segment))) return true;
  if (patterns.folders.length <= FEW_FOLDERS) {
    for (const folder of patterns.folders) if (path.startsWith(folder)) return true;
  } else if (isInsideAny(path, patterns.literal)) return true;
  return patterns.globs.some((glob) => glob(path));
}

function isInsideAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (folders.has(path.slice(0, at)) || folders.has(path.slice(0, at + 1))) return true;
  return false;
}

/** Compiles each list once; a pattern that `checkPattern` refuses allows nothing and forbids everything. */
function patternsOf(written: readonly string[], forbids: boolean): Patterns {
  const store = forbids ? FORBIDDEN : ALLOWED;
  const known = store.get(written);
  if (known !== undefined) return known;
  const literal = new Set<string>();
  const names = new Set<string>();
  const globs: ((path: string) => boolean)[] = [];
  for (const pattern of written) {
    const bare = foldPath(withoutDot(pattern));
    const everywhere = forbids && !bare.includes('/');
    if (checkPattern(pattern) !== undefined) {
      if (forbids) globs.push(() => true);
      continue;
    }
    (everywhere ? names : literal).add(bare);
    if (GLOB.test(bare)) globs.push(bounded(everywhere ? matchesAnyPart(compile(bare)) : compile(bare), forbids));
  }
  const folders = [...literal].map((path) => (path.endsWith('/') ? path : `${path}/`));
  const patterns = { literal, folders, names, globs };
  store.set(written, patterns);
  return patterns;
}

const matchesAnyPart = (glob: (path: string) => boolean) => (path: string) =>
  path.split('/').some((name) => glob(name));

/** A path too long to be compared in bounded time gets the safe answer: not allowed, but forbidden. */
const bounded = (glob: (path: string) => boolean, forbids: boolean) => (path: string) =>
  path.length > 1024 ? forbids : glob(path);

const compile = (glob: string): ((path: string) => boolean) => compileGlob(glob, true);

function checkGlob(glob: string): string | undefined {
  if (hasTooManyWildcards(glob)) return `The pattern has ${TOO_MANY_WILDCARDS}; split it.`;
  if (glob.includes('..')) return 'The pattern holds a range (`..`); list the names.';
  try {
    compile(foldPath(glob));
    return undefined;
  } catch {
    return 'The pattern has an open or wrong `[]` or `{}`; close it.';
  }
}

const withoutDot = (pattern: string): string => (pattern.startsWith('./') ? pattern.slice(2) : pattern);

const INTO_GIT = 'The path leads into `.git`, which no task may touch.';
/** Up to this many folders are compared one by one; with more, a path's parents are looked up. */
const FEW_FOLDERS = 16;
const FACTS = new Map<string, PathFacts>();
const MOST_FACTS = 100_000;
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const ABSOLUTE = /^(?:[/~]|\\\\|[a-z]:|file:)/i;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;
const REGEX_LIKE = /[@!+?*]\(|\)[+*?{]|\(\?|\([^)]*\|/;
const GLOB = /[*?[\]{}]/;
const ALLOWED = new WeakMap<readonly string[], Patterns>();
const FORBIDDEN = new WeakMap<readonly string[], Patterns>();

/**
 * Whether a pattern of `allowed_paths` opens no file, because all its matches are protected; `isFolder` tells it for a
 * pattern without wildcards.
 */
export function matchesOnlyProtected(pattern: string, isFolder: boolean, protectedPaths?: ProtectedChange): boolean {
  const bare = withoutDot(pattern);
  if (!isProtected(withoutWildcards(bare), protectedPaths)) return false;
  const isOneFile = !GLOB.test(bare) && !bare.endsWith('/') && !isFolder;
  return !isOneFile || classifyPath(bare, { allowedPaths: [bare], forbiddenPaths: [], protectedPaths }) !== 'allowed';
}

/** Whether `forbidden_paths` exclude everything that a pattern of `allowed_paths` opens, judged by samples. */
export function isTakenBack(pattern: string, isFolder: boolean, forbiddenPaths: readonly string[]): boolean {
  const bare = withoutDot(pattern);
  const isOneFile = !GLOB.test(bare) && !bare.endsWith('/') && !isFolder;
  const under = isOneFile ? [bare] : SAMPLES.map((name) => samplePath(bare, name));
  const scope = { allowedPaths: [pattern], forbiddenPaths };
  return under.every((path) => classifyPath(path, scope) === 'forbidden');
}

/** Names, endings and depths that no list of forbidden paths matches by chance. */
const SAMPLES = ['anyname', 'Other9.xyz', 'folder/within/Other9.xyz'];

function samplePath(pattern: string, name: string): string {
  const segments = pattern.replace(/\/$/, '').split('/');
  const isOpenEnded = !GLOB.test(segments.at(-1) ?? '');
  return [...segments.map((segment) => (GLOB.test(segment) ? name : segment)), ...(isOpenEnded ? [name] : [])].join(
    '/',
  );
}

/** A path under the pattern that is protected only where the pattern spells out a protected name. */
const withoutWildcards = (pattern: string): string =>
  pattern
    .split('/')
    .map((segment) => (segment === '' || GLOB.test(segment) ? 'any' : segment))
    .join('/');
