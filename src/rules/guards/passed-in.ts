import { passedTests } from '../../test-results/count-passed.ts';

/**
 * How many tests an output that was kept says passed. Undefined where it counts none, was too long to be kept whole, or
 * several runners count differently in it, so a reported number is ambiguous.
 */
export function passedIn(output: string): number | undefined {
  const counts = new Set(Object.values(passedTests(output)));
  return counts.size !== 1 || isCut(output) ? undefined : [...counts][0];
}

/** Whether something was left out of an output when it was kept. */
export const isCut = (output: string): boolean => output.includes('…');
