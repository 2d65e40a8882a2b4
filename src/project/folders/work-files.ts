import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Entries of a shared folder that are inspected, those near its root first: an install changes some of them. */
const MARKED_ENTRIES = 4000;
/** More than any file of test results that people read. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A fingerprint of a folder: names, kinds, sizes and times, level by level, up to a limit. */
export function folderFingerprint(path: string): string {
  const hash = createHash('sha256');
  const folders = [path];
  let seen = 0;
  for (let at = 0; at < folders.length && seen < MARKED_ENTRIES; at += 1) {
    const folder = folders[at] ?? path;
    for (const entry of entriesOf(folder)) {
      seen += 1;
      const stat = lstatSync(join(folder, entry.name), { throwIfNoEntry: false });
      hash.update(`${folder}/${entry.name}\0${stat?.size ?? 0}\0${stat?.mtimeMs ?? 0}\0`);
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
    }
  }
  return hash.digest('hex').slice(0, 32);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return []; // gone, or unreadable: then a gate cannot read it either
  }
}

/** Removes the oldest files of a folder beyond a number; half of it stays. */
export function forgetOldest(folder: string, most: number): void {
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  if (names.length <= most) return;
  const aged = names.map((name) => ({
    name,
    at: lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  for (const { name } of aged.toSorted((a, b) => a.at - b.at).slice(0, names.length - most / 2))
    rmSync(join(folder, name), { force: true });
}

/** Removes what is at a path of a tree, without following a link that leads elsewhere. */
export function clearPlace(folder: string, path: string): void {
  if (isInside(folder, dirname(join(folder, path)))) rmSync(join(folder, path), { recursive: true, force: true });
}

/** The texts of a plain file, or of the `.xml` files in a folder, that code from outside has written; links are not followed. */
export function readInside(folder: string, path: string): readonly string[] {
  const place = join(folder, path);
  if (!isInside(folder, dirname(place))) return [];
  if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return textOf(place, MOST_BYTES);
  const texts: string[] = [];
  let left = MOST_BYTES;
  for (const { name } of entriesOf(place).filter((entry) => entry.isFile() && entry.name.endsWith('.xml'))) {
    const [text] = textOf(join(place, name), left);
    if (text === undefined) return []; // a part of the results is no results
    left -= text.length;
    texts.push(text);
  }
  return texts;
}

function textOf(file: string, most: number): readonly string[] {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= most ? [readFileSync(file, 'utf8')] : [];
}

function isInside(folder: string, path: string): boolean {
  try {
    const [root, real] = [realpathSync(folder), realpathSync(path)];
    return real === root || real.startsWith(root + sep);
  } catch {
    return false;
  }
}
