import { describe, expect, it } from 'vitest';
import { fewerPassed } from '../../../../src/source/test-results/compare-tests.ts';

const passed = (count: number, format = 'TAP') => ({ format, count });

describe('fewerPassed', () => {
  it('finds fewer passed tests', () => {
    expect(fewerPassed(passed(9), passed(8))).toEqual({ runner: 'TAP', before: 9, after: 8 });
    expect(fewerPassed(passed(9), passed(9))).toBeUndefined();
    expect(fewerPassed(passed(9), passed(10))).toBeUndefined();
  });

  it('says that a count is unknown where the results are gone or have another format', () => {
    expect(fewerPassed(passed(9), undefined)).toEqual({ runner: 'TAP', before: 9, after: null });
    expect(fewerPassed(passed(9), passed(9, 'JUnit XML'))).toEqual({ runner: 'TAP', before: 9, after: null });
  });

  it('finds nothing lost where nothing was counted before', () => {
    expect(fewerPassed(undefined, passed(1))).toBeUndefined();
    expect(fewerPassed(undefined, undefined)).toBeUndefined();
    expect(fewerPassed(passed(0), undefined)).toBeUndefined();
  });
});
