import { quoteForShell, toShellWord } from '../../base/shell-word.ts';
import type { Change } from '../record/change.ts';
import { getTouchedPaths, type ChangedFile, type FileWrite } from '../../base/changed-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { takeFingerprint, type Fingerprint } from '../../source/change-fingerprint.ts';
import { computeForms } from '../../source/compute-forms.ts';
import { ANDON_IDENTITY, toAttemptRef, toTaskBranch } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { classifyPath, type PathScope } from '../../base/paths.ts';
import { getScope } from '../core/grants.ts';
import type { Needs } from '../services/services.ts';

/** Why a change that could be applied is no attempt all the same. */
export type NotCommitted =
  | { readonly by: 'scope'; readonly strayed: readonly string[] }
  | { readonly by: 'nothing' }
  | { readonly by: 'git'; readonly reason: string };

/** Builds the commit in the vault, checks by git's own account that it stays in scope, and publishes it. */
export async function commitChange(
  services: Needs<'digest' | 'repository'>,
  record: TaskRecord,
  head: string,
  changes: readonly FileWrite[],
  { notes, at, by }: { readonly notes: string; readonly at: string; readonly by: string },
): Promise<Outcome<Change, NotCommitted>> {
  const { repository } = services;
  const message = `[TASK: ${record.taskId}] Transition: pending_local_review (Event: code_written)\n\nAttempt ${record.attempt} by ${by}\n\nAndon-Task: ${record.taskId}\nAndon-Attempt: ${record.attempt}\n`;
  const built = await repository.build(changes, { parents: [head], message, at, author: ANDON_IDENTITY });
  const strayed = listOutOfScope(await repository.diff(head, built.commit), getScope(record));
  if (strayed.length > 0) return failure({ by: 'scope', strayed });
  if (built.tree === (await repository.treeOf(record.base))) return failure({ by: 'nothing' });
  const published = await publishAttempt(services, record, built.commit);
  return published === undefined
    ? success(withAuthors(await measure(services, record, built, notes), authorsSince(record, head)))
    : failure({ by: 'git', reason: published });
}

/** The authors of what is built on `head`: the person, and andon. */
const authorsSince = ({ change }: TaskRecord, head: string): readonly string[] =>
  change?.authors === undefined || head !== change.commit ? [] : [...new Set([...change.authors, ANDON_IDENTITY])];

/** The change with its authors, where they are more than andon. */
export const withAuthors = (change: Change, authors: readonly string[]): Change =>
  authors.some((who) => who !== ANDON_IDENTITY) ? { ...change, authors: [...authors] } : change;

/** The paths that a change touches outside a scope; a file that moved touches two. */
export const listOutOfScope = (files: readonly ChangedFile[], scope: PathScope): readonly string[] =>
  files.flatMap(getTouchedPaths).filter((path) => classifyPath(path, scope) !== 'allowed');

/** Moves the task branch and pins the attempt; a branch that is checked out or holds foreign commits is never moved. */
export async function publishAttempt(
  services: Needs<'repository'>,
  record: TaskRecord,
  commitId: string,
): Promise<string | undefined> {
  const { repository } = services;
  const branch = toTaskBranch(record.taskId);
  const old = await repository.resolve(branch);
  const foreign = old !== undefined && old !== record.change?.commit && !(await isOurs(services, record, old));
  if (foreign)
    return `the branch task/${record.taskId} has commits that andon did not make (${old.slice(0, 12)}); keep them and take a path at this halt, or rename or delete the branch`;
  const pin = await findPin(services, toAttemptRef(record.taskId, record.attempt), commitId);
  const inUse = old === commitId ? undefined : await findBranchInUse(services, record.taskId);
  const refs = [
    { ...pin, to: commitId }, // first: what is pinned is known to be andon's
    ...(inUse === undefined ? [{ ref: branch, old, to: commitId }] : []),
  ].filter((ref) => ref.old !== ref.to);
  const published = refs.length === 0 ? success(undefined) : await repository.publish(refs);
  if (!published.ok) return `git did not take the attempt: ${published.why}`;
  return inUse === undefined
    ? undefined
    : `${inUse.sentence}; it is kept as ${pin.ref}. To go on, ${inUse.remedy} and take path 1`;
}

/**
 * Looks whether the task's branch is checked out anywhere; a branch that is, andon never moves, for the move would show
 * as edits of yours. Says what hinders it, and what to do.
 */
export async function findBranchInUse(
  services: Needs<'repository'>,
  taskId: string,
): Promise<{ readonly sentence: string; readonly remedy: string } | undefined> {
  const folder = await services.repository.checkedOutIn(toTaskBranch(taskId));
  if (folder === undefined) return undefined;
  return {
    sentence: `task/${taskId} is checked out in ${folder}, so andon does not move it to a new attempt`,
    remedy: `leave that branch (git -C ${toShellWord(folder) ?? quoteForShell(folder)} switch --detach, or switch to another one)`,
  };
}

/** The ref of an attempt, with what it holds: free, or of this very commit. */
async function findPin({ repository }: Needs<'repository'>, first: string, commitId: string) {
  for (let again = 1; ; again += 1) {
    const ref = again === 1 ? first : `${first}.${again}`;
    const old = await repository.resolve(ref);
    if (old === undefined || old === commitId) return { ref, old };
  }
}

/** Ours is what one of the task's attempts pinned. */
async function isOurs(services: Needs<'repository'>, record: TaskRecord, commitId: string): Promise<boolean> {
  const pinned = await services.repository.refsUnder(`refs/andon/${record.taskId}/`);
  return commitId === record.base || pinned.some(({ commit: pin }) => pin === commitId);
}

/** Counts the change against the base, by git; the lines of the project only when something was lost. */
export async function measure(
  services: Needs<'digest' | 'repository'>,
  record: TaskRecord,
  built: { readonly commit: string; readonly tree: string },
  notes: string,
): Promise<Change> {
  const files = [...(await services.repository.diff(record.base, built.commit))];
  const sum = (pick: (file: ChangedFile) => number): number => files.reduce((total, file) => total + pick(file), 0);
  const lost = sum((file) =>
    file.status === 'deleted' ? (file.deleted ?? 0) : Math.max(0, (file.deleted ?? 0) - (file.added ?? 0)),
  );
  return {
    attempt: record.attempt,
    ...built,
    base: record.base,
    files,
    added: sum((file) => file.added ?? 0),
    deleted: sum((file) => file.deleted ?? 0),
    lost,
    projectLines: lost === 0 ? null : await services.repository.countLines(record.base),
    notes: notes.slice(0, 4000),
    ...(files.length > PRINTED_FILES ? {} : await weigh(services, record.base, built.commit, files)),
  };
}

/** A change of more files than this is far above every limit; it is known again by its tree alone. */
const PRINTED_FILES = 2000;
/** Larger files are known again by their bytes, whatever their spacing. */
const PRINTED_BYTES = 1_000_000;

/** What a change adds, in bytes, and what it is remembered by: its files, and the lines that their old versions did not have. */
async function weigh(
  services: Needs<'digest' | 'repository'>,
  base: string,
  commit: string,
  files: readonly ChangedFile[],
): Promise<{ readonly bytes: number; readonly print: Fingerprint }> {
  const paths = files.filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const [now, before] = [
    await services.repository.read(commit, paths),
    await services.repository.read(
      base,
      files.map(({ path, from, status }) => (status === 'added' ? '' : (from ?? path))).filter((path) => path !== ''),
    ),
  ];
  const contents = new Map<string, string | undefined>();
  const added: string[] = [];
  let size = 0;
  for (const { path, from, status, added: lines } of files) {
    const bytes = now.get(path) ?? new Uint8Array();
    const text = bytes.length > PRINTED_BYTES ? services.digest(bytes) : new TextDecoder().decode(bytes);
    contents.set(path, status === 'deleted' ? undefined : text);
    const old = new Set(new TextDecoder().decode(before.get(from ?? path) ?? new Uint8Array()).split('\n'));
    const fresh = new TextDecoder()
      .decode(bytes)
      .split('\n')
      .filter((line) => !old.has(line));
    size += status === 'deleted' ? 0 : lines === null ? bytes.length : Buffer.byteLength(fresh.join('\n'));
    if (bytes.length <= PRINTED_BYTES) for (const line of fresh) added.push(line);
  }
  return { bytes: size, print: takeFingerprint(contents, added, await computeForms(contents)) };
}
