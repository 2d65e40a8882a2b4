import { consentFor } from '../../record/gate-consent.ts';
import { branchName } from '../../base/names.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { foldJournal } from '../../line/record.ts';
import { Problem } from '../../base/problem.ts';
import { gateJob, ofProject, runGates, runOnBase } from '../gates/gates.ts';
import { AUTHOR } from '../git/apply-change.ts';
import { servicesAt } from '../../wiring/configuration.ts';
import type { Services } from '../../wiring/services.ts';

/** Takes a merged task out of its target branch again, by a revert commit that passes the gates; nothing else moves. */
export async function undo(services: Services, taskId: string, by: string): Promise<LineRecord> {
  const record = mergedRecord(services, taskId);
  const { repository } = services;
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
  if (pinned !== undefined && (await repository.isAncestor(pinned, target))) return note(services, record, pinned, by);
  const tree = await repository.revert(target, record.merge.commit);
  if (!tree.ok)
    throw new Problem(
      'conflict',
      `later changes stand in the way of undoing ${taskId}: ${tree.why.join(', ')}`,
      `git revert -m 1 ${record.merge.commit.slice(0, 12)}`,
      1,
    );
  const at = services.clock.now();
  const commit = await repository.commitTree(tree.value, {
    parents: [target],
    message: message(record, by),
    at,
    author: AUTHOR,
  });
  if ((await repository.diff(target, commit)).length === 0)
    throw new Problem('not-merged', `nothing of ${taskId} is left in ${short(record)}`, 'andon list', 1);
  const decided = await servicesAt(services, { ref: record.target, commit: target });
  await passGates(decided, record, target, commit, tree.value);
  const handed = await repository.publish([{ ref: pin, old: pinned, to: commit }]);
  if (!handed.ok) throw new Problem('conflict', handed.why, 'andon doctor', 1);
  const landed = await repository.land(record.target, target, commit);
  if (!landed.ok)
    throw new Problem('conflict', landed.why.reason, 'make room (commit or stash your edits) and undo again', 1);
  return note(services, record, commit, by);
}

function note(
  services: Pick<Services, 'clock' | 'journal' | 'say'>,
  record: LineRecord,
  commit: string,
  by: string,
): LineRecord {
  const entry = { kind: 'undone', at: services.clock.now(), commit, by } as const;
  services.journal.append(record.taskId, [entry]);
  const undone = foldJournal(services.journal.entries(record.taskId)) ?? record;
  services.say({ kind: 'entry', entry, record: undone });
  return undone;
}

type Merged = LineRecord & { readonly merge: NonNullable<LineRecord['merge']> };

function mergedRecord(services: Pick<Services, 'journal'>, taskId: string): Merged {
  const record = foldJournal(services.journal.entries(taskId));
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

/**
 * The way out is gated like the way in: by the gates of the project, green or as a human allowed them for this task. The
 * contract's own are about what is taken out.
 */
async function passGates(
  services: Services,
  record: LineRecord,
  target: string,
  commit: string,
  tree: string,
): Promise<void> {
  const { signal } = new AbortController();
  const gates = ofProject(services).map((gate) => ({ ...gate, mustFailBefore: false }));
  const before = await services.repository.treeOf(record.base);
  const asked = gates.filter((gate) => consentFor(record.grants.gates, gate, before) !== undefined);
  const base = await runOnBase(services, { ...gateJob(services, record), gates: asked }, signal);
  const now = await services.repository.treeOf(target);
  const consents = record.grants.gates.flatMap((one) => (one.tree === before ? [{ ...one, tree: now }] : []));
  const job = { taskId: record.taskId, base: target, gates, consents };
  const run = base.ok ? await runGates(services, job, base.value, { commit, tree }, signal) : base;
  services.folders.tidy(record.taskId);
  if (!run.ok) throw new Problem('conflict', run.why, 'andon doctor', 1);
  const red = run.value.results.filter(({ blocks }) => blocks);
  if (red.length > 0)
    throw new Problem(
      'conflict',
      `without ${record.taskId} these gates are red: ${red.map(({ name, why }) => `${name}${why === undefined ? '' : ` (${why})`}`).join(', ')}`,
      `git revert -m 1 ${record.merge?.commit.slice(0, 12) ?? ''}, and mend what depends on it`,
      1,
    );
}
