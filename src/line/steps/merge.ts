import { listNonGreen, type Change } from '../record/change.ts';
import { isSameCommand } from '../record/base-run.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import { UNMEASURED, unallowed } from '../../rules/model/weakening.ts';
import { ANDON_IDENTITY, FILES, toBranchName } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { listUncovered } from '../core/gate-verdict.ts';
import { mergePin } from '../core/compute-merge-state.ts';
import { findTampering, identifyPaper, readStopFile } from '../documents/own-papers.ts';
import { checkBase, createGateJob, runGates } from '../gates/run-gates.ts';
import { readMergeState, createMergedOutcome, createRevertedOutcome } from '../git/merge-state.ts';
import { refuseDamage, type StepJournal, type StepOutcome } from '../journal/step-journal.ts';
import { checkMerged, createBlockedOutcome, rebaseChange, handleRewrittenTarget } from '../git/follow-target.ts';
import { buildMerge, type MergeCommits } from '../git/merge-commits.ts';
import { measureRuns } from '../gates/measure-gates.ts';
import type { GateServices, Needs } from '../services/services.ts';
import { explainComments } from '../core/comment-path.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { createFaultOutcome } from '../core/step.ts';

/** Why the target was not moved: `wide` where no merge could land there now, `instead` where the step has another end. */
type Refused = {
  readonly reason: string;
  readonly wide?: true;
  readonly instead?: StepOutcome;
  /** The paths at which the user's own files are the reason. */
  readonly inTheWay?: readonly string[];
};

type Merge = NonNullable<Facts['merge']>;

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
    if (target === undefined)
      return createBlockedOutcome({ reason: `the target branch ${short(log.record)} is gone`, wide: true });
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
  return createBlockedOutcome(refused);
}

/** A verdict counts only for the very tree, contract and gate run it was given for. */
function explainUnbound(record: TaskRecord): string | undefined {
  const { change, gates, contractDigest } = record;
  const report = record.report;
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
    ({ name, run }) => !results.some((one) => one.name === name && isSameCommand(one.run, run)),
  );
  return missed === undefined ? undefined : `gate ${missed.name} has not run on the judged tree`;
}

const gatesAgain = ({ base }: TaskRecord, why: string): StepOutcome => ({
  event: 'gates_again',
  reason: `${why}; the gates run again`,
  facts: { targetMoved: { base } },
});

const short = (record: TaskRecord): string => toBranchName(record.target);

const merged = (record: TaskRecord, at: Merge): StepOutcome => {
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
  const result = await checkMerged(services, record, target, {
    tree: await services.repository.mergeTrees(target, change.commit),
    conflict: `${short(record)} moved and conflicts with the change`,
  });
  if (!result.ok) return result;
  const tree = result.value;
  const objection =
    (await explainRecheck(services, record, change, target)) ??
    (await gateMerge(services, record, change, { target, tree }, signal));
  if (objection === undefined) return success(tree);
  if (typeof objection !== 'string') return failure(objection);
  return failure(await rebaseChange(services, record, { target, tree, reason: `${short(record)} moved${objection}` }));
}

/** Why a change is judged again on a moved target: its configuration or a file of the change differs there. */
async function explainRecheck(
  { configuration, repository }: Needs<'configuration' | 'repository'>,
  { base }: TaskRecord,
  { files }: Change,
  target: string,
): Promise<string | undefined> {
  if (!(await configuration.isSame(base, target)))
    return ' and its configuration changed; its gates and rules, review and judge look again';
  const moved = new Set((await repository.diff(base, target)).flatMap(getTouchedPaths));
  const overlap = files.filter((file) => getTouchedPaths(file).some((path) => moved.has(path)));
  if (overlap.length === 0) return undefined;
  return ` in ${overlap.map(({ path }) => path).join(', ')}; gates, review and judge look again`;
}

/** Runs the gates on the merge result. A text says why the change is judged again; else the outcome of the step. */
async function gateMerge(
  services: GateServices & Needs<'journal'>,
  record: TaskRecord,
  change: Change,
  { target, tree }: { readonly target: string; readonly tree: string },
  signal: AbortSignal,
): Promise<string | StepOutcome | undefined> {
  const plan = { parents: [target], message: 'trial merge\n', at: record.updatedAt, author: ANDON_IDENTITY };
  const commit = await services.repository.commitTree(tree, plan);
  const base = await checkBase(services, { ...record, base: target }, signal);
  if (!base.ok) return base.why.facts.baseRed === undefined ? base.why : `, and there ${base.why.reason}`;
  const { job, runs, facts } = base.value;
  if (facts.consents !== undefined) return ', and not every gate is green there; the gates look again';
  const gates = await runGates(services, job, runs, { commit, tree }, signal);
  if (!gates.ok) return createFaultOutcome(gates.why);
  const red = gates.value.results.filter(({ blocks }) => blocks).map(({ name }) => name);
  if (red.length > 0) return ` and ${red.join(', ')} is red on the merge result`;
  const results = await measureRuns(services, record, change, record.weakeningReport ?? UNMEASURED, gates.value);
  const fewer = unallowed(results).find(({ kind }) => kind === 'fewer_run' || kind === 'uncountable');
  return fewer === undefined ? undefined : `, and on the merge result ${fewer.what}`;
}

type LandServices = Needs<
  'bell' | 'clock' | 'configuration' | 'digest' | 'handoff' | 'journal' | 'repository' | 'say' | 'settings'
>;

/** Builds what lands and moves the target to it: with the ticked TODO.md, or without where only that is in the way. */
async function land(
  services: LandServices,
  log: StepJournal,
  { target, tree, signal }: { readonly target: string; readonly tree: string; readonly signal: AbortSignal },
): Promise<Outcome<Merge, Refused>> {
  try {
    const made = await buildMerge(services, log.record, { target, tree, ticks: true });
    if (!made.ok) return failure({ reason: made.why, wide: true });
    const landed = await moveTarget(services, log, target, made.value, signal);
    if (landed.ok || !made.value.isTicked || !isOnlyTodoInTheWay(landed.why)) return landed;
    const plain = await buildMerge(services, log.record, { target, tree, ticks: false });
    if (!plain.ok) return failure({ reason: plain.why, wide: true });
    const unticked = await moveTarget(services, log, target, plain.value, signal);
    const text = `TODO.md could not be ticked (${landed.why.reason.split('\n')[0] ?? ''}); merged without it`;
    if (unticked.ok) services.say({ kind: 'word', level: 'warn', text });
    return unticked;
  } catch (error) {
    if (error instanceof Problem) return failure({ reason: `${error.message}; ${error.remedy}`, wide: true }); // it could not be signed
    throw error;
  }
}

const isOnlyTodoInTheWay = ({ inTheWay = [] }: Refused): boolean => inTheWay.length === 1 && inTheWay[0] === 'TODO.md';

/** Journals the merge, pins it, and moves the target; nothing that halts the line comes between. */
async function moveTarget(
  services: LandServices,
  log: StepJournal,
  target: string,
  { commit, tip }: MergeCommits,
  signal: AbortSignal,
): Promise<Outcome<Merge, Refused>> {
  const { repository } = services;
  const at = { target: log.record.target, commit, tip };
  const landed = await runOnceDecided(services, log, signal, async (contract) => {
    refuseDamage(services.journal); // the last agent and every gate have run, so what is on the disk now is merged
    const halts = findTampering(services, log.record, contract) ?? readStopFile(services.handoff);
    const instead = halts ?? sendBackLate(services, log.record);
    if (instead !== undefined) return failure<Refused>({ reason: instead.reason, instead });
    log.note({ kind: 'merging', at: services.clock.now(), old: target, ...at });
    const pin = mergePin(log.record.taskId);
    const handed = await repository.publish([{ ref: pin, old: await repository.resolve(pin), to: tip }]);
    return handed.ok ? repository.land(log.record.target, target, tip) : failure({ reason: handed.why });
  });
  return landed.ok ? success(at) : landed;
}

/**
 * Runs the merge with the contract as it is on disk at that moment. A text that is no contract may be half of one: then it
 * waits until the poll of the folder has halted the line, or the text has become a contract.
 */
async function runOnceDecided<Value>(
  services: Needs<'bell' | 'digest' | 'handoff' | 'journal'>,
  log: StepJournal,
  signal: AbortSignal,
  work: (contract: Outcome<string | undefined, string>) => Promise<Value>,
): Promise<Value> {
  for (;;) {
    const done = await log.landings.run(signal, async () => {
      const contract = services.handoff.read(FILES.contract);
      if (identifyPaper(services, log.record, contract) === 'unfinished') return undefined;
      return { value: await work(contract) };
    });
    if (done !== undefined) return done.value;
    await services.bell.next(signal);
  }
}

/** A change with open comments of a person goes back to the implementer; undefined without one, and at the implementer. */
export const sendBack = (record: TaskRecord): StepOutcome | undefined =>
  record.comments.length === 0 || record.status === 'pending_implementer'
    ? undefined
    : { event: 'sent_back', reason: explainComments(record.comments), facts: {} };

/** The same with the comments that came while the step ran. */
const sendBackLate = ({ journal }: Needs<'journal'>, record: TaskRecord): StepOutcome | undefined =>
  sendBack(foldJournal(journal.entries(record.taskId)) ?? record);
