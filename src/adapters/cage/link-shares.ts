import { existsSync, lstatSync, mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CagedCommand } from '../../ports/cage.ts';

/** Shows shared folders in a tree as symbolic links, for a cage without mounts. */
export function linkShares({ tree, share }: CagedCommand): void {
  for (const [from, path] of share) {
    const link = join(tree, path);
    if (leadsAway(tree, path)) continue; // a folder on the way is a link
    if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(link);
    if (existsSync(link)) continue; // existing files stay
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(from, link);
  }
}

/** Whether a folder on the way to `path` is a symbolic link, which makes the path lead out of the tree. */
function leadsAway(tree: string, path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.some((_, index) =>
    lstatSync(join(tree, ...folders.slice(0, index + 1)), { throwIfNoEntry: false })?.isSymbolicLink(),
  );
}
