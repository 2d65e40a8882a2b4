import { branchName } from '../formats/names.ts';
import type { LineRecord } from '../formats/line-record.ts';
import { foldJournal } from '../line/record.ts';
import { Problem } from '../problems/problem.ts';
import { gateJob, runGates } from './gates.ts';
import { AUTHOR } from './steps/apply-change.ts';
import type { World } from './world.ts';

/** Takes a merged task out of its target branch again, by a revert commit that passes the gates; nothing else moves. */
export async function undo(world: World, taskId: string, by: string): Promise<LineRecord> {
  const record = mergedRecord(world, taskId);
  const { repository } = world;
  const target = await repository.resolve(record.target);
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
  // A crash fell between the revert and its entry: it is noted, not done again.
  if (pinned !== undefined && (await repository.isAncestor(pinned, target))) return note(world, record, pinned, by);
  const tree = await repository.revert(target, record.merge.commit);
  if (!tree.ok)
    throw new Problem(
      'conflict',
      `later changes stand in the way of undoing ${taskId}: ${tree.why.join(', ')}`,
      `git revert -m 1 ${record.merge.commit.slice(0, 12)}`,
      1,
    );
  const at = world.clock.now();
  const commit = await repository.commitTree(tree.value, {
    parents: [target],
    message: message(record, by),
    at,
    author: AUTHOR,
  });
  if ((await repository.diff(target, commit)).length === 0)
    throw new Problem('not-merged', `nothing of ${taskId} is left in ${short(record)}`, 'andon list', 1);
  await passGates(world, record, target, commit, tree.value);
  const handed = await repository.publish([{ ref: pin, old: pinned, to: commit }]);
  if (!handed.ok) throw new Problem('conflict', handed.why, 'andon doctor', 1);
  const landed = await repository.land(record.target, target, commit);
  if (!landed.ok)
    throw new Problem('conflict', landed.why.reason, 'make room (commit or stash your edits) and undo again', 1);
  return note(world, record, commit, by);
}

function note(world: World, record: LineRecord, commit: string, by: string): LineRecord {
  const entry = { kind: 'undone', at: world.clock.now(), commit, by } as const;
  world.journal.append(record.taskId, [entry]);
  const undone = foldJournal(world.journal.entries(record.taskId)) ?? record;
  world.say({ kind: 'entry', entry, record: undone });
  return undone;
}

type Merged = LineRecord & { readonly merge: NonNullable<LineRecord['merge']> };

function mergedRecord(world: World, taskId: string): Merged {
  const record = foldJournal(world.journal.entries(taskId));
  if (record === undefined)
    throw new Problem('no-task', `there is no task ${taskId} in this repository`, 'andon list shows every task');
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

const short = (record: LineRecord): string => branchName(record.target);

const message = ({ taskId, merge }: Merged, by: string): string =>
  `Undo task/${taskId}\n\nThis reverts merge ${merge.commit}.\n\nAndon-Undo: ${taskId}\nAndon-Decided-By: ${by}\n`;

/** The way out is gated like the way in: a gate that turns red by the revert (and was not red before) stops it. */
async function passGates(
  world: World,
  record: LineRecord,
  target: string,
  commit: string,
  tree: string,
): Promise<void> {
  const job = { ...gateJob(world, record), base: target };
  const gates = job.gates.map((gate) => ({ ...gate, mustFailBefore: false }));
  const run = await runGates(world, { ...job, gates }, commit, tree, new AbortController().signal);
  world.folders.tidy(record.taskId);
  if (!run.ok) throw new Problem('conflict', run.why, 'andon doctor', 1);
  const red = run.value.results.filter(({ blocks }) => blocks).map(({ name }) => name);
  if (red.length > 0)
    throw new Problem(
      'conflict',
      `without ${record.taskId} these gates are red: ${red.join(', ')}`,
      `git revert -m 1 ${record.merge?.commit.slice(0, 12) ?? ''}, and mend what depends on it`,
      1,
    );
}
