import { readTestResults } from '../../test-results/read-test-results.ts';

/** The number of passed tests in an output; undefined (unknown) where it holds no machine-readable results, or was cut. */
export const passedIn = (output: string): number | undefined =>
  isCut(output) ? undefined : readTestResults(output)?.passed;

/** Whether something was left out of an output when it was kept. */
export const isCut = (output: string): boolean => output.includes('…');
