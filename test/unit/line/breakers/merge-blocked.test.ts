import { describe, expect, it } from 'vitest';
import { mergeBlocked } from '../../../../src/line/breakers/merge-blocked.ts';
import { aJudgedRecord, pathsOf } from '../../../support/records.ts';

const blocked = (conflictsWith?: string) =>
  aJudgedRecord({
    lastFacts: {
      mergeBlocked: { reason: 'docs/guide.md conflicts', ...(conflictsWith === undefined ? {} : { conflictsWith }) },
    },
  });

describe('a merge that git refuses', () => {
  it("stops the line in git's own words", () => {
    expect(mergeBlocked.check(aJudgedRecord())).toBeUndefined();
    expect(mergeBlocked.check(blocked())).toMatchObject({
      reason: 'docs/guide.md conflicts',
      sides: [{ who: 'git', says: 'docs/guide.md conflicts' }],
    });
  });

  it('can be tried again once there is room, or left to the human', () => {
    const [again, leave] = pathsOf(mergeBlocked, blocked());
    expect(again.effect).toEqual({ to: 'review_complete' });
    expect(leave.effect).toEqual({ to: 'abandoned' });
    expect(leave.does).toMatch(/git merge task\/DOC-001"\.$/);
  });

  it('warns that a merge by hand overwrites files that git ignores', () => {
    const mine = { reason: 'your own local.md would be overwritten', inTheWay: ['local.md'] };
    const [, leave] = pathsOf(mergeBlocked, aJudgedRecord({ lastFacts: { mergeBlocked: mine } }));
    expect(leave.does).toContain('Move your own local.md away first');
  });

  it('starts afresh on the new target when that conflicts with the change', () => {
    const [again, leave] = pathsOf(mergeBlocked, blocked('9'.repeat(40)));
    expect(again.effect).toMatchObject({ to: 'pending_implementer', fresh: true, base: '9'.repeat(40) });
    expect(leave.effect).toEqual({ to: 'abandoned' });
  });
});
