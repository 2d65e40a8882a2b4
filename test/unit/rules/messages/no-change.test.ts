import { describe, expect, it } from 'vitest';
import { noChange } from '../../../../src/rules/messages/no-change.ts';
import { aRecord } from '../../../support/records.ts';

const idle = { kind: 'no-change', reason: 'it is there' } as const;

describe('an implementer who says NO CHANGE', () => {
  it('is asked again, with his own reason before him', () => {
    expect(noChange.check(idle, aRecord(), { kept: 0 })).toBe(
      'You answered NO CHANGE (it is there), but the requirements are not met yet.',
    );
  });

  it('is heard where edits of his were taken before', () => {
    expect(noChange.check(idle, aRecord(), { kept: 1 })).toBeUndefined();
  });

  it('is told apart from one who changes something', () => {
    expect(noChange.check({ kind: 'change' }, aRecord(), { kept: 0 })).toBeUndefined();
  });
});
