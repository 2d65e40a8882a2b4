import { describe, expect, it } from 'vitest';
import { breakers } from '../../../../src/line/breakers/index.ts';
import { createMoveEntry } from '../../../../src/line/core/step.ts';
import { haltReach as reachOfHalt, type BreakerId } from '../../../../src/line/record/trip.ts';
import type { Facts } from '../../../../src/line/record/facts.ts';
import { aHalt, aJudgedRecord, aRecord, aStep } from '../../../support/records.ts';
import { trippedBy } from '../../../support/tripped.ts';

const reachOf = (breaker: BreakerId, lastFacts: Facts = {}) =>
  breakers.find(({ id }) => id === breaker)?.check(trippedBy(breaker, standing(breaker, lastFacts)))?.reach ?? 'task';
/** Taste is asked about a judged change. */
const standing = (breaker: BreakerId, lastFacts: Facts) =>
  breaker === 'gpt_energy' ? aJudgedRecord({ lastFacts }) : aRecord({ lastFacts });
const reachOfStep = (facts: Facts) =>
  createMoveEntry(aRecord(), aStep('fault', facts), 'erik_consultation').facts.halt?.reach;
const cord = { by: 'erik', reason: '' };

describe('how wide a halt is', () => {
  it('is said by every breaker, and is its own task for all but what concerns every task', () => {
    const wide = breakers.flatMap(({ id }) => (reachOf(id) === 'line' ? [id] : []));
    expect(wide).toEqual(['contract_tampered', 'fault', 'cord']);
  });

  it.each<[string, BreakerId, Facts, 'task' | 'line']>([
    ['a judge that passed a known-bad change', 'unreadable_report', { canary: { flaw: 'a', verdict: 'PASS' } }, 'line'],
    ['reports that cannot be read', 'unreadable_report', { judgeUnreadable: 'torn' }, 'task'],
    [
      'a checkout into which nothing can be merged',
      'merge_blocked',
      { mergeBlocked: { reason: '', wide: true } },
      'line',
    ],
    ['a change that conflicts', 'merge_blocked', { mergeBlocked: { reason: '' } }, 'task'],
    ['an entry of the journal that cannot be read', 'fault', { fault: 'x', unreadable: 7 }, 'task'],
    ['a program that is missing', 'fault', { fault: 'x' }, 'line'],
    ['the cord', 'cord', { cord }, 'line'],
    ['the cord of one task', 'cord', { cord: { ...cord, reach: 'task' } }, 'task'],
  ])('%s', (_what, breaker, facts, reach) => {
    expect(reachOf(breaker, facts)).toBe(reach);
  });

  it('is that of the widest of its trips', () => {
    expect(reachOfStep({ budget: 'x', cord })).toBe('line');
    expect(reachOfStep({ budget: 'x', unavailable: { station: 'judge', reason: 'down' } })).toBe('task');
  });

  it('is journaled with the halt; a halt of an older andon, which does not say it, stops the line', () => {
    const entry = createMoveEntry(aRecord(), aStep('cord', { cord: { ...cord, reach: 'task' } }), 'erik_consultation');
    expect(entry.facts.halt?.reach).toBe('task');
    expect(reachOfHalt(aHalt())).toBe('line');
  });
});
