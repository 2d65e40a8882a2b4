import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDir } from '../../base/system/safe-fs.ts';
import { askGit, gitText, tryGit, type GitCall } from './run-git.ts';

/** The part of a branch's log that counts as recent. */
const RECENT_BYTES = 256 * 1024;

/** `GIT_REFLOG_ACTION` where andon takes back its own move of a branch. */
export const OWN_RETREAT = 'andon: not merged';

/**
 * The commits that a branch was moved away from, except by andon's own retreat. git writes its log before the branch
 * moves, so the new value may never have been reached; the old one was.
 */
export async function listAbandonedCommits(commonDir: string, ref: string): Promise<readonly string[]> {
  const log = openDir(commonDir).lines(`logs/${ref}`, RECENT_BYTES);
  if (log.ok && log.value.length > 0)
    return log.value
      .filter((row) => !row.includes(`\t${OWN_RETREAT}`))
      .flatMap((row) => /^([0-9a-f]{40,64}) [0-9a-f]{40,64} /.exec(row)?.[1] ?? []);
  const result = await tryGit(['reflog', 'show', '--format=%H %gs', ref, '--'], { gitDir: commonDir }); // refs are in a table
  if (result.code !== 0) return [];
  const rows = result.stdout.toString('utf8').trim().split('\n'); // the newest first, each with the commit moved to
  return rows.flatMap((row, at) => (at === 0 || isRetreat(rows[at - 1]) ? [] : (row.split(' ')[0] ?? [])));
}

const isRetreat = (row = ''): boolean => row.slice(row.indexOf(' ') + 1).startsWith(OWN_RETREAT);

/** Whether a commit is part of another one's history; a missing one is part of nothing. */
export async function isAncestor(repository: GitCall, commit: string, of: string): Promise<boolean> {
  try {
    const words = ['merge-base', '--is-ancestor', commit, of];
    return (await askGit(words, { ...repository, accept: [1] })).code === 0;
  } catch (error) {
    if ((await tryGit(['cat-file', '-e', `${commit}^{commit}`], repository)).code !== 0) return false;
    throw error;
  }
}

/** A history (without that of another commit), the patterns, and how many commits are wanted. */
interface HistorySearch {
  readonly within: string;
  readonly without?: string | undefined;
  readonly most?: number;
  readonly lines: readonly string[];
}

/** Commits of a history, newest first, whose message has a line for each pattern. */
export async function findCommitsByMessage(
  repository: GitCall,
  { within, without, most, lines }: HistorySearch,
): Promise<readonly { readonly commit: string; readonly message: string }[]> {
  const patterns = lines.flatMap((line) => ['--grep', line]);
  const count = most === undefined ? [] : [`--max-count=${most}`];
  const words = ['rev-list', '--all-match', '--no-commit-header', '--format=%H%n%B%x00', ...patterns, ...count, within];
  let found = await tryGit([...words, ...(without === undefined ? [] : [`^${without}`]), '--'], repository);
  if (found.code !== 0) found = await askGit([...words, '--'], repository); // the bounding commit may have been pruned
  return splitCommits(found.stdout.toString('utf8'));
}

/** The authors of a history without `without`, oldest first, each once. */
export async function listAuthors(repository: GitCall, to: string, without: string): Promise<readonly string[]> {
  const rows = await gitText(
    ['log', '--no-show-signature', '--reverse', '--format=%an <%ae>', to, `^${without}`, '--'],
    repository,
  );
  return [...new Set(rows.split('\n').filter((row) => row !== ''))];
}

/** Printed commits: the id, a line break, the message, and a zero byte. */
export const splitCommits = (text: string): readonly { readonly commit: string; readonly message: string }[] =>
  text.split('\0').flatMap((part) => {
    const row = part.trimStart();
    const end = row.indexOf('\n');
    return row === '' ? [] : [{ commit: row.slice(0, end), message: row.slice(end + 1) }];
  });

/** Whether a repository has a commit, from any source. */
export async function hasCommit(gitDir: string, commit: string): Promise<boolean> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return false;
  return (await tryGit(['cat-file', '-e', `${commit}^{commit}`], { gitDir })).code === 0;
}

/** How many objects of a commit's own tree a partial clone has not fetched; other clones are not asked. */
export async function countMissingObjects(theirs: GitCall, commit: string): Promise<number> {
  const packs = join(theirs.gitDir, 'objects', 'pack');
  if (!existsSync(packs) || !readdirSync(packs).some((name) => name.endsWith('.promisor'))) return 0;
  const rows = await gitText(['rev-list', '--objects', '--no-walk', '--missing=print', commit], theirs);
  return rows.split('\n').filter((row) => row.startsWith('?')).length;
}
