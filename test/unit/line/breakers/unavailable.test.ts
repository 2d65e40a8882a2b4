import { describe, expect, it } from 'vitest';
import { unavailable } from '../../../../src/line/breakers/unavailable.ts';
import { aRecord, pathsOf } from '../../../support/records.ts';

const REASON = 'the ollama server is not running; andon waits 24 h at most';
const facts = (station: 'judge' | 'implementer') => ({ lastFacts: { unavailable: { station, reason: REASON } } });

describe('a program that is out of reach', () => {
  it('stops the line only when its leash has ended', () => {
    expect(unavailable.check(aRecord())).toBeUndefined();
    expect(unavailable.check(aRecord(facts('implementer')))).toMatchObject({
      reason: `implementer: ${REASON}`,
      sides: [{ who: 'implementer', says: REASON }],
    });
  });

  it('is waited for once more, at the same station', () => {
    const [again, leave] = pathsOf(unavailable, aRecord(facts('implementer')));
    expect(again.effect).toEqual({ to: 'pending_implementer' });
    expect(leave.effect).toEqual({ to: 'abandoned' });
  });

  it('lets somebody else judge when it is the judge', () => {
    const [again, outside] = pathsOf(unavailable, aRecord({ ...facts('judge'), status: 'review_in_progress' }));
    expect(again.effect).toEqual({ to: 'review_in_progress' });
    expect(outside.effect).toEqual({ to: 'pending_judge_review', judgeOutside: true });
  });
});
