import { describe, expect, it } from 'vitest';
import { unfoundedPass } from '../../../../src/rules/messages/unfounded-pass.ts';
import { aRecord, aReview } from '../../../support/records.ts';

const record = aRecord();

describe('a PASS of the local reviewer', () => {
  it.each([
    ['denies that anything was looked at', 'I did not run the tests, but they should pass.'],
    ['puts its evidence off', 'The tests will be green after the rebase.'],
    ['tells of another task', 'In the previous task npm test passed.'],
    ['tells of something red', 'PASS although 3 tests fail.'],
  ])('that %s is asked for again', (_, beside) => {
    expect(unfoundedPass.check(aReview(), record, { beside })).toContain('[SYSTEM] APPROVE rejected');
  });

  it.each(['', 'Here is my review:', 'The guard comes before the call.'])('with the words %j counts', (beside) => {
    expect(unfoundedPass.check(aReview(), record, { beside })).toBeUndefined();
  });

  it('is no matter where the reviewer says FAIL, or was sent back twice', () => {
    const beside = 'I did not run the tests, they should pass.';
    expect(unfoundedPass.check(aReview({ verdict: 'FAIL' }), record, { beside })).toBeUndefined();
    expect(unfoundedPass.check(aReview(), { ...record, refusedAnswers: 2 }, { beside })).toBeUndefined();
  });
});
