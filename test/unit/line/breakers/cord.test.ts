import { describe, expect, it } from 'vitest';
import { cord } from '../../../../src/line/breakers/cord.ts';
import { aRecord, pathsOf } from '../../../support/records.ts';

const pulled = (reason: string) => aRecord({ lastFacts: { cord: { by: 'erik', reason } } });

describe('the cord', () => {
  it('stops the line when a human pulls it, in his words', () => {
    expect(cord.check(aRecord())).toBeUndefined();
    expect(cord.check(pulled('dinner'))).toMatchObject({
      reason: 'erik stopped the line: dinner',
      sides: [{ who: 'erik', says: 'dinner' }],
    });
  });

  it('needs no reason', () => {
    expect(cord.check(pulled(''))?.reason).toBe('erik stopped the line and gave no reason');
  });

  it('lets the human go on where the line stood, or end the task', () => {
    const [on, end] = pathsOf(cord, { ...pulled(''), onlyGates: true });
    expect(on.effect).toEqual({ to: 'pending_implementer', onlyGates: true });
    expect(end.effect).toEqual({ to: 'abandoned' });
  });
});
