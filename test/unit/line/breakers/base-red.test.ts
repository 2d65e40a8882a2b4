import { describe, expect, it } from 'vitest';
import { baseRed } from '../../../../src/line/breakers/base-red.ts';
import type { BaseRed } from '../../../../src/line/record/base-run.ts';
import { BASE, TREE, aChange, aRecord, pathsOf } from '../../../support/records.ts';

const red = (changes: Partial<BaseRed> = {}): BaseRed => ({
  gate: 'tests',
  run: 'npm test',
  commit: BASE,
  tree: TREE,
  outcome: 'red',
  exit: 1,
  output: '1 failing',
  also: [],
  ...changes,
});
const halted = (changes: Partial<BaseRed> = {}) => aRecord({ lastFacts: { baseRed: red(changes) } });

describe('a gate that is red before the change', () => {
  it('stops the task with what it printed, and names the others that are', () => {
    expect(baseRed.check(aRecord())).toBeUndefined();
    const trip = baseRed.check(halted({ also: ['lint'] }));
    expect(trip?.reason).toBe(`gate tests is red on main (${BASE.slice(0, 12)}), before any change`);
    expect(trip?.sides[0]?.says).toBe('1 failing');
    expect(trip?.sides[1]?.says).toContain('asked about next: lint');
  });

  it('may be made green by the task, which is told so', () => {
    const [first] = pathsOf(baseRed, halted());
    expect(first.effect).toMatchObject({
      to: 'pending_implementer',
      gates: [{ gate: 'tests', run: 'npm test', tree: TREE, way: 'made green' }],
    });
    expect(first.effect.say).toContain('1 failing');
  });

  it('is compared test by test only where its results hold a test that passes; else the target is asked again', () => {
    const [, again] = pathsOf(baseRed, halted());
    expect(again.effect).toEqual({ to: 'pending_implementer', gates: [] });
    const [, compare] = pathsOf(baseRed, halted({ tests: { format: 'TAP', passed: 7, failed: 1 } }));
    expect(compare.effect.gates).toEqual([{ gate: 'tests', run: 'npm test', tree: TREE, way: 'test by test' }]);
    expect(compare.does).toContain('7 tests');
    const [, nothing] = pathsOf(baseRed, halted({ tests: { format: 'TAP', passed: 0, failed: 1 } }));
    expect(nothing.effect).toEqual(again.effect);
  });

  it('that gave differing answers is called flaky, which is neither red nor green', () => {
    const trip = baseRed.check(halted({ outcome: 'flaky' }));
    expect(trip?.reason).toContain('gate tests is flaky on main');
    expect(trip?.sides[1]?.says).toContain('neither');
  });

  it('leaves a change that is there already at its gates', () => {
    const [first, second] = pathsOf(
      baseRed,
      aRecord({ onlyGates: true, change: aChange(), lastFacts: { baseRed: red() } }),
    );
    expect(first.effect.onlyGates).toBe(true);
    expect(second.effect.onlyGates).toBe(true);
  });

  it('names the configured results file that the gate did not write', () => {
    const [, again] = pathsOf(baseRed, halted({ unwritten: 'junit.xml' }));
    expect(again.does).toContain('because the gate did not write its `results`, junit.xml.');
    expect(again.does).not.toContain('name such a file');
  });
});
