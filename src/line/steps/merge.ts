import { listNonGreen } from '../record/change.ts';
import { UNMEASURED, unallowed } from '../../rules/model/weakening.ts';
import { ANDON_IDENTITY, FILES, toBranchName } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { getJudgeReport } from '../record/review.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { listUncovered } from '../core/gate-verdict.ts';
import { mergePin } from '../core/compute-merge-state.ts';
import { findTampering, isUnfinishedContract, readStopFile } from '../documents/own-papers.ts';
import { checkBase, createGateJob, runGates } from '../gates/run-gates.ts';
import { readMergeState, createMergedOutcome, createRevertedOutcome } from '../git/merge-state.ts';
import { refuseDamage, type StepJournal, type StepOutcome } from '../journal/step-journal.ts';
import { rebaseChange, handleRewrittenTarget, createEmptyChangeOutcome } from '../git/rewritten-target.ts';
import { mergeCommits } from '../git/merge-commits.ts';
import { measureRuns } from '../gates/measure-gates.ts';
import type { GateServices, Needs } from '../services/services.ts';
import { describeSendBack } from '../core/send-back.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { createFaultOutcome } from '../core/step.ts';

/** Why the target was not moved: `wide` where no merge could land there now, `instead` where the step has another end. */
type Refused = { readonly reason: string; readonly wide?: true; readonly instead?: StepOutcome };

/** Times the target may move under the merge before it is left to a human. */
const TRIES = 3;

/** Merges the judged change exactly once: dry run, deterministic commit, then one move of the target branch. */
export async function merge(
  services: GateServices & Needs<'bell' | 'clock' | 'configuration' | 'handoff' | 'journal'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const unbound = explainUnbound(log.record);
  if (unbound !== undefined) return createFaultOutcome(unbound);
  const again = explainGateRerun(services, log.record);
  if (again !== undefined) return gatesAgain(log.record, again);
  let refused: Refused = { reason: '' };
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const target = await services.repository.resolve(log.record.target);
    if (target === undefined) return blocked({ reason: `the target branch ${short(log.record)} is gone`, wide: true });
    const standing = await readMergeState(services, log.record);
    if (standing.is === 'merged') return merged(log.record, standing.merge);
    if (standing.is === 'taken back') return createRevertedOutcome(log.record, standing.merge);
    const rebuilt = await handleRewrittenTarget(services, log.record, target);
    if (rebuilt) return rebuilt;
    const prepared = await prepare(services, log.record, target, signal);
    if (!prepared.ok) return prepared.why;
    const landed = await land(services, log, { target, tree: prepared.value, signal });
    if (landed.ok) return merged(log.record, landed.value);
    if (landed.why.instead !== undefined) return landed.why.instead;
    refused = landed.why;
    if ((await services.repository.resolve(log.record.target)) === target) break; // refused for another reason than a moved target
  }
  return blocked(refused);
}

/** A verdict counts only for the very tree, contract and gate run it was given for. */
function explainUnbound(record: TaskRecord): string | undefined {
  const { change, gates, contractDigest } = record;
  const report = getJudgeReport(record);
  if (change === undefined || report === undefined || gates === undefined)
    return 'there is no judged change with a gate run to merge';
  if (report.tree !== change.tree || report.commit !== change.commit)
    return `the report is about commit ${report.commit.slice(0, 12)}, the change is ${change.commit.slice(0, 12)}`;
  if (report.contractDigest !== contractDigest) return 'the report was made for another version of the contract';
  return gates.tree === change.tree ? undefined : 'the gates ran on another tree than the one that was judged';
}

/**
 * Nothing but green is merged: what an older andon let pass as red on the base too goes back to the gates, and so does a
 * change that a gate which was configured since has not seen.
 */
function explainGateRerun(services: Needs<'settings'>, record: TaskRecord): string | undefined {
  const [open] = listUncovered(record);
  if (open !== undefined)
    return `gate ${open.name} is ${open.outcome} on the judged tree, and no person has allowed that`;
  const results = record.gates?.results ?? [];
  const missed = createGateJob(services, record).gates.find(
    ({ name, run }) => !results.some((one) => one.name === name && one.run === run),
  );
  return missed === undefined ? undefined : `gate ${missed.name} has not run on the judged tree`;
}

const gatesAgain = ({ base }: TaskRecord, why: string): StepOutcome => ({
  event: 'gates_again',
  reason: `${why}; the gates run again`,
  facts: { targetMoved: { base } },
});

const short = (record: TaskRecord): string => toBranchName(record.target);

const blocked = (why: Refused & { readonly conflictsWith?: string }): StepOutcome => ({
  event: 'merge_blocked',
  reason: why.reason,
  facts: { mergeBlocked: why },
});

const merged = (record: TaskRecord, at: NonNullable<Facts['merge']>): StepOutcome => {
  const as = createMergedOutcome(record, at);
  return { ...as, reason: `${as.reason}${gatesInWords(record)}` };
};

/** That nothing was gated, or not all of it is green, is never merged in silence. */
function gatesInWords({ gates }: TaskRecord): string {
  if (gates?.results.length === 0) return '; there is no gate';
  const compared = listNonGreen(gates).map(({ name }) => name);
  return compared.length === 0 ? '' : `; compared test by test, as you chose: ${compared.join(', ')}`;
}

/** The tree to merge; when the target moved, the merge is tried out first and its gates run. */
async function prepare(
  services: GateServices & Needs<'configuration' | 'journal'>,
  record: TaskRecord,
  target: string,
  signal: AbortSignal,
): Promise<Outcome<string, StepOutcome>> {
  const { change } = record;
  if (change === undefined) throw new Error('there is no change to merge');
  if (target === record.base) return success(change.tree);
  const result = await services.repository.mergeTrees(target, change.commit);
  if (!result.ok)
    return failure(
      blocked({
        reason: `${short(record)} moved and conflicts with the change in ${result.why.join(', ')}`,
        conflictsWith: target,
      }),
    );
  if (result.value === (await services.repository.treeOf(target)))
    return failure(createEmptyChangeOutcome(record, target));
  const moved = new Set(
    (await services.repository.diff(record.base, target)).flatMap(({ path, from }) => [path, from]),
  );
  const overlap = change.files
    .filter(({ path, from }) => moved.has(path) || (from !== undefined && moved.has(from)))
    .map(({ path }) => path);
  const back = (reason: string): Promise<StepOutcome> =>
    rebaseChange(services, record, { target, tree: result.value, reason });
  if (!(await services.configuration.isSame(record.base, target)))
    return failure(
      await back(
        `${short(record)} moved and its configuration changed; its gates and rules, review and judge look again`,
      ),
    );
  if (overlap.length > 0)
    return failure(await back(`${short(record)} moved in ${overlap.join(', ')}; gates, review and judge look again`));
  const trial = await services.repository.commitTree(result.value, {
    parents: [target],
    message: 'trial merge\n',
    at: record.updatedAt,
    author: ANDON_IDENTITY,
  });
  const base = await checkBase(services, { ...record, base: target }, signal);
  if (!base.ok && base.why.facts.baseRed !== undefined)
    return failure(await back(`${short(record)} moved, and there ${base.why.reason}`));
  if (!base.ok) return failure(base.why);
  if (base.value.facts.consents !== undefined)
    return failure(await back(`${short(record)} moved, and not every gate is green there; the gates look again`));
  const at = { commit: trial, tree: result.value };
  const gates = await runGates(services, base.value.job, base.value.runs, at, signal);
  if (!gates.ok) return failure(createFaultOutcome(gates.why));
  const red = gates.value.results.filter(({ blocks }) => blocks).map(({ name }) => name);
  if (red.length > 0)
    return failure(await back(`${short(record)} moved and ${red.join(', ')} is red on the merge result`));
  const results = await measureRuns(services, record, change, record.weakeningReport ?? UNMEASURED, gates.value);
  const fewer = unallowed(results).find(({ kind }) => kind === 'fewer_run' || kind === 'uncountable');
  if (fewer !== undefined) return failure(await back(`${short(record)} moved, and on the merge result ${fewer.what}`));
  return success(result.value);
}

/** Writes what lands (and the ticked TODO.md with it) and moves the target to it. */
async function land(
  services: Needs<
    'bell' | 'clock' | 'configuration' | 'digest' | 'handoff' | 'journal' | 'repository' | 'say' | 'settings'
  >,
  log: StepJournal,
  { target, tree, signal }: { readonly target: string; readonly tree: string; readonly signal: AbortSignal },
): Promise<Outcome<NonNullable<Facts['merge']>, Refused>> {
  const { repository } = services;
  let why: Refused | undefined;
  try {
    for await (const made of mergeCommits(services, log.record, { target, tree })) {
      if (why !== undefined)
        services.say({
          kind: 'word',
          level: 'warn',
          text: `TODO.md could not be ticked (${why.reason.split('\n')[0] ?? ''}); merging without it`,
        });
      if (!made.ok) return failure({ reason: made.why, wide: true });
      const at = { target: log.record.target, ...made.value };
      const landed = await runOnceDecided(services, log, signal, async (contract) => {
        refuseDamage(services.journal); // the last agent and every gate have run, so what is on the disk now is merged
        const halts = findTampering(services, log.record, contract) ?? readStopFile(services.handoff);
        const instead = halts ?? sendBackLate(services, log.record);
        if (instead !== undefined) return failure<Refused>({ reason: instead.reason, instead });
        log.note({ kind: 'merging', at: services.clock.now(), old: target, ...at });
        const pin = mergePin(log.record.taskId);
        const handed = await repository.publish([{ ref: pin, old: await repository.resolve(pin), to: at.tip }]);
        return handed.ok ? repository.land(log.record.target, target, at.tip) : failure({ reason: handed.why });
      });
      if (landed.ok) return success(at);
      why = landed.why;
      if (why.instead !== undefined) break;
    }
  } catch (error) {
    if (error instanceof Problem) return failure({ reason: `${error.message}; ${error.remedy}`, wide: true }); // it could not be signed
    throw error;
  }
  return failure(why ?? { reason: '' });
}

/**
 * Runs the merge with the contract as it is on disk at that moment. A text that is no contract may be half of one: then it
 * waits until the poll of the folder has halted the line, or the text has become a contract.
 */
async function runOnceDecided<Value>(
  { bell, handoff }: Needs<'bell' | 'handoff'>,
  { landings }: StepJournal,
  signal: AbortSignal,
  work: (contract: ReturnType<typeof handoff.read>) => Promise<Value>,
): Promise<Value> {
  for (;;) {
    const done = await landings.run(signal, async () => {
      const contract = handoff.read(FILES.contract);
      return isUnfinishedContract(contract) ? undefined : { value: await work(contract) };
    });
    if (done !== undefined) return done.value;
    await bell.next(signal);
  }
}

/** A change with open comments of a person goes back to the implementer; undefined without one, and at the implementer. */
export const sendBack = (record: TaskRecord): StepOutcome | undefined =>
  record.comments.length === 0 || record.status === 'pending_implementer'
    ? undefined
    : { event: 'sent_back', reason: describeSendBack(record.comments), facts: {} };

/** The same with the comments that came while the step ran. */
const sendBackLate = ({ journal }: Needs<'journal'>, record: TaskRecord): StepOutcome | undefined =>
  sendBack(foldJournal(journal.entries(record.taskId)) ?? record);
