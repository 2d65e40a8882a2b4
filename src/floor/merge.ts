import { isUtf8 } from 'node:buffer';
import { redOnBaseToo } from '../formats/change.ts';
import { branchName } from '../formats/names.ts';
import type { Facts } from '../formats/journal-entry.ts';
import type { LineRecord } from '../formats/line-record.ts';
import { failure, success } from '../formats/outcome.ts';
import { tick } from '../line/todo.ts';
import { gateJob, runGates } from './gates.ts';
import type { StepLog, StepOutcome } from './step-log.ts';
import { AUTHOR, measure, publishAttempt } from './steps/apply-change.ts';
import type { World } from './world.ts';

/** Times the target may move under the merge before it is left to a human. */
const TRIES = 3;

/** Merges the judged change exactly once: dry run, deterministic commit, then one move of the target branch. */
export async function merge(world: World, log: StepLog, signal: AbortSignal): Promise<StepOutcome> {
  const unbound = notBound(log.record);
  if (unbound !== undefined) return { event: 'fault', reason: unbound, facts: { fault: unbound } };
  let reason = '';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const target = await world.repository.resolve(log.record.target);
    if (target === undefined) return blocked(`the target branch ${short(log.record)} is gone`);
    const done = await alreadyMerged(world, log.record, target);
    if (done) return done;
    const prepared = await prepare(world, log.record, target, signal);
    if (!prepared.ok) return prepared.why;
    const landed = await land(world, log, target, prepared.value);
    if (landed.ok) return merged(log.record, landed.value);
    reason = landed.why;
    if ((await world.repository.resolve(log.record.target)) === target) break; // refused for another reason than a moved target
  }
  return blocked(reason);
}

/** A verdict counts only for the very tree, contract and gate run it was given for. */
function notBound({ change, gates, report, contractDigest }: LineRecord): string | undefined {
  if (change === undefined || report === undefined || gates === undefined)
    return 'there is no judged change with a gate run to merge';
  if (report.tree !== change.tree || report.commit !== change.commit)
    return `the report is about commit ${report.commit.slice(0, 12)}, the change is ${change.commit.slice(0, 12)}`;
  if (report.contractDigest !== contractDigest) return 'the report was made for another version of the contract';
  if (gates.tree !== change.tree) return 'the gates ran on another tree than the one that was judged';
  return gates.results.some(({ blocks }) => blocks) ? 'a gate is red on the judged tree' : undefined;
}

const short = (record: LineRecord): string => branchName(record.target);

const blocked = (reason: string, conflictsWith?: string): StepOutcome => ({
  event: 'merge_blocked',
  reason,
  facts: { mergeBlocked: { reason, ...(conflictsWith === undefined ? {} : { conflictsWith }) } },
});

const merged = (record: LineRecord, at: NonNullable<Facts['merge']>): StepOutcome => ({
  event: 'pass',
  reason: `merged into ${short(record)} as ${at.commit.slice(0, 12)}${unproven(record)}`,
  facts: { merge: at },
});

/** A red gate is never merged in silence, even where it was red before the change. */
function unproven({ gates }: LineRecord): string {
  const red = redOnBaseToo(gates);
  return red.length === 0 ? '' : `; red on the base too, so no evidence either way: ${red.join(', ')}`;
}

/** Whether the merge that was intended stands in the target already. */
export async function isInTarget(world: World, record: LineRecord): Promise<boolean> {
  const target = await world.repository.resolve(record.target);
  return record.merge !== undefined && target !== undefined && world.repository.isAncestor(record.merge.commit, target);
}

/** After a crash between the merge and its record the target holds it already; then there is nothing left to do. */
async function alreadyMerged(world: World, record: LineRecord, target: string): Promise<StepOutcome | undefined> {
  const { merge: intended } = record;
  if (intended === undefined || !(await world.repository.isAncestor(intended.commit, target))) return undefined;
  return merged(record, intended);
}

type Prepared = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly why: StepOutcome };

/** The tree to merge; when the target moved, the merge is tried out first and its gates run. */
async function prepare(world: World, record: LineRecord, target: string, signal: AbortSignal): Promise<Prepared> {
  const { change } = record;
  if (change === undefined) throw new Error('there is no change to merge');
  if (target === record.base) return success(change.tree);
  const result = await world.repository.mergeTrees(target, change.commit);
  if (!result.ok)
    return {
      ok: false,
      why: blocked(`${short(record)} moved and conflicts with the change in ${result.why.join(', ')}`, target),
    };
  const moved = new Set((await world.repository.diff(record.base, target)).flatMap(({ path, from }) => [path, from]));
  const overlap = change.files
    .filter(({ path, from }) => moved.has(path) || (from !== undefined && moved.has(from)))
    .map(({ path }) => path);
  const back = (reason: string): Promise<StepOutcome> => onNewBase(world, record, target, result.value, reason);
  if (overlap.length > 0)
    return failure(await back(`${short(record)} moved in ${overlap.join(', ')}; gates, review and judge look again`));
  const trial = await world.repository.commitTree(result.value, {
    parents: [target],
    message: 'trial merge\n',
    at: record.updatedAt,
    author: AUTHOR,
  });
  const gates = await runGates(world, gateJob(world, record), trial, result.value, signal);
  if (!gates.ok) return { ok: false, why: { event: 'fault', reason: gates.why, facts: { fault: gates.why } } };
  const red = gates.value.results.filter(({ blocks }) => blocks).map(({ name }) => name);
  if (red.length > 0)
    return failure(await back(`${short(record)} moved and ${red.join(', ')} is red on the merge result`));
  return success(result.value);
}

/** The change as one commit on the new target; everything that was said about the old one is void. */
async function onNewBase(
  world: World,
  record: LineRecord,
  target: string,
  tree: string,
  reason: string,
): Promise<StepOutcome> {
  const message = `[TASK: ${record.taskId}] Transition: pending_implementer (Event: target_moved)\n\nAndon-Task: ${record.taskId}\nAndon-Attempt: ${record.attempt}\n`;
  const commit = await world.repository.commitTree(tree, {
    parents: [target],
    message,
    at: record.updatedAt,
    author: AUTHOR,
  });
  const refused = await publishAttempt(world, record, commit);
  if (refused !== undefined) return { event: 'fault', reason: refused, facts: { fault: refused } };
  const change = await measure(world, { ...record, base: target }, { commit, tree }, record.change?.notes ?? '');
  return { event: 'target_moved', reason, facts: { change, targetMoved: { base: target } } };
}

/** Writes the merge commit (and the ticked TODO.md on top of it) and moves the target to it. */
async function land(
  world: World,
  log: StepLog,
  target: string,
  tree: string,
): Promise<{ ok: true; value: NonNullable<Facts['merge']> } | { ok: false; why: string }> {
  const { record } = log;
  const { repository } = world;
  const commit = await repository.commitTree(tree, {
    parents: [target, record.change?.commit ?? ''],
    message: mergeMessage(record),
    at: record.updatedAt,
    author: AUTHOR,
  });
  const ticked = await tickTodo(world, record, commit);
  let why = '';
  for (const tip of ticked === undefined ? [commit] : [ticked, commit]) {
    const at = { target: record.target, commit, tip };
    log.note({ kind: 'merging', at: world.clock.now(), old: target, ...at });
    const pin = `refs/andon/${record.taskId}/merged`;
    const handed = await repository.publish([{ ref: pin, old: await repository.resolve(pin), to: tip }]);
    if (!handed.ok) return { ok: false, why: handed.why };
    const landed = await repository.land(record.target, target, tip);
    if (landed.ok) return { ok: true, value: at };
    why = landed.why.reason;
    if (tip !== commit)
      world.say({
        kind: 'word',
        level: 'warn',
        text: `TODO.md could not be ticked (${why.split('\n')[0] ?? ''}); merging without it`,
      });
  }
  return { ok: false, why };
}

function mergeMessage(record: LineRecord): string {
  const subject = record.contract.specification.requirements[0]?.split('\n')[0]?.slice(0, 60) ?? '';
  return [
    `Merge task/${record.taskId}: ${subject}`,
    '',
    `Andon-Task: ${record.taskId}`,
    `Andon-Attempt: ${record.change?.attempt ?? record.attempt}`,
    `Andon-Report: sha256-${record.report?.digest ?? 'none'}`,
    `Andon-Contract: sha256-${record.contractDigest}`,
    ...(record.sided === 'PASS' ? ['Andon-Decided-By: human'] : []),
    '',
  ].join('\n');
}

/** A commit of its own that ticks the item of TODO.md which names the task; undefined when there is none. */
async function tickTodo(world: World, record: LineRecord, commit: string): Promise<string | undefined> {
  const file = (await world.repository.files(commit)).find(
    ({ path, mode }) => path === 'TODO.md' && mode.startsWith('100'),
  );
  if (file === undefined || (await world.repository.filtered(commit, ['TODO.md'])).size > 0) return undefined;
  const bytes = (await world.repository.read(commit, ['TODO.md'])).get('TODO.md') ?? new Uint8Array();
  if (!isUtf8(bytes)) return undefined; // writing it back would change what nobody asked for
  const text = tick(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), record.taskId);
  if (text === undefined) return undefined;
  const built = await world.repository.build(
    [{ path: 'TODO.md', mode: file.mode as '100644', content: new TextEncoder().encode(text) }],
    {
      parents: [commit],
      message: `Tick ${record.taskId} in TODO.md\n\nAndon-Task: ${record.taskId}\n`,
      at: record.updatedAt,
      author: AUTHOR,
    },
  );
  return built.commit;
}
