import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from './resolve-path.ts';
import type { CagedCommand } from '../cage.ts';

/** Shows shared folders in a tree as symbolic links, for a cage without mounts. */
export function linkShares({ tree, share }: CagedCommand): void {
  for (const [from, path] of share) {
    const link = join(tree, path);
    if (hasLinkOnTheWay(tree, path)) continue;
    if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(link);
    if (existsSync(link)) continue; // existing files stay
    mkdirSync(dirname(link), { recursive: true });
    if (statSync(from).isDirectory() && hasLinksOut(from, from)) linkEntries(from, link);
    else symlinkSync(from, link);
  }
}

/** Whether a folder of packages has links to folders beside it, as those to the packages of a workspace are. */
function hasLinksOut(folder: string, shared: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return !isWithin(resolve(folder, readlinkSync(path)), shared);
    return entry.isDirectory() && entry.name.startsWith('@') && hasLinksOut(path, shared);
  });
}

/** A folder with a link for each entry. Copied links lead to the packages of this tree, not of the one that was prepared. */
function linkEntries(from: string, folder: string): void {
  mkdirSync(folder);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, link] = [join(from, entry.name), join(folder, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), link);
    else if (entry.isDirectory() && entry.name.startsWith('@')) linkEntries(source, link);
    else symlinkSync(source, link);
  }
}

/** Whether a folder on the way to `path` is a symbolic link, which makes the path lead out of the tree. */
function hasLinkOnTheWay(tree: string, path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.some((_, index) =>
    lstatSync(join(tree, ...folders.slice(0, index + 1)), { throwIfNoEntry: false })?.isSymbolicLink(),
  );
}
