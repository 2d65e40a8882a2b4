import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeEmptyFolder } from '../../base/system/durable.ts';
import { lstatPath } from '../../base/system/safe-fs.ts';
import { foldersAbove } from './make-durable.ts';
import { splitNul, runGit, withUserSettings } from './run-git.ts';
import { openUserGit, type UserGit } from './user-git.ts';
import { findGitDir } from './operation-in-progress.ts';

/** The two commits of an interrupted move, and the one to restore. */
export interface InterruptedCheckout {
  readonly from: string;
  readonly to: string;
  readonly wanted: 'from' | 'to';
  /** The files of the change that had the content of `from`. */
  readonly clean: readonly string[];
  /** A restore was interrupted before: a file that it wrote may be torn. */
  readonly isAgain: boolean;
}

/** Gives the files of an interrupted git, and their index entries, the content of the wanted commit. */
export async function repairCheckout(
  folder: string,
  { from, to, wanted, clean, isAgain }: InterruptedCheckout,
): Promise<void> {
  const ask = openUserGit(folder);
  const [is, other] = wanted === 'from' ? [from, to] : [to, from];
  const unlike = async (commit: string): Promise<ReadonlySet<string>> =>
    new Set(splitNul(await ask('diff-index', '--cached', '--name-only', '-z', commit)));
  const [unlikeIs, unlikeOther] = [await unlike(is), await unlike(other)];
  const files = (await versionsOf(ask, from, to)).filter(({ path }) => clean.includes(path));
  const stale = files.map(({ path }) => path).filter((path) => unlikeIs.has(path) && !unlikeOther.has(path));
  for (let at = 0; at < stale.length; at += MOST_PATHS)
    await ask('reset', '--quiet', is, '--', ...stale.slice(at, at + MOST_PATHS).map((path) => `:(top,literal)${path}`));
  // What goes away goes first: a file may stand where a folder belongs, or the reverse.
  for (const versions of files.toSorted((a, b) => Number(a[wanted] !== null) - Number(b[wanted] !== null)))
    if (!unlikeIs.has(versions.path) || stale.includes(versions.path))
      await putFileBack(ask, folder, versions, { wanted, isAgain });
}

/** Paths per git call. */
const MOST_PATHS = 200;

/** The two versions of a file; null where it does not exist. */
interface Versions {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

async function versionsOf(ask: UserGit, from: string, to: string): Promise<readonly Versions[]> {
  const fields = splitNul(await ask('diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to));
  const found: Versions[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , before = '', after = ''] = (fields[at] ?? '').split(' ');
    const oid = (id: string): string | null => (/^0+$/.test(id) ? null : id);
    found.push({ path: fields[at + 1] ?? '', from: oid(before), to: oid(after) });
  }
  return found;
}

type Manner = Pick<InterruptedCheckout, 'wanted' | 'isAgain'>;

async function putFileBack(ask: UserGit, folder: string, versions: Versions, manner: Manner): Promise<void> {
  const file = join(folder, versions.path);
  if (!(await isHalfWritten(ask, folder, versions, manner))) return;
  if (versions[manner.wanted] === null) {
    rmSync(file, { force: true });
    for (const emptied of foldersAbove(file, folder)) removeEmptyFolder(emptied);
  } else await ask('checkout-index', '--force', '--', versions.path);
}

/** Whether a file is missing, has the other version, or has git's content, whole or torn; anything else is an edit. */
async function isHalfWritten(
  ask: UserGit,
  folder: string,
  versions: Versions,
  { wanted, isAgain }: Manner,
): Promise<boolean> {
  const { path, from, to } = versions;
  const file = join(folder, path);
  const other = wanted === 'from' ? to : from;
  if (foldersAbove(file, folder).some((above) => lstatPath(above)?.isDirectory() === false)) return false;
  const stat = lstatPath(file);
  if (stat === undefined) return true;
  if (stat.isDirectory()) return false;
  if (stat.isSymbolicLink()) return other !== null && (await ask('cat-file', 'blob', other)) === readlinkSync(file);
  const found = (await ask('hash-object', `--path=${path}`, '--', file)).trim();
  if (found === versions[wanted]) return false;
  if (found === other) return true;
  const written = [to, ...(isAgain ? [versions[wanted]] : [])];
  for (const oid of written) if (oid !== null && (await beginsLike(folder, path, { oid, file }))) return true;
  return false;
}

/** Whether a file is the beginning of git's content; after a disk loss the length may remain. */
async function beginsLike(
  folder: string,
  path: string,
  { oid, file }: { readonly oid: string; readonly file: string },
): Promise<boolean> {
  const call = { gitDir: findGitDir(folder), workTree: folder, env: withUserSettings() };
  const whole = await runGit(['cat-file', '--filters', `--path=${path}`, oid], call);
  const there = readFileSync(file);
  const length = there.findLastIndex((byte) => byte !== 0) + 1;
  return length <= whole.length && there.subarray(0, length).equals(whole.subarray(0, length));
}
