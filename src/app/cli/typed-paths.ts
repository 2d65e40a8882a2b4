import { realpathSync } from 'node:fs';
import { isAbsolute, posix, relative } from 'node:path';
import { CONTRACT_FIELDS, type PartialDraft } from '../../project/contract/contract-fields.ts';
import { createUsageError } from '../../base/problem.ts';

/** The folder in which paths are typed, and the root of the repository. */
export interface TypedIn {
  readonly cwd: string;
  readonly root: string;
}

/** Turns the paths of a draft, typed relative to the user's folder, into paths from the root of the repository. */
export function fromRoot(draft: PartialDraft, where: TypedIn): PartialDraft {
  const paths = CONTRACT_FIELDS.flatMap(({ key, kind }) =>
    kind === 'path' || kind === 'paths' ? [key as string] : [],
  );
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    return typeof value === 'string' ? resolveTypedPath(value, where) : value;
  };
  return Object.fromEntries(
    Object.entries(draft).map(([key, value]) => [key, paths.includes(key) ? resolve(value) : value]),
  );
}

/**
 * A typed path or pattern from the root of the repository, as with git; one outside of it is a Problem. At the root, and
 * in a folder outside the repository (`--project`), it stays unchanged, as do absolute paths: admission refuses those.
 */
export function resolveTypedPath(typed: string, { cwd, root }: TypedIn): string {
  const here = relative(root, realpathSync(cwd));
  const isInside = here !== '' && here !== '..' && !here.startsWith('../');
  if (!isInside || isAbsolute(typed) || /^[!:]/.test(typed)) return typed;
  const path = posix.join(here, typed);
  if (path === '..' || path.startsWith('../'))
    throw createUsageError(`${typed} is outside the repository ${root}.`, 'Name a file or folder of the repository.');
  if (path === '.' || path === './') return '**';
  const isFolder = /(?:^|\/)\.{0,2}$/.test(typed);
  return isFolder && !path.endsWith('/') ? `${path}/` : path;
}
