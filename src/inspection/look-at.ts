import { lstatSync } from 'node:fs';
import type { Stats } from 'node:fs';

/** What stands at a path, a link as a link; undefined where nothing does, also because the way there leads through a file. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
