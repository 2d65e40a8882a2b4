import { listLostTests, type PassedTests } from '../../source/test-results/compare-tests.ts';
import type { TestOutcome } from '../../source/test-results/test-points.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { readTestResults, type FailedTest } from '../../source/test-results/read-test-results.ts';
import { getLastLine } from '../../base/get-last-line.ts';
import type { GateResult, GateRun } from '../record/change.ts';
import { extractFailures } from '../../base/failure-excerpt.ts';
import { findConsent, isSameCommand, type BaseRun, type GateConsent } from '../record/base-run.ts';
import { gateKey, type GateCommand, type TaskGate } from '../../project/contract/gate.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { judgeGate, findUnansweredRed } from '../core/gate-verdict.ts';
import type { CagedResult } from '../../sandbox/cage.ts';
import { askBase, keepGreenRuns, type BaseQuestion, type BaseRuns, type RanOnce } from './base-runs.ts';
import { getEnds, getTail, KEPT_CHARACTERS, prepareShare, type Shares } from './prepare-share.ts';
import { prepareGateTree, type GatePlace } from './prepare-gate-tree.ts';
import { Stopped } from '../journal/stopped.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { GateServices, Needs } from '../services/services.ts';
import { makeItGreen } from '../breakers/base-red.ts';
import type { Facts } from '../record/facts.ts';
import { toBranchName } from '../../base/names.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { createFaultOutcome } from '../core/step.ts';

/** Which gates to run for whom, on which base, and what a human said about those that are not green there. */
export interface GateJob extends BaseQuestion {
  readonly consents: readonly GateConsent[];
}

/** The gates of a task: the project's, the contract's, and those the implementer does not know. */
export const createGateJob = (
  services: Needs<'settings'>,
  { taskId, base, contract, grants }: TaskRecord,
): GateJob => ({
  taskId,
  base,
  gates: [...listProjectGates(services), ...[...contract.gates, ...contract.holdout.gates].map(toContractGate)],
  consents: grants.gates,
});

/** The gates that every task of the project has. */
export const listProjectGates = ({ settings }: Needs<'settings'>): readonly TaskGate[] =>
  settings.gates.map((gate) => ({ ...gate, of: 'project' }));

const toContractGate = (gate: GateCommand): TaskGate => ({ ...gate, of: 'contract' });

/** Runs every gate on the base before any code of a change runs. Returns a reason when one cannot run. */
export async function runOnBase(
  services: GateServices,
  job: GateJob,
  signal: AbortSignal,
): Promise<Outcome<BaseRuns, string>> {
  if (job.gates.length === 0) return success(new Map());
  const share = once(() => readyFor(services, job, signal));
  const place = prepareGateTree(services, job.taskId, job.where === undefined ? 'base' : 'second', job.base);
  return askBase(services, job, async (gate) => {
    const ready = await share();
    if (!ready.ok) return { outcome: 'error', exit: null, ms: 0, output: '', why: ready.why };
    const { written, folder, ...ran } = await runOne(place, gate, ready.value, signal);
    const unwritten = written.length === 0 ? gate.results : undefined;
    return { ...ran, tests: readTests(ran.outcome, written, folder), unwritten };
  });
}

/** Runs every gate on a commit, whose base was asked; a reason when something could not be run, which is neither red nor green. */
export async function runGates(
  services: GateServices,
  job: GateJob,
  runs: BaseRuns,
  { commit, tree }: { readonly commit: string; readonly tree: string },
  signal: AbortSignal,
): Promise<Outcome<GateRun, string>> {
  const { gates } = job;
  if (gates.length === 0) return success({ tree, cage: services.cage.name, results: [] });
  const share = await readyFor(services, job, signal);
  if (!share.ok) return share;
  const baseTree = await services.repository.treeOf(job.base);
  const place = prepareGateTree(services, job.taskId, 'gates', commit);
  const run = (gate: GateCommand): Promise<Ran> => runOne(place, gate, share.value, signal);
  const results: GateResult[] = [];
  const green: [TaskGate, Ran][] = [];
  for (const gate of gates) {
    const base = runs.get(gateKey(gate));
    const first = await run(gate);
    // One green run of what is known to be flaky proves nothing.
    const again = first.outcome === 'green' && base?.outcome === 'flaky' ? await run(gate) : first;
    const error = [first, again].find(({ outcome }) => outcome === 'error');
    if (error !== undefined) return failure(`gate ${gate.name} cannot be run: ${error.why}`);
    const outcome = first.outcome !== again.outcome ? 'flaky' : again.outcome === 'green' ? 'green' : 'red';
    const way = findConsent(job.consents, gate, baseTree)?.way;
    const lost = way === 'test by test' && base !== undefined ? lostTests(base, again, again.folder) : undefined;
    results.push(judgeGate(gate, { ...again, outcome, lost }, base, way));
    if (outcome === 'green') green.push([gate, again]);
    services.say({ kind: 'gate', taskId: job.taskId, name: gate.name, outcome, ms: first.ms });
  }
  await keepGreenRuns(services, { base: job.base, tree }, green);
  return success({ tree, cage: services.cage.name, results });
}

/** What gates need before one can run: a cage, and the shared folders; made once for all of them. */
async function readyFor(services: GateServices, job: GateJob, signal: AbortSignal): Promise<Outcome<Shares, string>> {
  const missing = await services.cage.unavailable();
  return missing === undefined
    ? prepareShare(services, job, signal)
    : failure(
        `gates cannot run: ${missing}; or say \`cage: none\` in your own configuration to run them without a cage`,
      );
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

/** A run whose results are parsed lazily. */
type Ran = Omit<RanOnce, 'tests'> & { readonly written: readonly string[]; readonly folder: string };

/** A gate that cannot be run is tried once more before it counts as a fault. */
async function runOne(place: GatePlace, gate: GateCommand, share: Shares, signal: AbortSignal): Promise<Ran> {
  const run = async (): Promise<Ran> => {
    const result = await place(order(gate, share, signal), gate.results);
    // What was cut off at a limit are no results, however many millions of lines it has.
    const printed = result.ended === 'exited' ? result.output : '';
    const written = gate.results === undefined ? [printed] : (result.written ?? []);
    return { ...read(result, gate), written, folder: result.folder, ...summariseTests(written, result.folder) };
  };
  const first = await run();
  return first.outcome === 'error' ? run() : first;
}

const order = (gate: GateCommand, share: Shares, signal: AbortSignal) => ({
  run: gate.run,
  network: false,
  share,
  timeoutMs: gate.timeoutMinutes * 60_000,
  signal,
});

/** 126 and 127 are the shell's "cannot be run"; so are a timeout and a cage that did not start. */
function read(result: CagedResult, gate: GateCommand): Omit<RanOnce, 'tests'> {
  if (result.ended === 'aborted') throw new Stopped();
  const output = extractFailures(getEnds(result.output), KEPT_CHARACTERS);
  const base = { exit: result.exit, ms: result.ms, output };
  const last = getLastLine(getTail(result.output));
  if (result.ended === 'timeout')
    return { ...base, outcome: 'error', why: `it did not end within ${gate.timeoutMinutes} minutes` };
  if (result.ended === 'limit') return { ...base, outcome: 'error', why: result.limit ?? 'it passed a limit' };
  if (result.ended === 'not started') return { ...base, outcome: 'error', why: last };
  if (result.exit === 126 || result.exit === 127)
    return { ...base, outcome: 'error', why: `\`${gate.run}\` ended with ${result.exit} (not runnable): ${last}` };
  return { ...base, outcome: result.exit === 0 ? 'green' : 'red', why: '' };
}

/** The files with results, or what a gate printed. */
type Written = readonly string[];
type Tests = NonNullable<BaseRun['tests']>;

/**
 * The tests of a run that took place in `folder`, where they can be read whole. A red run in whose results nothing is red
 * was red for another reason, which no comparison of tests would see.
 */
function readTests(outcome: RanOnce['outcome'], written: Written, folder: string): Tests | undefined {
  const read = outcome === 'error' ? undefined : readTestResults(written, folder);
  if (read === undefined) return undefined;
  const outcomes = maskNames(read.tests);
  if (outcome === 'red' && !outcomes.some(([, one]) => one === 'failed')) return undefined;
  return { format: read.format, outcomes };
}

/** Names are kept and shown, so both sides of a comparison are masked; of two that become one, the failed one counts. */
function maskNames(tests: ReadonlyMap<string, TestOutcome>): [string, TestOutcome][] {
  const masked = new Map<string, TestOutcome>();
  for (const [name, outcome] of tests) {
    const shown = withoutSecrets(name);
    if (masked.get(shown) !== 'failed') masked.set(shown, outcome);
  }
  return [...masked];
}

/** The passed tests of a run, counted, and its failed ones; both unknown without machine-readable results. */
function summariseTests(
  written: Written,
  folder: string,
): { readonly passed?: PassedTests; readonly failures?: readonly FailedTest[] } {
  const read = readTestResults(written, folder);
  return read === undefined ? {} : { passed: { format: read.format, count: read.passed }, failures: read.failures };
}

/** The tests that passed on the base and no longer do; undefined where the results of one side cannot be read. */
function lostTests(
  base: BaseRun,
  after: Pick<RanOnce, 'outcome'> & { readonly written: Written },
  folder: string,
): readonly string[] | undefined {
  const now = readTests(after.outcome, after.written, folder);
  if (base.tests === undefined || now === undefined || now.format !== base.tests.format) return undefined;
  return listLostTests(toResults(base.tests), toResults(now)).map(({ id, now: how }) => `${id} (${how})`);
}

const toResults = ({ format, outcomes }: Tests) => ({ format, tests: new Map(outcomes) });

/** The most tasks, newest first, whose halts are searched for a person's consent to a gate. */
const REMEMBERED_TASKS = 200;

/** The results of a task's gates on its base, and the job of running them on a change. */
export interface CheckedBase {
  readonly runs: BaseRuns;
  readonly job: GateJob;
  /** A person's consents at halts of other tasks that hold here too, for the journal. */
  readonly facts: Pick<Facts, 'consents'>;
  /** The part of it for the implementer's next prompt. */
  readonly forImplementer: readonly string[];
}

/**
 * Runs the gates of a task on its base, before an agent costs anything and before code of a change runs. A gate of the
 * project that is not green there stops the task, unless a person has consented to it.
 */
export async function checkBase(
  services: GateServices & Needs<'journal'>,
  record: TaskRecord,
  signal: AbortSignal,
): Promise<Outcome<CheckedBase, StepOutcome>> {
  const job = createGateJob(services, record);
  const runs = await runOnBase(services, job, signal);
  if (!runs.ok) return failure(createFaultOutcome(runs.why));
  if (job.gates.length === 0) return success({ runs: runs.value, job, facts: {}, forImplementer: [] });
  const tree = await services.repository.treeOf(record.base);
  const open = findUnansweredRed(job.gates, runs.value, record.grants.gates, tree);
  const answered = open.flatMap((gate) => {
    const consent = findEarlierConsent(services, record, gate, tree);
    return consent === undefined ? [] : [{ gate, consent }];
  });
  const consents = answered.map(({ consent }) => consent);
  const [gate, ...others] = open.filter((one) => findConsent(consents, one, tree) === undefined);
  if (gate !== undefined) return failure(createRedBaseOutcome(record, { gate, others, tree }, runs.value));
  return success({
    runs: runs.value,
    job: { ...job, consents: [...job.consents, ...consents] },
    facts: consents.length === 0 ? {} : { consents },
    forImplementer: answered
      .filter(({ consent }) => consent.way === 'made green')
      .map(({ gate: one }) =>
        makeItGreen({ gate: one.name, run: one.run, output: runs.value.get(gateKey(one))?.output ?? '' }),
      ),
  });
}

function createRedBaseOutcome(
  record: TaskRecord,
  { gate, others, tree }: { readonly gate: TaskGate; readonly others: readonly TaskGate[]; readonly tree: string },
  runs: BaseRuns,
): StepOutcome {
  const run = runs.get(gateKey(gate));
  if (run === undefined || (run.outcome !== 'red' && run.outcome !== 'flaky'))
    throw new Error(`gate ${gate.name} stops nothing: it is ${run?.outcome ?? 'not known'} on the base`);
  const { outcome, exit, output, tests, unwritten } = run;
  const count = (how: string): number => (tests?.outcomes ?? []).filter(([, one]) => one === how).length;
  return {
    event: 'base_red',
    reason: `gate ${gate.name} is ${outcome} on ${toBranchName(record.target)} (${record.base.slice(0, 12)})`,
    facts: {
      baseRed: {
        gate: gate.name,
        run: gate.run,
        commit: record.base,
        tree,
        outcome,
        exit,
        output,
        also: others.map(({ name }) => name),
        ...(tests === undefined
          ? {}
          : { tests: { format: tests.format, passed: count('passed'), failed: count('failed') } }),
        ...(unwritten === undefined ? {} : { unwritten }),
      },
    },
  };
}

/**
 * A person's consent at the halt of another task that holds here too: on the same tree. A consent to compare test by test
 * also holds on a tree that andon made from it by merging a task under this consent. Where the task that should have made
 * the gate green was given up, the next one should.
 */
function findEarlierConsent(
  { journal }: Needs<'journal'>,
  { taskId, base }: TaskRecord,
  gate: TaskGate,
  tree: string,
): GateConsent | undefined {
  for (const id of journal.taskIds().slice(-REMEMBERED_TASKS).toReversed()) {
    const other = id === taskId ? undefined : foldJournal(journal.entries(id));
    const consents = other?.grants.gates ?? [];
    const merged = other?.status === 'merged' && [other.merge?.tip, other.merge?.commit].includes(base);
    const answer = merged
      ? consents.findLast(
          (one) => one.way === 'test by test' && one.gate === gate.name && isSameCommand(one.run, gate.run),
        )
      : findConsent(consents, gate, tree);
    if (answer !== undefined) return { ...answer, tree };
  }
  return undefined;
}
