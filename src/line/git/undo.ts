import { findConsent } from '../record/base-run.ts';
import { ANDON_IDENTITY, toBranchName } from '../../base/names.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { createGateJob, listProjectGates, runGates, runOnBase } from '../gates/run-gates.ts';
import { planLanding } from './merge-commits.ts';
import { openServicesAt } from '../services/configuration.ts';
import type { GateServices, LineServices, Needs, Services } from '../services/services.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';

/** Times the target may move under the gates of an undo. */
const TRIES = 3;

/** Reverts a merged task on its target by a commit that passes the gates; nothing else changes. */
export async function undo(
  services: LineServices,
  taskId: string,
  by: string,
  signal: AbortSignal,
): Promise<TaskRecord> {
  const record = mergedRecord(services, taskId);
  for (let attempt = 1; ; attempt += 1) {
    const target = await services.repository.resolve(record.target);
    const undone = await undoOn(services, record, target, by, signal);
    if (undone.ok) return undone.value;
    const hasMoved = (await services.repository.resolve(record.target)) !== target;
    // What is in the way says itself how it goes away.
    if (!hasMoved || attempt === TRIES) throw new Problem('conflict', undone.why, `andon undo ${taskId}`, 1);
  }
}

/** One try on this commit of the target; a failure says why git did not move it. */
async function undoOn(
  services: LineServices,
  record: Merged,
  target: string | undefined,
  by: string,
  signal: AbortSignal,
): Promise<Outcome<TaskRecord, string>> {
  const { repository } = services;
  const { taskId } = record;
  if (target === undefined || !(await repository.isAncestor(record.merge.commit, target))) {
    throw new Problem(
      'not-merged',
      `${short(record)} does not hold the merge of ${taskId} (any more)`,
      'git log shows what it holds',
      1,
    );
  }
  const pin = `refs/andon/${taskId}/undone`;
  const pinned = await repository.resolve(pin);
  // After a crash between the revert and its entry, only the entry is written.
  if (pinned !== undefined && (await repository.isAncestor(pinned, target)))
    return success(note(services, record, pinned, by));
  const tree = await revertChange(services, record, target);
  if (!tree.ok)
    throw new Problem(
      'conflict',
      `later changes stand in the way of undoing ${taskId}: ${tree.why.join(', ')}`,
      await revertByHand(services, record.merge.commit),
      1,
    );
  const decided = await openServicesAt(services, { ref: record.target, commit: target });
  const landing = await planLanding(decided, { ...record, change: undefined }, services.clock.now());
  if (!landing.ok) throw new Problem('conflict', landing.why, 'git config user.name, and user.email', 1);
  const { coAuthors: _, signedOffBy, ...plan } = landing.value;
  const commit = await repository.commitTree(tree.value, {
    ...plan,
    parents: [target],
    message: message(record, by, signedOffBy),
  });
  if ((await repository.diff(target, commit)).length === 0)
    throw new Problem('not-merged', `nothing of ${taskId} is left in ${short(record)}`, 'andon list', 1);
  await passGates(decided, record, { target, commit, tree: tree.value }, signal).finally(() =>
    services.folders.tidy(taskId),
  );
  const handed = await repository.publish([{ ref: pin, old: pinned, to: commit }]);
  if (!handed.ok) throw new Problem('conflict', handed.why, 'andon doctor', 1);
  const landed = await repository.land(record.target, target, commit);
  return landed.ok ? success(note(services, record, commit, by)) : failure(landed.why.reason);
}

/**
 * The target's tree without the change. A tick of TODO.md stays, in a squash too: the items of later tasks stand beside it,
 * and git would find them in the way.
 */
async function revertChange(
  { repository }: Needs<'repository'>,
  { merge: { commit }, change }: Merged,
  target: string,
): ReturnType<Services['repository']['revert']> {
  const before = `${commit}^1`;
  const file = (await repository.files(before)).find(({ path }) => path === TODO);
  const isChange = change?.files.some(({ path, from }) => path === TODO || from === TODO) ?? true;
  const isTicked = (await repository.diff(before, commit)).some(({ path }) => path === TODO);
  const content = (await repository.read(before, [TODO])).get(TODO);
  if (isChange || !isTicked || file === undefined || content === undefined) return repository.revert(target, commit);
  const unticked = await repository.build([{ path: TODO, mode: file.mode as '100644', content }], {
    parents: [commit],
    message: 'without the tick\n',
    at: '2000-01-01T00:00:00Z',
    author: ANDON_IDENTITY,
  });
  return repository.replay({ before: unticked.commit, after: before, onto: target });
}

const TODO = 'TODO.md';

function note(
  services: Needs<'clock' | 'journal' | 'say'>,
  record: TaskRecord,
  commit: string,
  by: string,
): TaskRecord {
  const entry = { kind: 'undone', at: services.clock.now(), commit, by } as const;
  services.journal.append(record.taskId, [entry]);
  const undone = foldJournal(services.journal.entries(record.taskId)) ?? record;
  services.say({ kind: 'entry', entry, record: undone });
  return undone;
}

type Merged = TaskRecord & { readonly merge: NonNullable<TaskRecord['merge']> };

function mergedRecord(services: Needs<'journal'>, taskId: string): Merged {
  const record = foldJournal(services.journal.entries(taskId));
  if (record === undefined)
    throw new Problem(
      'no-task',
      `There is no task ${taskId} in this repository.`,
      'Run `andon list` to see all tasks.',
    );
  const { merge } = record;
  if (record.status !== 'merged' || merge === undefined)
    throw new Problem('not-merged', `${taskId} is not merged, it is ${record.status}`, `andon show ${taskId}`);
  if (record.undone !== undefined)
    throw new Problem(
      'not-merged',
      `${taskId} was undone already, as ${record.undone.slice(0, 12)}`,
      `git revert ${record.undone.slice(0, 12)} brings it back`,
    );
  return { ...record, merge };
}

const short = (record: TaskRecord): string => toBranchName(record.target);

const message = ({ taskId, merge }: Merged, by: string, signedOffBy: string | undefined): string =>
  `Undo task/${taskId}\n\nThis reverts merge ${merge.commit}.\n\nAndon-Undo: ${taskId}\nAndon-Decided-By: ${toTerminalLine(by)}\n${signedOffBy === undefined ? '' : `Signed-off-by: ${signedOffBy}\n`}`;

/** The command that reverts the merge without andon; a merge commit has a second parent. */
async function revertByHand({ repository }: Needs<'repository'>, commit: string): Promise<string> {
  const isMerge = (await repository.resolve(`${commit}^2`)) !== undefined;
  return `git revert ${isMerge ? '-m 1 ' : ''}${commit.slice(0, 12)}`;
}

/**
 * The gates of the project must be green, or red as a person allowed for this task. The gates of the contract are about
 * the reverted change, and do not run.
 */
async function passGates(
  services: GateServices,
  record: TaskRecord,
  { target, commit, tree }: { readonly target: string; readonly commit: string; readonly tree: string },
  signal: AbortSignal,
): Promise<void> {
  const gates = listProjectGates(services).map((gate) => ({ ...gate, mustFailBefore: false }));
  const before = await services.repository.treeOf(record.base);
  const gatesWithConsent = gates.filter((gate) => findConsent(record.grants.gates, gate, before) !== undefined);
  const base = await runOnBase(services, { ...createGateJob(services, record), gates: gatesWithConsent }, signal);
  const now = await services.repository.treeOf(target);
  const consents = record.grants.gates.flatMap((one) => (one.tree === before ? [{ ...one, tree: now }] : []));
  const job = { taskId: record.taskId, base: target, gates, consents };
  const run = base.ok ? await runGates(services, job, base.value, { commit, tree }, signal) : base;
  if (!run.ok) throw new Problem('conflict', run.why, 'andon doctor', 1);
  const red = run.value.results.filter(({ blocks }) => blocks);
  if (red.length > 0)
    throw new Problem(
      'conflict',
      `without ${record.taskId} these gates are red: ${red.map(({ name, why }) => `${name}${why === undefined ? '' : ` (${why})`}`).join(', ')}`,
      `${await revertByHand(services, record.merge?.commit ?? '')}, and mend what depends on it`,
      1,
    );
}
