import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncAll } from '../../base/system/durable.ts';
import { lstatPath } from '../../base/system/safe-fs.ts';
import { findGitDir } from './operation-in-progress.ts';

/** Syncs refs that git moved: git syncs their files, not their names. */
export const syncRefs = (commonDir: string, refs: readonly string[]): Promise<void> =>
  syncAll(foldersOfRefs(commonDir, refs));

/** Syncs objects that git unpacked: git syncs their files, not their names. */
export function syncObjects(gitDir: string): Promise<void> {
  const objects = join(gitDir, 'objects');
  const folders = readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name));
  return syncAll([...folders.map((name) => join(objects, name)), objects]);
}

/** Syncs a fast-forward: the files, which git does not sync, their names, the index and the branch. */
export function syncCheckout(
  folder: string,
  commonDir: string,
  ref: string,
  changed: readonly string[],
): Promise<void> {
  const files = changed.map((path) => join(folder, path));
  return syncAll([
    ...files.filter((file) => lstatPath(file)?.isFile()),
    ...files.flatMap((file) => [...foldersAbove(file, folder), folder]),
    ...foldersOfRefs(commonDir, [ref]),
    findGitDir(folder),
  ]);
}

/** Syncs everything in a folder that no process uses yet. */
export const syncTree = (folder: string): Promise<void> =>
  syncAll([folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))]);

const foldersOfRefs = (commonDir: string, refs: readonly string[]): readonly string[] =>
  refs.flatMap((ref) => foldersAbove(join(commonDir, ref), commonDir));

/** The parent folders of a path, below `top`, the deepest first. */
export function foldersAbove(path: string, top: string): readonly string[] {
  const folder = dirname(path);
  return folder.length <= top.length ? [] : [folder, ...foldersAbove(folder, top)];
}
