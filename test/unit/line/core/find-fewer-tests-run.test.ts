import { describe, expect, it } from 'vitest';
import type { GateResult } from '../../../../src/line/record/change.ts';
import { findFewerTestsRun } from '../../../../src/line/core/find-fewer-tests-run.ts';
import { aGate } from '../../../support/records.ts';

const counts = (tests: number, skipped = 0) => ({ tests, skipped });
const green = (before: number, after: number | null): GateResult =>
  aGate({ name: 'test', run: 'pytest', fewer: { runner: 'pytest', before, after } });
const ask = {
  results: [green(12, 0)],
  weakeningReport: { before: counts(0), after: counts(0) },
  paths: ['src/add.py'],
  allowsTestLoss: false,
  digest: (text: string) => text,
};

describe('a green gate that ran fewer tests than on the base', () => {
  it('is a weakening, whoever made it so', () => {
    const [weakening] = findFewerTestsRun(ask);
    expect(weakening).toMatchObject({ kind: 'fewer_run', files: ['src/add.py'] });
    expect(weakening?.what).toBe(
      'gate test runs fewer tests than before: by pytest, 12 passed on the base, 0 with the change',
    );
    expect(weakening?.consent).toBeUndefined();
  });

  it('goes back where the count has become unknown, without the claim that tests are missing', () => {
    const [weakening] = findFewerTestsRun({ ...ask, results: [green(12, null)] });
    expect(weakening).toMatchObject({ kind: 'uncountable' });
    expect(weakening?.what).toBe(
      'gate test: how many tests passed is unknown with the change, because its results cannot be read; 12 passed on the base (pytest)',
    );
  });

  it('is none where as many tests were let go, or skipped, in the changed files themselves', () => {
    const letGo = { before: counts(5), after: counts(3, 1) };
    expect(findFewerTestsRun({ ...ask, results: [green(12, 9)], weakeningReport: letGo })).toEqual([]);
    expect(findFewerTestsRun({ ...ask, results: [green(12, 8)], weakeningReport: letGo })).toHaveLength(1);
  });

  it('is allowed where the contract allows that tests go, and is told', () => {
    expect(findFewerTestsRun({ ...ask, allowsTestLoss: true })[0]?.consent).toBe('contract');
  });

  it('is no matter where the gate blocks anyway', () => {
    expect(findFewerTestsRun({ ...ask, results: [{ ...green(12, 0), outcome: 'red', blocks: true }] })).toEqual([]);
  });
});
