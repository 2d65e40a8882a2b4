import type { BaseRun } from '../../record/base-run.ts';
import type { GateCommand } from '../../contract/gate.ts';
import { compareTests } from '../../test-results/compare-tests.ts';
import { passedTests } from '../../test-results/count-passed.ts';
import type { PassedTests } from '../../test-results/count-passed.ts';
import { readTestResults } from '../../test-results/read-test-results.ts';
import type { RanOnce } from './base-runs.ts';

type Tests = NonNullable<BaseRun['tests']>;

/**
 * The tests of a run that took place in `folder`, where they can be read whole. A red run in whose results nothing is red
 * was red for another reason, which no comparison of tests would see.
 */
export function testsOf(outcome: RanOnce['outcome'], text: string, folder: string): Tests | undefined {
  const read = outcome === 'error' ? undefined : readTestResults(text, folder);
  if (read === undefined) return undefined;
  const outcomes = [...read.tests];
  if (outcome === 'red' && !outcomes.some(([, one]) => one === 'failed')) return undefined;
  return { format: read.format, outcomes };
}

/** How many tests of a run passed: by what its runners say at the end, else by the results that can be read whole. */
export function passedOf({ results }: GateCommand, text: string, folder: string): PassedTests {
  const sums = results === undefined ? passedTests(text) : {};
  if (Object.keys(sums).length > 0) return sums;
  const read = readTestResults(text, folder);
  if (read === undefined) return {};
  return { [read.format]: [...read.tests.values()].filter((one) => one === 'passed').length };
}

/** The tests that passed on the base and no longer do; undefined where the results of one side cannot be read. */
export function lostTests(
  base: BaseRun,
  after: Pick<RanOnce, 'outcome'> & { readonly text: string },
  folder: string,
): readonly string[] | undefined {
  const now = testsOf(after.outcome, after.text, folder);
  if (base.tests === undefined || now === undefined || now.format !== base.tests.format) return undefined;
  return compareTests(asResults(base.tests), asResults(now)).map(({ id, now: how }) => `${id} (${how})`);
}

const asResults = ({ format, outcomes }: Tests) => ({ format, tests: new Map(outcomes) });
