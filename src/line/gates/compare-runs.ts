import type { BaseRun } from '../record/base-run.ts';
import { listLostTests, type PassedTests } from '../../source/test-results/compare-tests.ts';
import { readTestResults, type FailedTest } from '../../source/test-results/read-test-results.ts';
import type { RanOnce } from './base-runs.ts';

/** The files with results, or what a gate printed. */
type Written = readonly string[];
type Tests = NonNullable<BaseRun['tests']>;

/**
 * The tests of a run that took place in `folder`, where they can be read whole. A red run in whose results nothing is red
 * was red for another reason, which no comparison of tests would see.
 */
export function readTests(outcome: RanOnce['outcome'], written: Written, folder: string): Tests | undefined {
  const read = outcome === 'error' ? undefined : readTestResults(written, folder);
  if (read === undefined) return undefined;
  const outcomes = [...read.tests];
  if (outcome === 'red' && !outcomes.some(([, one]) => one === 'failed')) return undefined;
  return { format: read.format, outcomes };
}

/** The passed tests of a run, counted, and its failed ones; both unknown without machine-readable results. */
export function summariseTests(
  written: Written,
  folder: string,
): { readonly passed?: PassedTests; readonly failures?: readonly FailedTest[] } {
  const read = readTestResults(written, folder);
  return read === undefined ? {} : { passed: { format: read.format, count: read.passed }, failures: read.failures };
}

/** The tests that passed on the base and no longer do; undefined where the results of one side cannot be read. */
export function lostTests(
  base: BaseRun,
  after: Pick<RanOnce, 'outcome'> & { readonly written: Written },
  folder: string,
): readonly string[] | undefined {
  const now = readTests(after.outcome, after.written, folder);
  if (base.tests === undefined || now === undefined || now.format !== base.tests.format) return undefined;
  return listLostTests(toResults(base.tests), toResults(now)).map(({ id, now: how }) => `${id} (${how})`);
}

const toResults = ({ format, outcomes }: Tests) => ({ format, tests: new Map(outcomes) });
