import { listFolders } from '../../src/base/list-folders.ts';
import { foldPath } from '../../src/base/path-spellings.ts';

/** The files and folders among these that differ from a path in nothing but their spelling, found by looking at each. */
export const spelledLike =
  (files: readonly string[]) =>
  (path: string): readonly string[] =>
    [...files, ...listFolders(files)].filter((other) => foldPath(other) === foldPath(path));
