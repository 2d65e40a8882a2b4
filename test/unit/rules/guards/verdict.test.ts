import { describe, expect, it } from 'vitest';
import { standardMessages } from '../../../../src/project/config/message-settings.ts';
import { checkReview, downgraded } from '../../../../src/rules/guards/review-gate.ts';

const { review_gate: usual } = standardMessages();
const isApproval = (text: string): boolean => checkReview(text, usual).isApproval;

describe('a verdict', () => {
  it.each([
    'APPROVED_WITH_NITS',
    '__APPROVED__',
    ':white_check_mark: approved',
    '## Verdict\n\nAPPROVE',
    '| Verdict | APPROVE |',
    'Recommendation: merge',
    'Verdict: pass',
    'PASS: everything is in order.',
    'This PR is approved.',
    'All the numbers line up nicely, approved!',
    'Approved with minor comments.',
    'No concerns from my side.',
    'You have my approval.',
    '흔쾌히 승인합니다.',
    '이 PR을 승인합니다.',
    '머지하셔도 됩니다.',
    '我看没问题，可以合并了。',
    '上一个提交是绿的，所以这次也批准。',
    'The change is approved.',
    "I've reviewed the code and approve it.",
    'I recommend approving this change.',
    "Let's merge it.",
    'I accept this change.',
    'This has my approval.',
    'Review complete: approved.',
    'Result: PASS',
    'Pass.',
    '문제 없습니다.',
    '{"review":{"verdict":"APPROVE"}}',
    'APPROVE\n\nResult: blocked users cannot log in any more.',
    'APPROVE.\n\nStatus: failed logins are counted now.',
  ])('in the place of one approves: %s', (text) => {
    expect(isApproval(text)).toBe(true);
  });

  it.each([
    'The form is accepted without a phone number now.',
    'Added a sane default for the timeout.',
    'Accepted values are 1 to 5.',
    'The order is queued when the printer is offline.',
    '✅ Parser rewritten\n✅ Docs updated',
    'Done! The login form now keeps the address.',
    'Yes, I renamed it.',
    'Result: 45 passed',
    'I ran the tests.\n\nResult: passed',
    'Merge approved expenses into the list.',
    '{"data":{"status":"passed"}}',
    'The invoice is sent, approved, and archived.',
    'The README looks good on a phone now.',
    'Merge it into the release branch, then tag.',
    'The status becomes APPROVED when both have signed.',
    'It now answers {"status":"passed"} for a paid order.',
    '관리자가 지출을 승인합니다.',
    '병합 정렬을 퀵 정렬로 바꾸었습니다.',
    '两个分支合并后的购物车会保留较高的数量。',
    '按钮改成了蓝色，可以了。',
  ])('is none in a sentence about the product: %s', (text) => {
    expect(isApproval(text)).toBe(false);
  });

  it.each([
    'Verdict: FAIL. The login accepts any password. It looks good otherwise.',
    'Verdict: rejected because the lock is never released.\n\nLGTM otherwise.',
    '| Verdict | changes requested |\n\nLGTM otherwise.',
    'Request changes: looks good overall, but the lock is never released.',
    'Changes requested.\n\nLGTM otherwise.',
    'Blocking: expired tokens are accepted.\n\nApproved otherwise.',
    '수정이 필요합니다. 나머지는 승인합니다.',
    '打回。其他部分批准。',
    '{"verdict":"FAIL","summary":"It looks good to me otherwise"}',
  ])('that rejects wins: %s', (text) => {
    expect(isApproval(text)).toBe(false);
  });

  it.each(['Blocking: none. APPROVE', 'Changes requested: none\n\nApproved.', 'Verdict: PASS. It fails nowhere.'])(
    'rejects only where it says so: %s',
    (text) => {
      expect(isApproval(text)).toBe(true);
    },
  );

  it.each([
    [
      '```json\n{"verdict":"APPROVE","summary":"Great."}\n```',
      '```json\n{"verdict":"NEEDS_REVIEW","summary":"Great."}\n```',
    ],
    ['My review: {"decision":"LGTM!"}', 'My review: {"decision":"NEEDS_REVIEW"}'],
    ['{"verdict":"APPROVED_WITH_NITS"}', '{"verdict":"NEEDS_REVIEW"}'],
    ['{"verdict":"PASS"}\n\nApproved!', '{"verdict":"NEEDS_REVIEW"}\n\nNEEDS_REVIEW!'],
  ])('in JSON is read and turned down wherever it stands: %s', (text, expected) => {
    const { accepted, approvals } = checkReview(text, usual);
    expect(accepted).toBe(false);
    expect(downgraded(text, approvals)).toBe(expected);
  });

  it('reads a long row of verdicts in reasonable time', () => {
    const from = performance.now();
    checkReview('✅'.repeat(50_000), usual);
    checkReview('LGTM. '.repeat(8000), usual);
    checkReview(`${'reviewed the change '.repeat(29)}x`.repeat(300), usual);
    expect(performance.now() - from).toBeLessThan(3000);
  });
});
