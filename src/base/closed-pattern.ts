import { classifyPath, isProtected } from './paths.ts';
import type { ProtectedChange } from './protected-paths.ts';

/**
 * Whether a pattern of `allowed_paths` opens no file, because all its matches are protected; `isFolder` tells it for a
 * pattern without wildcards.
 */
export function matchesOnlyProtected(pattern: string, isFolder: boolean, protectedPaths?: ProtectedChange): boolean {
  const bare = pattern.startsWith('./') ? pattern.slice(2) : pattern;
  if (!isProtected(withoutWildcards(bare), protectedPaths)) return false;
  const isOneFile = !WILDCARD.test(bare) && !bare.endsWith('/') && !isFolder;
  return !isOneFile || classifyPath(bare, { allowedPaths: [bare], forbiddenPaths: [], protectedPaths }) !== 'allowed';
}

/** Whether `forbidden_paths` exclude everything that a pattern of `allowed_paths` opens, judged by samples. */
export function isTakenBack(pattern: string, isFolder: boolean, forbiddenPaths: readonly string[]): boolean {
  const bare = pattern.startsWith('./') ? pattern.slice(2) : pattern;
  const isOneFile = !WILDCARD.test(bare) && !bare.endsWith('/') && !isFolder;
  const under = isOneFile ? [bare] : SAMPLES.map((name) => samplePath(bare, name));
  const scope = { allowedPaths: [pattern], forbiddenPaths };
  return under.every((path) => classifyPath(path, scope) === 'forbidden');
}

/** Names, endings and depths that no list of forbidden paths matches by chance. */
const SAMPLES = ['anyname', 'Other9.xyz', 'folder/within/Other9.xyz'];

function samplePath(pattern: string, name: string): string {
  const segments = pattern.replace(/\/$/, '').split('/');
  const isOpenEnded = !WILDCARD.test(segments.at(-1) ?? '');
  return [...segments.map((segment) => (WILDCARD.test(segment) ? name : segment)), ...(isOpenEnded ? [name] : [])].join(
    '/',
  );
}

/** A path under the pattern that is protected only where the pattern spells out a protected name. */
const withoutWildcards = (pattern: string): string =>
  pattern
    .split('/')
    .map((segment) => (segment === '' || WILDCARD.test(segment) ? 'any' : segment))
    .join('/');

const WILDCARD = /[*?[\]{}]/;
