import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, relative } from 'node:path';
import { CONTRACT_FIELDS } from '../../contract/contract-fields.ts';
import type { PartialDraft } from '../../contract/contract-fields.ts';
import { createUsageError } from '../../base/problem.ts';

/** Where paths are typed, and the root of the repository that they are to be paths from. */
export interface TypedIn {
  readonly cwd: string;
  readonly root: string;
}

/** The draft with its paths from the root of the repository; they were typed relative to the folder of the user. */
export function fromRoot(draft: PartialDraft, where: TypedIn): PartialDraft {
  const isPath = (key: string): boolean =>
    CONTRACT_FIELDS.some((field) => field.key === key && (field.kind === 'path' || field.kind === 'paths'));
  const rooted = (value: string | readonly string[]): string | readonly string[] =>
    typeof value === 'string' ? resolveTypedPath(value, where) : value.map((path) => resolveTypedPath(path, where));
  return Object.fromEntries(
    Object.entries(draft).map(([key, value]) => [
      key,
      isPath(key) ? rooted(value as string | readonly string[]) : value,
    ]),
  );
}

/**
 * A typed path or pattern from the root of the repository. `:/x` begins at the root; a path outside the repository is a
 * Problem. Typed at the root, or in a folder outside the repository (`--project`), it stays unchanged.
 */
export function resolveTypedPath(typed: string, { cwd, root }: TypedIn): string {
  if (typed.startsWith('!')) return typed; // no pattern here; admission says so, whatever the folder
  const named = typed.startsWith(':/') ? join(root, typed.slice(2)) : isAbsolute(typed) ? resolveLinks(typed) : typed;
  const here = relative(root, realpathSync(cwd));
  const isInside = here !== '' && here !== '..' && !here.startsWith('../');
  if (!isAbsolute(named) && !isInside) return typed;
  const path = posix.normalize(isAbsolute(named) ? relative(root, named) || '.' : posix.join(here, named));
  if (path === '..' || path.startsWith('../'))
    throw createUsageError(`${typed} is outside the repository ${root}.`, 'Name a file or folder of the repository.');
  const isFolder = typed === '.' || typed === '..' || /(?:^|\/)\.{0,2}$/.test(typed);
  if (path === '.') return '**';
  return isFolder && !path.endsWith('/') ? `${path}/` : path;
}

/** An absolute path with the links of its folders resolved, as far as they exist: the root is known without links. */
function resolveLinks(path: string): string {
  const folder = dirname(path);
  if (folder === path) return path;
  return join(existsSync(folder) ? realpathSync(folder) : resolveLinks(folder), basename(path));
}
