import type { Change } from '../record/change.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { toAttemptRef, toBranchName, toTaskBranch } from '../../base/names.ts';
import type { ResumeEffect, Path } from '../record/trip.ts';
import { getScope } from '../core/grants.ts';
import { Problem } from '../../base/problem.ts';
import { findBranchInUse, measure, withAuthors, listOutOfScope } from '../git/commit-change.ts';
import type { Needs } from '../services/services.ts';
import { listNames } from '../../base/list-names.ts';
import { posix } from 'node:path';
import { isProtected, type PathScope } from '../../base/paths.ts';

/** Commits of a person on the task branch during a halt, and the effect of the chosen path on them. */
export interface TakenUp {
  readonly change: Change;
  readonly effect: ResumeEffect;
}

/**
 * Reads the task branch before a path is taken. Commits of a person are pinned, and pass the gates like any change;
 * undefined without such commits, or for a path that ignores them. Throws a Problem for commits that cannot be judged as
 * this task's change.
 */
export async function takeUpCommits(
  services: Needs<'digest' | 'repository' | 'say'>,
  record: TaskRecord,
  path: Path,
): Promise<TakenUp | undefined> {
  const taken = await readOwnCommits(services, record, path);
  const { effect } = taken ?? path;
  const hasChange = (taken?.change ?? record.change) !== undefined;
  if (effect.to !== 'pending_implementer' || (effect.onlyGates === true && hasChange)) return taken;
  const inUse = await findBranchInUse(services, record.taskId);
  if (inUse !== undefined)
    throw new Problem('conflict', inUse.sentence, `${inUse.remedy}, then take the path again`, 1);
  return taken;
}

async function readOwnCommits(
  services: Needs<'digest' | 'repository' | 'say'>,
  record: TaskRecord,
  path: Path,
): Promise<TakenUp | undefined> {
  const leaves = path.effect.fresh === true || path.effect.to === 'abandoned';
  const head = await findOwnHead(services, record, leaves);
  if (head === undefined) return undefined;
  const branch = toBranchName(toTaskBranch(record.taskId));
  const tell = (what: string): void =>
    log(services, `${record.taskId}: your commits on ${branch} (${head.slice(0, 12)}) ${what}`);
  if (leaves) {
    tell('stay in git');
    return undefined;
  }
  const base = await baseOf(services, record, head);
  const change = await measureCommits(services, { ...record, base }, head);
  await refuseStrays(services, record, path, change);
  if (change.files.length === 0)
    throw refusal(record, `points to ${head.slice(0, 12)}, with which nothing is left of the change`);
  tell('go through the gates');
  const { verdict: _side, ...effect } = path.effect; // the side was taken on a report, and these commits have none
  return { change, effect: { ...effect, to: 'pending_implementer', onlyGates: true, base } };
}

/** The commit of a person on the task branch, pinned; undefined where the branch holds only what andon knows. */
async function findOwnHead(
  services: Needs<'repository' | 'say'>,
  record: TaskRecord,
  leaves: boolean,
): Promise<string | undefined> {
  const { repository } = services;
  const { change, taskId } = record;
  const head = await repository.resolve(toTaskBranch(taskId));
  if (head === undefined && change !== undefined) await putBack(services, record, change.commit);
  if (head === undefined || head === (change?.commit ?? record.base)) return undefined;
  const isOlder = change !== undefined && (await repository.isAncestor(head, change.commit));
  if (isOlder && !leaves)
    throw refusal(record, `points to ${head.slice(0, 12)}, which is older than the change (attempt ${change.attempt})`);
  const pinned = isOlder ? [] : await pinsOf(services, record, head);
  const isOfAndon = pinned.some((ref) => !ref.endsWith(OF_HUMAN));
  const isThrownAway = pinned.length > 0 && record.fresh; // by an earlier choice
  if (isOlder || isOfAndon || isThrownAway) return undefined;
  if (pinned.length === 0) await pin(services, record, head);
  return head;
}

/** A person's commits as a change. The authors of the change that they build on stay. */
async function measureCommits(
  services: Needs<'digest' | 'repository'>,
  record: TaskRecord,
  commit: string,
): Promise<Change> {
  const { repository } = services;
  const { base, change } = record;
  const measured = await measure(services, record, { commit, tree: await repository.treeOf(commit) }, '');
  const hasAuthors = change?.authors !== undefined && (await repository.isAncestor(change.commit, commit));
  const earlier = hasAuthors ? (change.authors ?? []) : [];
  return withAuthors(measured, [...new Set([...earlier, ...(await repository.authors(commit, base))])]);
}

/** The suffix of a ref that keeps commits of a person. */
const OF_HUMAN = '.human';

const log = (services: Needs<'say'>, text: string): void => services.say({ kind: 'word', level: 'info', text });

/** Restores a deleted branch, which the halt report promised to keep. */
async function putBack(services: Needs<'repository' | 'say'>, { taskId }: TaskRecord, commit: string): Promise<void> {
  const made = await services.repository.publish([{ ref: toTaskBranch(taskId), old: undefined, to: commit }]);
  if (made.ok) log(services, `${taskId}: the branch was deleted; it is back at ${commit.slice(0, 12)}`);
}

async function pinsOf(
  services: Needs<'repository'>,
  { taskId }: TaskRecord,
  commit: string,
): Promise<readonly string[]> {
  const refs = await services.repository.refsUnder(`refs/andon/${taskId}/`);
  return refs.filter((ref) => ref.commit === commit).map(({ ref }) => ref);
}

async function pin(services: Needs<'repository'>, { taskId, attempt }: TaskRecord, commit: string): Promise<void> {
  const first = toAttemptRef(taskId, attempt);
  let ref = `${first}${OF_HUMAN}`;
  for (let again = 2; (await services.repository.resolve(ref)) !== undefined; again += 1)
    ref = `${first}.${again}${OF_HUMAN}`;
  const pinned = await services.repository.publish([{ ref, old: undefined, to: commit }]);
  if (!pinned.ok) throw new Problem('conflict', `git did not keep your commits: ${pinned.why}`, 'andon status', 1);
}

/** The base of the commits: the target, where a person merged it into the branch. */
async function baseOf(services: Needs<'repository'>, record: TaskRecord, head: string): Promise<string> {
  const { repository } = services;
  const target = await repository.resolve(record.target);
  if (target !== undefined && (await repository.isAncestor(target, head))) return target;
  if (await repository.isAncestor(record.base, head)) return record.base;
  throw refusal(record, `points to ${head.slice(0, 12)}, which does not build on ${toBranchName(record.target)}`);
}

function refusal(record: TaskRecord, what: string): Problem {
  const { taskId, change } = record;
  return new Problem(
    'conflict',
    `the branch task/${taskId} ${what}`,
    change === undefined
      ? `move it away: git branch -m task/${taskId} ${taskId}-mine`
      : `leave that branch (git switch -) and put it back: git branch -f task/${taskId} ${change.commit.slice(0, 12)}, or choose a path that starts afresh`,
    1,
  );
}

/**
 * Refuses commits of a person that the contract does not allow. A resume admits nothing else, by any author.
 * A submodule, and a link that leads out of the repository or to a protected file, are allowed by their very name only.
 */
async function refuseStrays(
  services: Needs<'repository'>,
  record: TaskRecord,
  { effect }: Path,
  change: Change,
): Promise<void> {
  const scope = getScope(record, effect.paths);
  const strays = listOutOfScope(change.files, scope);
  if (strays.length > 0)
    throw createStrayRefusal(record, change, `change ${listNames(strays)}, outside the scope of the contract`);
  const named = new Set(scope.allowedPaths.map((path) => path.replace(/^\.\//, '')));
  const strange = (await strangeIn(services, change, scope)).filter(({ path }) => !named.has(path));
  if (strange.length > 0)
    throw createStrayRefusal(
      record,
      change,
      `${listNames(strange.map(({ what }) => what))}; a contract must name it to allow it`,
    );
}

async function strangeIn(
  services: Needs<'repository'>,
  { commit, files }: Change,
  scope: PathScope,
): Promise<readonly { readonly path: string; readonly what: string }[]> {
  const come = files.filter(({ status, oldMode, newMode }) => status !== 'deleted' && oldMode !== newMode);
  const changed = files.filter(({ status, newMode }) => status !== 'deleted' && newMode === LINK);
  const links = await services.repository.read(
    commit,
    changed.map(({ path }) => path),
  );
  const subs = come.filter(({ newMode }) => newMode === SUBMODULE);
  return [
    ...subs.map(({ path }) => ({ path, what: `make ${path} a submodule, which brings another repository` })),
    ...changed.flatMap(({ path }) => {
      const leads = new TextDecoder().decode(links.get(path));
      const why = explainClosed(path, leads, scope);
      return why === undefined ? [] : [{ path, what: `make ${path} a link to ${leads}, which ${why}` }];
    }),
  ];
}

function explainClosed(path: string, leads: string, scope: PathScope): string | undefined {
  const place = posix.normalize(posix.join(posix.dirname(path), leads)).replace(/\/$/, '');
  if (posix.isAbsolute(leads) || place === '.' || place === '..' || place.startsWith('../'))
    return 'leads out of the files of the project';
  return isProtected(place, scope.protectedPaths) ? 'is protected' : undefined;
}

const LINK = '120000';
const SUBMODULE = '160000';

const createStrayRefusal = ({ taskId }: TaskRecord, { commit }: Change, what: string): Problem =>
  new Problem(
    'conflict',
    `your commits on task/${taskId} (${commit.slice(0, 12)}) ${what}`,
    `take those edits back on that branch (they stay in git under refs/andon/${taskId}/), or give the task up and write a contract that allows them`,
    1,
  );
