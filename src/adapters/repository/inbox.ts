import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { RepositoryFacts } from '../../ports/repository.ts';
import { doorTo } from '../door.ts';
import { linkedCheckouts, mainFolder } from './checked-out.ts';
import { commonDirAbove } from './under-way.ts';

/** In the git directory, because every checkout finds it there. */
const FILE = 'andon/inbox';
const LONGEST_PATH = 4096;

/**
 * The checkout whose `_handoff/` is the inbox of a repository, the same one from each of its checkouts: where a watchdog
 * was started last; before the first one, the main checkout (of a bare repository its first work tree).
 */
export function inboxRoot({ root, commonDir }: RepositoryFacts): string {
  const noted = notedRoot(commonDir);
  if (noted !== undefined && isCheckoutOf(noted, commonDir)) return noted;
  return firstCheckout({ root, commonDir });
}

/** Makes a checkout's `_handoff/` the inbox; nothing is noted while it is the one that every checkout goes by anyway. */
export function noteInbox({ root, commonDir }: RepositoryFacts): void {
  const noted = notedRoot(commonDir);
  const isKnown = noted === undefined ? commonDir === join(root, '.git') : noted === root;
  if (!isKnown) doorTo(commonDir).write(FILE, root);
}

function firstCheckout({ root, commonDir }: RepositoryFacts): string {
  const others = linkedCheckouts(commonDir).map(({ folder }) => folder);
  const found = [mainFolder(root, commonDir), ...others].find((folder) => isCheckoutOf(folder, commonDir));
  return found === undefined ? root : realpathSync(found);
}

function notedRoot(commonDir: string): string | undefined {
  const read = doorTo(commonDir).text(FILE, LONGEST_PATH);
  return read.ok && read.value !== undefined && isAbsolute(read.value) ? read.value : undefined;
}

/** A path that is noted may be one of another container, or of a checkout that is gone. */
function isCheckoutOf(folder: string, commonDir: string): boolean {
  try {
    if (!existsSync(join(folder, '.git'))) return false;
    const shared = commonDirAbove(folder);
    return shared !== undefined && realpathSync(shared) === realpathSync(commonDir);
  } catch {
    return false;
  }
}
