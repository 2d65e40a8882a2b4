import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPlain } from '../../base/system/safe-fs.ts';
import { gitText } from './run-git.ts';
import { findGitDir } from './operation-in-progress.ts';

/**
 * A ref's commit from the files of a git directory: null when it does not exist, undefined when git must be asked.
 * Saves a process. A stale answer is harmless, because a ref is only moved from its expected value.
 */
export function readRef(gitDir: string, ref: string): string | null | undefined {
  if (!isPlainRef(ref) || !keepsRefsInFiles(gitDir)) return undefined;
  const loose = readRefFile(join(gitDir, ref));
  if (loose === undefined) return undefined;
  if (loose !== null) return OBJECT_ID.test(loose) ? loose.trim() : undefined;
  const packed = readRefFile(join(gitDir, 'packed-refs')); // read after the loose file: packing writes here first
  if (packed === undefined || packed === null) return packed;
  const at = packed.indexOf(` ${ref}\n`);
  if (at === -1) return null;
  const id = packed.slice(packed.lastIndexOf('\n', at) + 1, at);
  return OBJECT_ID.test(id) ? id : undefined;
}

/** The commit of a ref in a checkout; '' when it does not exist. */
export async function readTip(folder: string, ref: string): Promise<string> {
  const known = readRef(join(folder, '.git'), ref);
  if (typeof known === 'string') return known;
  return gitText(['rev-parse', '--verify', '--quiet', ref], { gitDir: findGitDir(folder), accept: [1] });
}

/** The refs below a folder such as `refs/andon/`, sorted, from files; undefined when git must be asked. */
export function listRefs(
  gitDir: string,
  prefix: string,
): readonly { readonly commit: string; readonly ref: string }[] | undefined {
  if (!keepsRefsInFiles(gitDir) || !prefix.endsWith('/')) return undefined;
  const loose = readLooseRefs(gitDir, prefix);
  const packed = readRefFile(join(gitDir, 'packed-refs')); // read after the loose files: packing writes here first
  if (loose === undefined || packed === undefined) return undefined;
  const rows = (packed ?? '').split('\n').flatMap((row): [string, string][] => {
    const at = row.indexOf(' ');
    return row.startsWith(prefix, at + 1) && OBJECT_ID.test(row.slice(0, at))
      ? [[row.slice(at + 1), row.slice(0, at)]]
      : [];
  });
  const refs = [...new Map([...rows, ...loose])].map(([ref, commit]) => ({ ref, commit }));
  return refs.every(({ ref }) => isPlainRef(ref)) ? refs.toSorted((a, b) => (a.ref < b.ref ? -1 : 1)) : undefined;
}

/** The refs below a folder that have a file of their own; undefined where one is anything but an id. */
function readLooseRefs(gitDir: string, folder: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  if (!existsSync(join(gitDir, folder))) return found;
  try {
    for (const entry of readdirSync(join(gitDir, folder), { withFileTypes: true })) {
      const ref = folder + entry.name;
      const beneath = entry.isDirectory() ? readLooseRefs(gitDir, `${ref}/`) : undefined;
      const id = entry.isFile() ? readRefFile(join(gitDir, ref)) : undefined;
      if (ref.endsWith('.lock') || id === null) continue; // it is being written, or was packed or removed meanwhile
      if (beneath === undefined && !OBJECT_ID.test(id ?? '')) return undefined;
      for (const [name, commit] of beneath ?? [[ref, (id ?? '').trim()] as const]) found.set(name, commit);
    }
  } catch {
    return undefined; // git removes a folder that has become empty
  }
  return found;
}

/** The branch of a symbolic ref such as `refs/remotes/origin/HEAD`; rules as above. */
export function readSymbolicRef(gitDir: string, ref: string): string | null | undefined {
  if (!keepsRefsInFiles(gitDir)) return undefined;
  const found = readRefFile(join(gitDir, ref));
  return found === null ? null : /^ref: (refs\/\S+)\n$/.exec(found ?? '')?.[1];
}

/**
 * The branch of a HEAD; null when it names none. Undefined when git must be asked: where it is a symbolic ref, git has
 * checked out its target.
 */
export function readHeadBranch(gitDir: string, head: string): string | null | undefined {
  const branch = readSymbolicRef(gitDir, head);
  return typeof branch === 'string' && typeof readSymbolicRef(gitDir, branch) === 'string' ? undefined : branch;
}

/** The branch of a repository's only checkout; '' when HEAD is detached, undefined when git must be asked. */
export function readSingleHead(folder: string): string | undefined {
  const gitDir = join(folder, '.git');
  if (!keepsRefsInFiles(gitDir) || existsSync(join(gitDir, 'worktrees')) || existsSync(join(gitDir, 'commondir')))
    return undefined;
  if (readObjectId(gitDir, 'HEAD') !== undefined) return '';
  return readHeadBranch(gitDir, 'HEAD') ?? undefined;
}

/** The commit of a repository's only checkout; null before the first one, undefined when git must be asked. */
export function readHeadCommit(folder: string): string | null | undefined {
  const head = readSingleHead(folder);
  if (head === undefined) return undefined;
  const gitDir = join(folder, '.git');
  return head === '' ? readObjectId(gitDir, 'HEAD') : readRef(gitDir, head);
}

/** The object id in a file of a git directory; undefined for any other content. */
export function readObjectId(gitDir: string, name: string): string | undefined {
  const found = readRefFile(join(gitDir, name));
  return OBJECT_ID.test(found ?? '') ? found?.trim() : undefined;
}

const PLAIN_REF = /^refs\/(?:heads|andon|remotes)\/[A-Za-z0-9][A-Za-z0-9._/-]*$/;
const isPlainRef = (ref: string): boolean => PLAIN_REF.test(ref) && !ref.includes('..');
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n?$/;

/** git can also keep refs in a table, with a HEAD that names nothing. */
const keepsRefsInFiles = (gitDir: string): boolean =>
  existsSync(join(gitDir, 'refs')) && existsSync(join(gitDir, 'objects')) && !existsSync(join(gitDir, 'reftable'));

/** A plain file's text; null when it is missing or a folder; undefined when it cannot be read. */
function readRefFile(path: string): string | null | undefined {
  const read = readPlain(path, LARGEST);
  if (!read.ok) return existsSync(`${path}/.`) ? null : undefined;
  return read.value === undefined ? null : Buffer.from(read.value).toString('utf8');
}

/** More than all refs of a repository. */
const LARGEST = 256 * 1024 * 1024;
