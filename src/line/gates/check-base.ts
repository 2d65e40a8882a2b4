import { makeItGreen } from '../breakers/base-red.ts';
import { findConsent, type GateConsent } from '../record/base-run.ts';
import { gateKey, type TaskGate } from '../../project/contract/gate.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { toBranchName } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { findUnansweredRed } from '../core/gate-verdict.ts';
import { foldJournal } from '../core/record.ts';
import type { BaseRuns } from './base-runs.ts';
import { createGateJob, runOnBase, type GateJob } from './run-gates.ts';
import { rebaseOntoTarget } from '../git/rewritten-target.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { GateServices, Needs } from '../services/services.ts';

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
  if (!runs.ok) return failure({ event: 'fault', reason: runs.why, facts: { fault: runs.why } });
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
      ? consents.findLast((one) => one.way === 'test by test' && one.gate === gate.name && one.run === gate.run)
      : findConsent(consents, gate, tree);
    if (answer !== undefined) return { ...answer, tree };
  }
  return undefined;
}

/**
 * A person may have mended the target before answering a halt about the base: a task that has not begun, and one that asks
 * again (a choice without consents), use its current commit.
 */
export async function rebaseOnAnswer(
  services: Needs<'digest' | 'repository'>,
  record: TaskRecord,
): Promise<StepOutcome | undefined> {
  const gates = record.lastChoice?.effect.gates;
  if (gates === undefined || (gates.length > 0 && record.change !== undefined)) return undefined;
  const now = await services.repository.resolve(record.target);
  return now === undefined || now === record.base
    ? undefined
    : rebaseOntoTarget(services, record, now, 'moved; its gates are asked again');
}
