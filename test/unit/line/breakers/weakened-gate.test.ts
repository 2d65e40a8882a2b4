import { describe, expect, it } from 'vitest';
import { weakenedGate } from '../../../../src/line/breakers/weakened-gate.ts';
import type { Weakening } from '../../../../src/rules/model/weakening.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { foldEntry } from '../../../../src/line/core/fold-journal.ts';
import { AT, TREE, aChange, aRecord, pathsOf } from '../../../support/records.ts';

const LOST: Weakening = {
  kind: 'tests_lost',
  what: 'tests 3 -> 2; gone: "adds zero" (test/add.test.js)',
  files: ['test/add.test.js'],
  mark: 'm1',
};
const COUNTS = { tests: 3, assertions: 3, skipped: 0 };
const weakeningReport = (...weakenings: Weakening[]) => ({
  tree: TREE,
  weakenings,
  notes: [],
  before: COUNTS,
  after: COUNTS,
});

/** The record after a change came out so. */
function after(record: TaskRecord, ...weakenings: Weakening[]): TaskRecord {
  const entry = {
    kind: 'moved',
    at: AT,
    event: 'gate_weakened',
    from: 'pending_implementer',
    to: 'pending_implementer',
    reason: '',
    facts: { change: aChange(), weakeningReport: weakeningReport(...weakenings) },
  } as const;
  const next = foldEntry(record, entry);
  if (next === undefined) throw new Error('an admitted task has a record');
  return next;
}

describe('the breaker for weakened gates', () => {
  it('lets the first one go back to the implementer, who starts where the tests are whole', () => {
    const once = after(aRecord(), LOST);
    expect(weakenedGate.check(once)).toBeUndefined();
    expect(once).toMatchObject({ timesWeakened: 1, fresh: true, onlyGates: false });
  });

  it('trips the second time, with the facts', () => {
    const trip = weakenedGate.check(after(after(aRecord(), LOST), LOST));
    expect(trip?.reason).toBe('weakens its gates or tests, for the second time: ' + LOST.what);
    expect(trip?.sides.at(-1)?.says).toContain('tests_lost');
  });

  it.each(['contract', 'you', 'your commits'] as const)('does not trip over what is allowed by: %s', (consent) => {
    const record = after(after(aRecord(), LOST), { ...LOST, consent });
    expect(weakenedGate.check(record)).toBeUndefined();
    expect(record.timesWeakened).toBe(1);
  });

  it('asks about the last change only', () => {
    expect(weakenedGate.check(after(after(after(aRecord(), LOST), LOST)))).toBeUndefined();
  });

  it('allows on path 2 exactly these, by their marks, and lets them go to the gates', () => {
    const record = after(after(aRecord(), LOST), LOST, { ...LOST, mark: 'm2', consent: 'contract' });
    const [back, allow] = pathsOf(weakenedGate, record);
    expect(allow.effect).toEqual({ to: 'pending_implementer', onlyGates: true, allowWeakened: ['m1'] });
    expect(back.effect).toMatchObject({ to: 'pending_implementer', fresh: true });
    expect(back.effect.say).toContain('adds zero');
  });

  it('remembers what a human committed himself, for the attempts that build on it', () => {
    expect(after(aRecord(), { ...LOST, consent: 'your commits' }).grants.weakened).toEqual(['m1']);
  });
});
