import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The entry at a path, without following links; undefined if it is absent or a parent is a file. */
export function statPath(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The real path of what may not be there yet: of the part that is. */
export function resolveReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(resolveReal(dirname(path)), basename(path));
  }
}
