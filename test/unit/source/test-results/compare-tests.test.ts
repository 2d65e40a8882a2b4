import { describe, expect, it } from 'vitest';
import { listLostTests } from '../../../../src/source/test-results/compare-tests.ts';
import type { TestResults } from '../../../../src/source/test-results/read-test-results.ts';

const results = (
  tests: Record<string, 'passed' | 'failed' | 'skipped'>,
  format = 'TAP',
): Pick<TestResults, 'format' | 'tests'> => ({
  format,
  tests: new Map(Object.entries(tests)),
});

describe('tests that were green', () => {
  it('are lost when they are red, skipped or missing; what was not green cannot be', () => {
    const before = results({ d: 'passed', c: 'passed', b: 'passed', a: 'passed', red: 'failed', later: 'skipped' });
    const after = results({ a: 'passed', b: 'failed', c: 'skipped', red: 'failed', anew: 'failed' });
    expect(listLostTests(before, after)).toEqual([
      { id: 'b', now: 'failed' },
      { id: 'c', now: 'skipped' },
      { id: 'd', now: 'missing' },
    ]);
    expect(listLostTests(before, before)).toEqual([]);
  });

  it('are lost when one of two of the same name is gone', () => {
    expect(listLostTests(results({ a: 'passed', 'a [2]': 'passed' }), results({ a: 'passed' }))).toEqual([
      { id: 'a [2]', now: 'missing' },
    ]);
  });

  it('are all lost where the format is another one', () => {
    expect(listLostTests(results({ a: 'passed' }), results({ a: 'passed' }, 'pytest'))).toHaveLength(1);
  });
});
