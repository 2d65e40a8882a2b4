import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { foldPath } from '../../base/path-spellings.ts';
import type { EditedFile } from '../../base/changed-file.ts';
import { openDir, type SafeDir } from '../../base/system/safe-fs.ts';
import { moveToTrash } from '../../base/system/trash.ts';
import { splitNul, runGit, type GitCall } from './run-git.ts';
import { removeNestedGit } from './remove-nested-git.ts';
import type { Vault } from './vault.ts';

/** Limit of one file that an agent writes; text answers are smaller. */
const MOST_OF_FILE = 4 * 1024 * 1024;
/** Limit of all of them together. */
const MOST_OF_ALL = 32 * 1024 * 1024;
/** Files in a list; the first one beyond makes the whole unfit. */
const MOST_FILES = 2000;

/** Makes a new folder for an agent, without hidden files; the index is kept beside it, for the comparison. */
export async function prepareEditTree(
  vault: Pick<Vault, 'checkOut' | 'trees'>,
  commit: string,
  folder: string,
  hide: readonly string[],
): Promise<void> {
  rmSync(`${folder}.index`, { force: true });
  await vault.checkOut(commit, folder);
  const files = await vault.trees.files(commit);
  const places = new Set(files.flatMap(({ path }) => hiddenPlace(path, hide) ?? []));
  for (const place of places) await moveToTrash(join(folder, place));
}

/**
 * The difference between a tree and the commit that was laid out in it, as git sees it. Its index is beside the tree,
 * out of the agent's reach. Ignored and hidden files are left out. Files are read without following links, after the
 * agent ended. A nested repository is named, and not entered.
 */
export async function readEdits(
  gitDir: string,
  folder: string,
  hide: readonly string[],
): Promise<readonly EditedFile[]> {
  const call: GitCall = { gitDir, workTree: folder, index: `${folder}.index` };
  const cleaned = removeNestedGit(folder);
  if (!cleaned.ok) {
    const { path, reason } = cleaned.why;
    return [{ path: path === '' ? '.' : path, unfit: `It cannot be read (${reason}); leave its rights as they were.` }];
  }
  const repositories = cleaned.value.filter((path) => path !== '');
  const compared = ['-c', 'core.fileMode=true'];
  const refresh = [...compared, 'update-index', '-q', '--ignore-submodules', '--refresh'];
  await runGit(refresh, { ...call, accept: [1] });
  const differ = [...compared, 'diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all'];
  const raw = await runGit(differ, call);
  const others = await runGit(['ls-files', '-z', '--others', '--exclude-standard'], call);
  const fields = raw.toString('utf8').split('\0');
  const changed = fields.flatMap((path, at) => (at % 2 === 1 && path !== '' ? [path] : []));
  const repositoryOf = (path: string): string | undefined =>
    repositories.find((repository) => path.startsWith(`${repository}/`));
  const named = [...changed, ...splitNul(others)].map((path) => {
    const repository = repositoryOf(path);
    return repository === undefined ? path : `${repository}/`;
  });
  const seen = [...new Set(named)].filter((path) => hiddenPlace(path, hide) === undefined);
  const door = openDir(folder);
  let left = MOST_OF_ALL;
  return seen
    .toSorted()
    .slice(0, MOST_FILES + 1)
    .map((path, at): EditedFile => {
      const file = left < 0 || at === MOST_FILES ? { path, unfit: TOO_MUCH } : fileAt(door, path);
      if ('content' in file && file.content !== null) left -= file.content.length;
      return file;
    });
}

const TOO_MUCH = 'All that was changed is too large; change only what the task needs.';

/** The hidden file or folder that contains a path; a bare name is hidden in every folder. */
function hiddenPlace(path: string, hide: readonly string[]): string | undefined {
  const segments = path.split('/');
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const place = segments.slice(0, depth).join('/');
    const name = segments[depth - 1] ?? '';
    const isHidden = hide.some((one) => {
      const wanted = foldPath(one.replace(/\/$/, ''));
      return wanted === foldPath(wanted.includes('/') ? place : name);
    });
    if (isHidden) return place;
  }
  return undefined;
}

function fileAt(door: SafeDir, path: string): EditedFile {
  if (path.endsWith('/')) return { path: path.slice(0, -1), unfit: 'It is a git repository of its own; leave it out.' };
  if (path.includes('\ufffd')) return { path, unfit: 'Its name is not UTF-8; choose another.' };
  const stat = door.stat(path);
  if (stat === undefined || stat.isDirectory()) return { path, content: null };
  if (stat.isSymbolicLink()) return { path, unfit: 'It is a symbolic link; write a plain file.' };
  if (!stat.isFile()) return { path, unfit: 'It is no plain file; leave it out.' };
  const read = door.read(path, MOST_OF_FILE);
  if (!read.ok) return { path, unfit: `It ${read.why.slice(0, 200)}; leave it out.` };
  const text = textOf(read.value ?? new Uint8Array());
  return text === undefined
    ? { path, unfit: 'It is not UTF-8 text; leave it as it was.' }
    : { path, content: text, executable: (stat.mode & 0o100) !== 0 };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
