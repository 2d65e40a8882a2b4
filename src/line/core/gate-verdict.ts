import { listNames } from '../../base/list-names.ts';
import { type BaseRun, findConsent, isSameCommand, type GateConsent } from '../record/base-run.ts';
import type { GateResult } from '../record/change.ts';
import { toOneLine } from '../../base/fault.ts';
import { gateKey, isAcceptance, type TaskGate } from '../../project/contract/gate.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { fewerPassed, type PassedTests } from '../../source/test-results/compare-tests.ts';
import type { FailedTest } from '../../source/test-results/read-test-results.ts';

/** What any run of a gate leaves. */
export interface RanGate {
  readonly exit: number | null;
  readonly ms: number;
  readonly output: string;
  /** Undefined where it is unknown. */
  readonly passed?: PassedTests | undefined;
  /** The first failed tests, where they are known. */
  readonly failures?: readonly FailedTest[] | undefined;
}

/** The result of a gate on a change. */
export interface RanAfter extends RanGate {
  readonly outcome: 'green' | 'red' | 'flaky';
  /** Base tests that no longer pass; undefined where the results of one side are unreadable. */
  readonly lost?: readonly string[] | undefined;
}

/** The most tests listed by name; the rest is counted. */
const NAMED = 10;

/**
 * A gate's verdict on a change. Red after the change blocks, whatever the base shows. Only a person can have a project
 * gate compared test by test; then no green test may turn red or go missing.
 */
export function judgeGate(
  gate: TaskGate,
  after: RanAfter,
  base: BaseRun | undefined,
  way: GateConsent['way'] | undefined,
): GateResult {
  const { exit, ms, output, outcome } = after;
  const before: GateResult['base'] = base?.outcome ?? 'not run';
  const fewer = fewerPassed(base?.passed, after.passed);
  const result = {
    name: gate.name,
    run: gate.run,
    base: before,
    exit,
    ms,
    output,
    ...(after.passed && { passed: after.passed.count }),
    ...(fewer && { fewer }),
    ...(outcome !== 'green' && (after.failures ?? []).length > 0 ? { failures: [...(after.failures ?? [])] } : {}),
  };
  const blocked = (why: string): GateResult => blockedBy(why, result, outcome);
  if (gate.mustFailBefore === true && before !== 'red' && before !== 'impossible')
    return blocked('must be red on the base and is not, so it proves nothing about this change');
  if (way === 'test by test' && before !== 'green' && !isAcceptance(gate)) return compared(result, after);
  if (outcome === 'green') return { ...result, outcome, blocks: false };
  if (outcome === 'flaky') return blocked('its answers on the same tree differ (flaky), which lets nothing pass');
  return !isAcceptance(gate) && (before === 'red' || before === 'flaky')
    ? blocked(`${before} on the base too, which excuses nothing: it must be green`)
    : { ...result, outcome, blocks: true };
}

type Known = Omit<GateResult, 'outcome' | 'blocks'>;

/** A gate that was not green before, compared test by test. */
function compared(result: Known, { outcome, lost }: RanAfter): GateResult {
  if (lost === undefined)
    return blockedBy('it is compared test by test, and its results cannot be read whole', result, outcome);
  if (lost.length > 0) {
    const why = `compared test by test, ${lost.length} that passed on the base ${lost.length === 1 ? 'is' : 'are'} red or missing: ${named(lost)}`;
    return blockedBy(why, result, outcome);
  }
  return outcome === 'green'
    ? { ...result, outcome, blocks: false }
    : { ...result, outcome, blocks: false, consent: 'test by test' };
}

const blockedBy = (why: string, result: Known, outcome: RanAfter['outcome']): GateResult => ({
  ...result,
  outcome: outcome === 'flaky' ? 'flaky' : 'red',
  blocks: true,
  why,
});

const named = (tests: readonly string[]): string =>
  listNames(
    tests.map((test) => toOneLine(test, 120)),
    NAMED,
  );

/** The gates of the recorded run that block a merge: not green, and without consent. */
export const listUncovered = ({ gates, grants }: TaskRecord): readonly GateResult[] =>
  (gates?.results ?? []).filter(
    ({ outcome, blocks, consent, name, run }) =>
      blocks ||
      (outcome !== 'green' &&
        (consent === undefined ||
          !grants.gates.some((one) => one.gate === name && isSameCommand(one.run, run) && one.way === consent))),
  );

/** Why a task need not begin: a gate that should prove the change is green without it. */
export function findEarlyGreen(
  gates: readonly TaskGate[],
  runs: ReadonlyMap<string, BaseRun>,
  branch: string,
): string | undefined {
  const green = gates.find((gate) => gate.mustFailBefore === true && runs.get(gateKey(gate))?.outcome === 'green');
  return green === undefined
    ? undefined
    : `gate ${toOneLine(green.name, 80)} must be red on ${branch} before the change (must_fail_before) and is green there, so it would prove nothing. Abandon the task, and drop it again with a gate that is red now, or without must_fail_before`;
}

/** The first project gate that is not green on the base and has no ruling. */
export const findUnansweredRed = (
  gates: readonly TaskGate[],
  runs: ReadonlyMap<string, BaseRun>,
  consents: readonly GateConsent[],
  tree: string,
): readonly TaskGate[] =>
  gates.filter(
    (gate) =>
      !isAcceptance(gate) &&
      runs.get(gateKey(gate))?.outcome !== 'green' &&
      findConsent(consents, gate, tree) === undefined,
  );
