import { lstatSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { UserGit } from './hindrance.ts';

/** Between which two commits git was, and which of them is to be there now. */
export interface Between {
  readonly from: string;
  readonly to: string;
  readonly wanted: 'from' | 'to';
  /** The files of the change that were as `from` has them. */
  readonly clean: readonly string[];
}

/** Makes the files that git was writing when it died, and their entries in the index, those of the commit that is wanted. */
export async function putBack(git: UserGit, folder: string, { from, to, wanted, clean }: Between): Promise<void> {
  const [is, other] = wanted === 'from' ? [from, to] : [to, from];
  const unlike = async (commit: string): Promise<ReadonlySet<string>> =>
    new Set(split(await git('diff-index', '--cached', '--name-only', '-z', commit)));
  const [unlikeIs, unlikeOther] = [await unlike(is), await unlike(other)];
  const files = (await versionsOf(git, from, to)).filter(({ path }) => clean.includes(path));
  const stale = files.map(({ path }) => path).filter((path) => unlikeIs.has(path) && !unlikeOther.has(path));
  for (let at = 0; at < stale.length; at += MOST_PATHS)
    await git('reset', '--quiet', is, '--', ...stale.slice(at, at + MOST_PATHS).map((path) => `:(top,literal)${path}`));
  for (const versions of files)
    if (!unlikeIs.has(versions.path) || stale.includes(versions.path)) await putFileBack(git, folder, versions, wanted);
}

/** So many paths are named to git at once. */
const MOST_PATHS = 200;

/** The two versions of a file; null where there is none. */
interface Versions {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

async function versionsOf(git: UserGit, from: string, to: string): Promise<readonly Versions[]> {
  const fields = split(await git('diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to));
  const found: Versions[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , before = '', after = ''] = (fields[at] ?? '').split(' ');
    const oid = (id: string): string | null => (/^0+$/.test(id) ? null : id);
    found.push({ path: fields[at + 1] ?? '', from: oid(before), to: oid(after) });
  }
  return found;
}

async function putFileBack(git: UserGit, folder: string, versions: Versions, wanted: 'from' | 'to'): Promise<void> {
  const file = join(folder, versions.path);
  if (!(await isHalfWritten(git, file, versions, wanted))) return;
  if (versions[wanted] === null) rmSync(file, { force: true });
  else await git('checkout-index', '--force', '--', versions.path);
}

/** It is missing, or it is the other version, or what git wrote there, whole or torn; anything else is somebody's edit. */
async function isHalfWritten(git: UserGit, file: string, versions: Versions, wanted: 'from' | 'to'): Promise<boolean> {
  const { path, from, to } = versions;
  const other = wanted === 'from' ? to : from;
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (stat.isDirectory()) return false;
  if (stat.isSymbolicLink()) return other !== null && (await git('cat-file', 'blob', other)) === readlinkSync(file);
  const found = (await git('hash-object', `--path=${path}`, '--', file)).trim();
  if (found === versions[wanted]) return false;
  if (found === other) return true;
  if (to === null) return false;
  const written = await git('cat-file', '--filters', `--path=${path}`, to);
  return written.startsWith(readFileSync(file, 'utf8').replace(/\0+$/, '')); // of what a disk lost, the length may stay
}

const split = (text: string): readonly string[] => text.split('\0').filter((field) => field !== '');
