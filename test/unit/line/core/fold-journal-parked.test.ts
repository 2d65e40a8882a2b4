import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../../src/line/record/read-entry.ts';
import { foldEntry } from '../../../../src/line/core/fold-journal.ts';
import { AT, aRecord, admitted, moved } from '../../../support/records.ts';

const parked = { kind: 'parked', at: AT, halt: 'DOC-001-1' } as const;
const takenUp = { kind: 'taken_up', at: AT } as const;

describe('a parked task', () => {
  it('is known as such until it is taken up, through its answer', () => {
    const aside = foldEntry(aRecord(), parked);
    expect(aside?.parked).toBe(AT);
    const answered = foldEntry(aside, moved('resume', 'erik_consultation', 'pending_implementer', {}));
    expect(answered?.parked).toBe(AT);
    const again = foldEntry(answered, takenUp);
    expect([again?.parked, again?.takenUp]).toEqual([undefined, true]);
    expect(
      foldEntry(again, moved('strike', 'pending_implementer', 'pending_implementer', {}))?.takenUp,
    ).toBeUndefined();
  });

  it('stays parked when its contract is replaced, and is not when its id begins anew', () => {
    const aside = foldEntry(aRecord(), parked);
    expect(foldEntry(aside, admitted())?.parked).toBe(AT);
    const ended = foldEntry(aside, moved('abandon', 'erik_consultation', 'abandoned', {}));
    expect(foldEntry(ended, admitted())?.parked).toBeUndefined();
  });

  it('is read back from the journal as it was written', () => {
    for (const entry of [parked, takenUp]) expect(readEntry(1, JSON.stringify(entry))).toEqual(entry);
  });
});
