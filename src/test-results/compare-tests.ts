import { compareBytes } from '../base/byte-order.ts';
import type { TestResults } from './read-test-results.ts';

/** A test that was green, and what it is now. */
export interface LostTest {
  readonly id: string;
  readonly now: 'failed' | 'skipped' | 'missing';
}

type NamedTests = Pick<TestResults, 'format' | 'tests'>;

/** Every test that passed before and does not now; results in different formats have no test in common. */
export function listLostTests(before: NamedTests, after: NamedTests): readonly LostTest[] {
  const now = before.format === after.format ? after.tests : new Map<string, never>();
  return [...before.tests]
    .filter(([, outcome]) => outcome === 'passed')
    .map(([id]) => ({ id, now: now.get(id) ?? ('missing' as const) }))
    .filter((test): test is LostTest => test.now !== 'passed')
    .toSorted((one, other) => compareBytes(one.id, other.id));
}
