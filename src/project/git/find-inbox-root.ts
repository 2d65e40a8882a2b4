import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { RepositoryFacts } from './repository-facts.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { listLinkedCheckouts, getMainFolder } from './checked-out.ts';
import { findCommonDir } from './operation-in-progress.ts';

/** In the git directory, where every checkout finds it. */
const FILE = 'andon/inbox';
const LONGEST_PATH = 4096;

/**
 * The checkout whose `_handoff/` is the inbox of a repository, the same for all its checkouts: the one of the last
 * watchdog; before that the main checkout (for a bare repository its first work tree).
 */
export function findInboxRoot({ root, commonDir }: RepositoryFacts): string {
  const noted = notedRoot(commonDir);
  if (noted !== undefined && isCheckoutOf(noted, commonDir)) return noted;
  return firstCheckout({ root, commonDir });
}

/** Makes a checkout's `_handoff/` the inbox; the default one is not noted. */
export function noteInbox({ root, commonDir }: RepositoryFacts): void {
  const noted = notedRoot(commonDir);
  const isKnown = noted === undefined ? commonDir === join(root, '.git') : noted === root;
  if (!isKnown) openDir(commonDir).write(FILE, root);
}

function firstCheckout({ root, commonDir }: RepositoryFacts): string {
  const others = listLinkedCheckouts(commonDir).map(({ folder }) => folder);
  const found = [getMainFolder(root, commonDir), ...others].find((folder) => isCheckoutOf(folder, commonDir));
  return found === undefined ? root : realpathSync(found);
}

function notedRoot(commonDir: string): string | undefined {
  const read = openDir(commonDir).text(FILE, LONGEST_PATH);
  return read.ok && read.value !== undefined && isAbsolute(read.value) ? read.value : undefined;
}

/** A noted path may belong to another container, or to a deleted checkout. */
function isCheckoutOf(folder: string, commonDir: string): boolean {
  try {
    if (!existsSync(join(folder, '.git'))) return false;
    const shared = findCommonDir(folder);
    return shared !== undefined && realpathSync(shared) === realpathSync(commonDir);
  } catch {
    return false;
  }
}
