import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { failure, success, type Outcome } from '../../base/outcome.ts';

/** Read, write and enter, for the owner: needed to list and empty a folder. */
const OWNER = 0o700;

/**
 * Removes every `.git` (folder, file or link, in any letter case) from a tree that untrusted code wrote. Otherwise git
 * would run the filters and hooks of a nested repository outside the cage, as the user. Folders without permissions get
 * the owner's back. Links are not followed; no other process may write there meanwhile. Returns the folders that were
 * repositories, relative to the tree ('' = the tree itself), or why a folder cannot be read.
 */
export function removeNestedGit(
  tree: string,
): Outcome<readonly string[], { readonly path: string; readonly reason: string }> {
  const repositories: string[] = [];
  const waiting = [''];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const folder = join(tree, path);
    try {
      const { mode } = lstatSync(folder);
      if ((mode & OWNER) !== OWNER) chmodSync(folder, (mode & 0o777) | OWNER);
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const below = path === '' ? entry.name : `${path}/${entry.name}`;
        if (entry.name.toLowerCase() === '.git') {
          repositories.push(path);
          if (entry.isDirectory()) unlock(join(tree, below));
          rmSync(join(tree, below), { recursive: true, force: true });
        } else if (entry.isDirectory()) waiting.push(below);
      }
    } catch (error) {
      return failure({ path, reason: (error as NodeJS.ErrnoException).code ?? String(error) });
    }
  }
  return success([...new Set(repositories)]);
}

/** Restores the owner's rights of every folder below, so that it can be removed. */
function unlock(folder: string): void {
  chmodSync(folder, OWNER);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) unlock(join(folder, entry.name));
}
