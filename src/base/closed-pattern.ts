import { inScope, isProtected } from './paths.ts';
import type { ProtectedChange } from './protected-paths.ts';

/** Whether a pattern of `allowed_paths` opens no file at all, because all that it can name is protected; `isFolder` is the repository's word on a pattern without wildcards. */
export function opensNothing(pattern: string, isFolder: boolean, protectedPaths?: ProtectedChange): boolean {
  const bare = pattern.startsWith('./') ? pattern.slice(2) : pattern;
  if (!isProtected(withoutWildcards(bare), protectedPaths)) return false;
  const isOneFile = !WILDCARD.test(bare) && !bare.endsWith('/') && !isFolder;
  return !isOneFile || inScope(bare, { allowedPaths: [bare], forbiddenPaths: [], protectedPaths }) !== 'allowed';
}

/** Whether `forbidden_paths` take back all that a pattern of `allowed_paths` opens, as far as a few names under it show. */
export function isTakenBack(pattern: string, isFolder: boolean, forbiddenPaths: readonly string[]): boolean {
  const bare = pattern.startsWith('./') ? pattern.slice(2) : pattern;
  const isOneFile = !WILDCARD.test(bare) && !bare.endsWith('/') && !isFolder;
  const under = isOneFile ? [bare] : SAMPLES.map((name) => samplePath(bare, name));
  const scope = { allowedPaths: [pattern], forbiddenPaths };
  return under.every((path) => inScope(path, scope) === 'forbidden');
}

/** A name, an ending and a depth that no list of forbidden paths is likely to mean by chance. */
const SAMPLES = ['anyname', 'Other9.xyz', 'folder/within/Other9.xyz'];

function samplePath(pattern: string, name: string): string {
  const segments = pattern.replace(/\/$/, '').split('/');
  const isOpenEnded = !WILDCARD.test(segments.at(-1) ?? '');
  return [...segments.map((segment) => (WILDCARD.test(segment) ? name : segment)), ...(isOpenEnded ? [name] : [])].join(
    '/',
  );
}

/** One path under the pattern whose names are protected only where the pattern itself spells out a protected name. */
const withoutWildcards = (pattern: string): string =>
  pattern
    .split('/')
    .map((segment) => (segment === '' || WILDCARD.test(segment) ? 'any' : segment))
    .join('/');

const WILDCARD = /[*?[\]{}]/;
