import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { delimiter, join, resolve, sep } from 'node:path';

/** A symbolic link on the way to a path, and its target. */
export type SymbolicLink = readonly [path: string, target: string];

/** Whether a path is a folder or inside it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === sep ? sep : folder + sep);

/** Whether a path is one of the folders or inside one of them. */
export const isWithinAny = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isWithin(path, folder));

/** The path of a program on PATH; undefined where it is not installed. */
export const findOnPath = (name: string, path = ''): string | undefined =>
  path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

/** The kernel follows at most this many links. */
const MOST_LINKS = 40;

/** The symbolic links on the way to a path, so that the cage can recreate them over real paths. */
export function listLinks(path: string): readonly SymbolicLink[] {
  const links: SymbolicLink[] = [];
  let at: string = sep;
  const left = path.split(sep).filter((name) => name !== '');
  for (let name = left.shift(); name !== undefined && links.length < MOST_LINKS; name = left.shift()) {
    const next = join(at, name);
    if (lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink() !== true) {
      at = next;
      continue;
    }
    const target = readlinkSync(next);
    links.push([next, target]);
    left.unshift(
      ...resolve(at, target)
        .split(sep)
        .filter((part) => part !== ''),
    );
    at = sep;
  }
  return links;
}
