import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withExistingFolder, syncFolder } from '../../base/system/durable.ts';
import { failpoint } from '../../base/system/failpoints.ts';

/**
 * Takes a file away if it is the expected one; a newer one put in its place stays. False when it is missing or
 * unexpected.
 */
export function takeFile(path: string, isMeant: (aside: string) => boolean): boolean {
  const aside = moveAside(path, isMeant);
  if (aside === undefined) return false;
  rmSync(aside, { force: true });
  return true;
}

/**
 * Renames a file durably, unless the new name is taken: a rename would overwrite it. False, with no effect, when it is
 * missing, unexpected, or the name is taken.
 */
export function moveToFree(from: string, to: string, isMeant: (aside: string) => boolean): boolean {
  const aside = moveAside(from, isMeant);
  if (aside === undefined) return false;
  const isNamed = unlessGone(aside, () => {
    if (!withExistingFolder(to, () => giveFreeName(aside, to))) return false;
    for (const folder of new Set([dirname(to), dirname(from)])) syncFolder(folder);
    return true;
  });
  if (!isNamed) putFileBack(aside, from);
  return isNamed;
}

/** Restores the name of a file that was moved aside; a newer file of that name wins. */
export function putFileBack(aside: string, path: string): void {
  if (!unlessGone(aside, () => giveFreeName(aside, path))) rmSync(aside, { force: true });
}

/** Acts on a file that was moved aside; false also where another process deletes the folder meanwhile. */
function unlessGone(aside: string, act: () => boolean): boolean {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(aside)) return false;
    throw error;
  }
}

/** Moves a file out of reach and only then checks that it is the expected one; undefined when it is not. */
function moveAside(path: string, isMeant: (aside: string) => boolean): string | undefined {
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}.taken`);
  failpoint('file.take.before-rename');
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
  failpoint('file.take.after-rename');
  if (isMeant(aside)) return aside;
  putFileBack(aside, path);
  return undefined;
}

/** Renames without overwriting; false when the name is taken. */
function giveFreeName(aside: string, path: string): boolean {
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(path)) return false;
    renameSync(aside, path); // a file system without hard links
    return true;
  }
  failpoint('file.take.after-link');
  rmSync(aside, { force: true });
  return true;
}

export const removeFolder = (path: string): void => rmSync(path, { recursive: true, force: true });
