import type { Change, ChangedFile, FileWrite } from '../../formats/change.ts';
import type { LineRecord } from '../../formats/line-record.ts';
import { takeFingerprint } from '../../formats/fingerprint.ts';
import type { Fingerprint } from '../../formats/fingerprint.ts';
import { attemptRef, taskBranch } from '../../formats/names.ts';
import { failure, success } from '../../formats/outcome.ts';
import type { Outcome } from '../../formats/outcome.ts';
import { inScope } from '../../formats/paths.ts';
import type { Scope } from '../../formats/paths.ts';
import { EXAMPLE_PATH } from '../../stations/answer-rules.ts';
import type { Answer } from '../../stations/answer-formats/answer.ts';
import { applyAnswer } from '../../stations/answer-formats/apply-answer.ts';
import type { CurrentFile, Refusal } from '../../stations/answer-formats/apply-answer.ts';
import { treeIndex } from '../tree-index.ts';
import { branchInUse } from '../branch-in-use.ts';
import type { World } from '../world.ts';

/** andon's own name in commits that hold an agent's work. */
export const AUTHOR = 'andon <andon@localhost>';

/** Why a change that could be applied is no attempt all the same. */
export type NotCommitted =
  | { readonly by: 'scope'; readonly strayed: readonly string[] }
  | { readonly by: 'git'; readonly reason: string };

const scopeOf = ({ contract, grants }: LineRecord) => ({
  allowedPaths: [...contract.constraints.allowedPaths, ...grants.paths],
  forbiddenPaths: contract.constraints.forbiddenPaths,
});

/** Turns the answer into file contents; nothing is written yet. */
export async function applyTo(
  world: World,
  record: LineRecord,
  head: string,
  answer: Answer,
  inPart: readonly string[],
): Promise<Outcome<readonly FileWrite[], readonly Refusal[]>> {
  const { byPath: files, folders, spelledLike } = treeIndex(await world.repository.files(head));
  const wanted = answer.kind === 'change' ? answer.edits.map(({ path }) => path).filter((path) => files.has(path)) : [];
  const contents = await world.repository.read(head, wanted);
  const current = (path: string): CurrentFile | undefined => {
    const file = files.get(path);
    return file === undefined
      ? undefined
      : { bytes: contents.get(path) ?? new Uint8Array(), mode: file.mode as CurrentFile['mode'] };
  };
  const applied = applyAnswer(answer, {
    current,
    paths: files,
    folders,
    spelledLike,
    scope: scopeOf(record),
    allowDeletes: record.contract.constraints.allowDeletes,
    inPart: new Set(inPart),
    example: EXAMPLE_PATH,
  });
  return applied.ok ? unfiltered(world, head, applied.value) : applied;
}

/** What goes through a filter on its way into git (git-crypt, git-lfs) is not written: andon would leave the filter out. */
async function unfiltered(
  world: World,
  head: string,
  changes: readonly FileWrite[],
): Promise<Outcome<readonly FileWrite[], readonly Refusal[]>> {
  const written = changes.flatMap(({ path, content }) => (content === null ? [] : [path]));
  const filtered = await world.repository.filtered(head, written);
  if (filtered.size === 0) return success(changes);
  return failure(
    [...filtered].map(([path, filter]) => ({
      kind: 'path',
      path,
      detail: `The file goes through git's filter ${filter}, which is not run here; leave it as it is.`,
    })),
  );
}

/** Builds the commit in the vault, checks by git's own account that it stays in scope, and publishes it. */
export async function commitChange(
  world: World,
  record: LineRecord,
  head: string,
  changes: readonly FileWrite[],
  { notes, at, by }: { readonly notes: string; readonly at: string; readonly by: string },
): Promise<Outcome<Change, NotCommitted>> {
  const { repository } = world;
  const message = `[TASK: ${record.taskId}] Transition: pending_local_review (Event: code_written)\n\nAttempt ${record.attempt} by ${by}\n\nAndon-Task: ${record.taskId}\nAndon-Attempt: ${record.attempt}\n`;
  const built = await repository.build(changes, { parents: [head], message, at, author: AUTHOR });
  const strayed = outside(await repository.diff(head, built.commit), scopeOf(record));
  if (strayed.length > 0) return failure({ by: 'scope', strayed });
  const published = await publishAttempt(world, record, built.commit);
  return published === undefined
    ? success(await measure(world, record, built, notes))
    : failure({ by: 'git', reason: published });
}

/** The paths that a change touches outside a scope; a file that moved touches two. */
export const outside = (files: readonly ChangedFile[], scope: Scope): readonly string[] =>
  files
    .flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])])
    .filter((path) => inScope(path, scope) !== 'allowed');

/** Moves the task branch and pins the attempt; a branch that is checked out or holds foreign commits is never moved. */
export async function publishAttempt(world: World, record: LineRecord, commitId: string): Promise<string | undefined> {
  const { repository } = world;
  const branch = taskBranch(record.taskId);
  const old = await repository.resolve(branch);
  const foreign = old !== undefined && old !== record.change?.commit && !(await isOurs(world, record, old));
  if (foreign)
    return `the branch task/${record.taskId} has commits that andon did not make (${old.slice(0, 12)}); keep them and take a path at this halt, or rename or delete the branch`;
  let pin = attemptRef(record.taskId, record.attempt);
  for (
    let again = 2;
    (await repository.resolve(pin)) !== undefined && (await repository.resolve(pin)) !== commitId;
    again += 1
  )
    pin = `${attemptRef(record.taskId, record.attempt)}.${again}`;
  const inUse = old === commitId ? undefined : await branchInUse(world, record.taskId);
  const refs = [
    { ref: pin, old: await repository.resolve(pin), to: commitId }, // first: what is pinned is known to be andon's
    ...(inUse === undefined ? [{ ref: branch, old, to: commitId }] : []),
  ].filter((ref) => ref.old !== ref.to);
  const published = refs.length === 0 ? success(undefined) : await repository.publish(refs);
  if (!published.ok) return `git did not take the attempt: ${published.why}`;
  return inUse === undefined
    ? undefined
    : `${inUse.sentence}; it is kept as ${pin}. To go on, ${inUse.remedy} and take path 1`;
}

/** Ours is what one of the task's attempts pinned. */
async function isOurs(world: World, record: LineRecord, commitId: string): Promise<boolean> {
  const pinned = await world.repository.refsUnder(`refs/andon/${record.taskId}/`);
  return commitId === record.base || pinned.some(({ commit: pin }) => pin === commitId);
}

/** Counts the change against the base, by git; the lines of the project only when something was lost. */
export async function measure(
  world: World,
  record: LineRecord,
  built: { readonly commit: string; readonly tree: string },
  notes: string,
): Promise<Change> {
  const files = [...(await world.repository.diff(record.base, built.commit))];
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
    projectLines: lost === 0 ? null : await world.repository.countLines(record.base),
    notes: notes.slice(0, 4000),
    print: await fingerprint(world, record.base, built.commit, files),
  };
}

/** Larger files are known again by their bytes, whatever their spacing. */
const PRINTED_BYTES = 1_000_000;

/** What a change is remembered by: its files, and the lines that their old versions did not have. */
async function fingerprint(
  world: World,
  base: string,
  commit: string,
  files: readonly ChangedFile[],
): Promise<Fingerprint> {
  const paths = files.filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const [now, before] = [
    await world.repository.read(commit, paths),
    await world.repository.read(
      base,
      files.map(({ path, from, status }) => (status === 'added' ? '' : (from ?? path))).filter((path) => path !== ''),
    ),
  ];
  const contents = new Map<string, string | undefined>();
  const added: string[] = [];
  for (const { path, from, status } of files) {
    const bytes = now.get(path) ?? new Uint8Array();
    const text = bytes.length > PRINTED_BYTES ? world.digest(bytes) : new TextDecoder().decode(bytes);
    contents.set(path, status === 'deleted' ? undefined : text);
    const old = new Set(new TextDecoder().decode(before.get(from ?? path) ?? new Uint8Array()).split('\n'));
    added.push(...text.split('\n').filter((line) => !old.has(line)));
  }
  return takeFingerprint(contents, added);
}
