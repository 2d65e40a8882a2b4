import { describe, expect, it } from 'vitest';
import { fault } from '../../../../src/line/breakers/fault.ts';
import { aChange, aRecord, pathsOf } from '../../../support/records.ts';

describe("andon's own failure", () => {
  it('stops the line in the words of whoever failed', () => {
    expect(fault.check(aRecord())).toBeUndefined();
    expect(fault.check(aRecord({ lastFacts: { fault: 'the disk is full' } }))).toMatchObject({
      reason: 'the disk is full',
      sides: [{ who: 'andon', says: 'the disk is full' }],
    });
  });

  it('can be tried again where it happened: at the gates when the step had made a change', () => {
    const made = aRecord({ change: aChange(), lastFacts: { change: aChange(), fault: 'no cage' } });
    const [again, leave] = pathsOf(fault, made);
    expect(again.effect).toEqual({ to: 'pending_implementer', onlyGates: true });
    expect(leave.effect).toEqual({ to: 'abandoned' });
    expect(pathsOf(fault, aRecord({ lastFacts: { fault: 'no cage' } }))[0].effect).toEqual({
      to: 'pending_implementer',
      onlyGates: false,
    });
  });

  it('never hands in again what was turned down before: the implementer works when it was his turn', () => {
    const down = aRecord({ change: aChange(), lastFacts: { fault: 'the ollama server is not running' } });
    expect(pathsOf(fault, down)[0].effect).toEqual({ to: 'pending_implementer', onlyGates: false });
  });
});
