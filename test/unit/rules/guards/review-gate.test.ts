import type { ReviewRecords } from '../../../../src/rules/guards/review-records.ts';
import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardMessages } from '../../../../src/project/config/message-settings.ts';
import { checkReview, downgraded, reviewFeedback } from '../../../../src/rules/guards/review-gate.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const { review_gate: usual } = standardMessages();
const RECORDS: ReviewRecords = {
  runs: [{ command: 'npm test', isGreen: true, passed: 42, all: 42 }],
  diff: { files: ['src/a.ts'], added: 23, deleted: 5 },
  changed: [],
  read: ['src/a.ts'],
};

const TWO: ReviewRecords = {
  ...RECORDS,
  runs: [
    { command: 'unit (npm run test:unit)', isGreen: true, passed: 40 },
    { command: 'integration (npm run test:int)', isGreen: true, passed: 5, all: 5 },
  ],
};

describe('an approval', () => {
  it.each([
    ['a green run', 'APPROVE. npm test: 42/42 tests passed.'],
    ['the diff', 'APPROVE (+23 -5 lines)'],
    ['what it has read', 'APPROVE. Checked src/a.ts lines 3-9: the guard comes first.'],
    ['output that is shown', '```\nTests  42 passed (42)\n```\nAPPROVE'],
    ['a run in Korean', '승인\n45개 테스트 통과, 빌드 성공'],
    ['a diff that shows nothing else', 'APPROVE. git diff shows nothing outside src/a.ts'],
    ['a run beside another one that was not made', 'APPROVE. I did not run the build. npm test: 12/12 passed.'],
    ['a word about another one that runs nothing', 'APPROVE. npm test: 42/42 passed. CI does not run the tests.'],
    ['a run for imaginary numbers', 'APPROVE. I ran npm test for imaginary numbers: 42/42 passed.'],
    ['a run that its author made', 'APPROVE. I myself ran npm test as the contract demands: 42/42 passed.'],
    ['a run of some tests', 'APPROVE. npm test: 42/42 passed. I did not run the e2e tests.'],
    [
      'tests about what does not run',
      'APPROVE. npm test: 42/42 passed. The test makes sure the hook does not run twice.',
    ],
    ['a test that was red before', 'The test that failed before the change passes now; 42/42 tests pass. APPROVE'],
  ])('with %s counts', (_, text) => {
    expect(checkReview(text, usual)).toMatchObject({ isApproval: true, accepted: true });
  });

  it.each([
    ['nothing', 'APPROVED!'],
    ['a count of 100 that is not whole', 'APPROVE: 100/120 tests passed'],
    ['a run before this change', 'APPROVE. Tests passed before this change'],
    ['tests that were not run', 'APPROVE. I did not run the tests but they should pass.'],
    ['tests that it takes back', 'APPROVE. 12/12 tests pass. I did not run the tests.'],
    ['tests that it takes back, in short', "APPROVE. 12/12 tests pass. I didn't run the tests."],
    ['tests that could not be run', "APPROVE. Couldn't run the tests, 42/42 passed earlier."],
    ['a run in a long comment', `APPROVE. note <!-- ${'x '.repeat(210)} npm test: 12/12 passed. -->`],
    ['a run in the second comment of a line', 'APPROVE.\n<!-- a --> <!-- b\n\nnpm test: 12/12 passed.\n-->'],
    ['a run in the comment of a list', 'APPROVE.\n- <!-- todo\n\n  npm test: 12/12 passed. -->'],
    ['tests that it takes back, in Chinese', 'APPROVE. 测试全部通过。我没有运行测试。'],
    ['tests that are red', 'APPROVE — 0/42 tests passed, but the failures look unrelated.'],
    ['a run that is still to come', 'APPROVE; the tests will be green after the rebase.'],
    ['a run of another task', 'APPROVE. Last week 42/42 tests passed on another branch.'],
    ['a denial in Korean', '승인. 테스트는 실행하지 않았지만 통과할 것입니다.'],
    ['a run in which nothing passed', 'APPROVE. npm test: 0 tests passed.'],
    ['a yes in JSON', '{"status":"ok","lgtm":true,"score":10}'],
  ])('with %s does not count', (_, text) => {
    expect(checkReview(text, usual)).toMatchObject({ isApproval: true, accepted: false });
  });

  it.each([
    'NEEDS_REVIEW: coverage is missing.',
    'DISAPPROVE: the tests are missing',
    'Cannot APPROVE: the build failed',
    'Not approved. The parser accepts a trailing comma now.',
    '暂不批准:空数组会抛异常。',
    'Should I approve this?',
    '승인할 수 없습니다. 테스트 3개가 실패합니다.',
    '{"approved":false,"passed":true}',
  ])('is none: %s', (text) => {
    expect(checkReview(text, usual)).toMatchObject({ isApproval: false, accepted: true });
  });

  it.each([
    'If somebody approves it, the queue moves on.',
    "Once the tests are green I'll sign off.",
    'CI가 초록색이 되면 승인하겠습니다.',
  ])('is none, for it is supposed, or spoken of: %s', (text) => {
    expect(checkReview(text, usual)).toMatchObject({ isApproval: false, accepted: true });
  });

  it.each([
    'APPROVE. All tests pass, except for the four that do not.',
    'Approve. npm test: 3 failed, 39 passed; read src/a.ts:1-80.',
    'APPROVE. The tests on the main branch passed yesterday, 90/90.',
    'Going by the handover note of the worker, 30 of 30 passed. The description says so: 30/30 passed. LGTM',
  ])('is one without evidence: %s', (text) => {
    expect(checkReview(text, usual)).toMatchObject({ isApproval: true, accepted: false });
  });

  it.each([
    '12 passed, 40 total.',
    'Tests: 12 passed, 40 total.',
    '12 passed of 40.',
    'The contract demands 12 passed tests.',
    'We need 12/12 tests passed before the merge.',
    'Requirement: npm test exits 0.',
    'The goal is 12/12 tests passed.',
    "The author's claim: npm test: 12 passed.",
    'Mentally executed npm test: 12 passed.',
    'Simulated run: 12 passed.',
    'Example: npm test: 12 passed.',
    '~~npm test: 12 passed~~',
    '<!-- npm test: 12 passed -->',
    '\n<!-- npm test: 12 passed',
    'npm test: 42/42 tests passed.\n  <!-- note -->\nThen npm test: 3 tests failed.',
    'Pretend we ran npm test: 42 tests passed.',
    'The parser takes `<!--` now.\nnpm test: 3 tests failed. And `-->` too; npm test: 42/42 passed.',
    'npm test: 42/42 passed. We match <!-- in text.\n\nnpm test: 3 tests failed.\n\na --> b',
    '\n<!--\n```\nnpm test: 12 passed\n```\n-->',
    'The author says that he verified it by running npm test: 42 tests passed.',
  ])('is one without evidence, for that is partial, demanded, made up or not shown: %s', (text) => {
    expect(checkReview(`APPROVE. ${text}`, usual)).toMatchObject({ isApproval: true, accepted: false });
  });

  it.each([
    'Tests: 40 passed, 40 total.',
    'Tests: 3 skipped, 37 passed, 40 total.',
    'Acceptance criterion 2 is met: npm test: 12 passed.',
    'The contract requires a test; npm test: 12 passed.',
    '<!-- template -->\nnpm test: 12 passed.',
    "I verified the author's claim myself: npm test: 12 passed.",
    'As the contract demands I ran npm test: 12 passed.',
    'We ran npm test as the contract demands: 42/42 passed.',
    'Escapes `<!--` in user text. npm test: 12 passed.',
  ])('counts with what was really run: %s', (text) => {
    expect(checkReview(`APPROVE. ${text}`, usual)).toMatchObject({ isApproval: true, accepted: true });
  });

  it.each([
    'The former branch failed 9 tests; here 30/30 passed. APPROVE',
    'APPROVE. All 40 tests pass, except for the two that are skipped.',
    '이전 브랜치에서는 9개가 실패했지만 여기서는 30/30 통과했습니다. 승인합니다.',
  ])('counts though it also tells of something else: %s', (text) => {
    expect(checkReview(text, usual)).toMatchObject({ isApproval: true, accepted: true });
  });

  it.each(['<!-- APPROVE. npm test: 12 passed. -->', '~~APPROVE. npm test: 12 passed.~~'])(
    'is none that no reader sees: %s',
    (text) => {
      expect(checkReview(text, usual).isApproval).toBe(false);
    },
  );

  it('counts where records bear out what it says', () => {
    expect(checkReview('APPROVE. npm test: 42/42 tests passed.', usual, RECORDS)).toMatchObject({
      accepted: true,
      crossCheckedWith: 'records',
    });
  });

  it.each([
    'All 45 tests pass (40 unit, 5 integration).',
    'All 45 tests pass (40 unit tests, 5 integration tests).',
    '45/45 tests pass.',
    '45 passed, 0 failed.',
    '5 of 5 suites and 45 of 45 tests pass.',
    '40 passed in npm run test:unit.',
  ])('that names no gate may give the sum of all: %s', (text) => {
    expect(checkReview(`APPROVE. ${text}`, usual, TWO)).toMatchObject({ accepted: true, against: [] });
  });

  it.each([
    ['other figures than git', 'APPROVE (+1 -1 lines)', RECORDS, 'it says +1 -1, git +23 -5'],
    ['a run that nobody saw', 'APPROVE. 42/42 tests passed.', { ...RECORDS, runs: [] }, 'nothing on record shows it'],
    [
      'tests where only the linter ran',
      'APPROVE. All tests passed.',
      { runs: [{ command: 'npm run lint', isGreen: true }], changed: [], read: [] },
      'nothing on record shows it',
    ],
    [
      'green where the record is red',
      'APPROVE. 42/42 tests passed.',
      { ...RECORDS, runs: [{ command: 'npm test', isGreen: false }] },
      'npm test is red',
    ],
    [
      'the sum as that of one of the runs',
      'APPROVE. 45/45 unit tests pass.',
      TWO,
      'it says 45/45, the record 40 in unit',
    ],
    [
      'the sum as that of a run by its name',
      'APPROVE. The integration run: 45 passed.',
      TWO,
      'it says that 45 passed, the record 40 in unit',
    ],
    [
      'two runs of the same tests as more tests',
      'APPROVE. 84 tests passed.',
      { ...RECORDS, runs: ['npm test', 'npm run coverage'].map((command) => ({ command, isGreen: true, passed: 42 })) },
      'it says that 84 passed, the record 42 in npm test, 42 in npm run coverage',
    ],
    ['another figure than the sum', 'APPROVE. 44 tests passed.', TWO, 'it says that 44 passed, the record 40 in unit'],
  ])('does not count where it tells of %s', (_, text, records, why) => {
    const read = checkReview(text, usual, records);
    expect(read.accepted).toBe(false);
    expect(read.against.join('\n')).toContain(why);
  });

  it('that is one JSON object is read by its fields, and turned down in its verdict alone', () => {
    const text = '{"verdict": "PASS", "summary": "PASS would be fine"}';
    const read = checkReview(text, usual);
    expect(read).toMatchObject({ isApproval: true, accepted: false });
    expect(downgraded(text, read.approvals)).toBe('{"verdict": "NEEDS_REVIEW", "summary": "PASS would be fine"}');
  });

  it.each([
    ['Approve: ok', 'NEEDS_REVIEW'],
    ['승인합니다', 'NEEDS_REVIEW'],
    ['Approve: 승인합니다', 'NEEDS_REVIEW'],
  ])('is turned down once, with the ending of its word: %s', (text, expected) => {
    const turnedDown = downgraded(text, checkReview(text, usual).approvals);
    expect(turnedDown).toBe(expected);
    expect(checkReview(turnedDown, usual).isApproval).toBe(false);
  });

  it('is turned down in its verdict alone', () => {
    const text = 'APPROVED! The approve button and DISAPPROVE stay as they are.';
    expect(downgraded(text, checkReview(text, usual).approvals)).toBe(
      'NEEDS_REVIEW! The approve button and DISAPPROVE stay as they are.',
    );
  });

  it('goes back with the words of the layer, why, and what would be accepted', () => {
    const feedback = reviewFeedback(checkReview('APPROVE. I did not run the tests.', usual));
    expect(feedback.split('\n')[0]).toBe(
      '[SYSTEM] APPROVE rejected: no verification evidence. Run tests or show diff.',
    );
    expect(feedback).toContain('Refused: negated');
    expect(feedback).toContain('NEEDS_REVIEW');
  });

  it('lies within the text, whatever the text is', () => {
    assert(
      property(string({ unit: anyCharacter, maxLength: 400 }), (text) => {
        const { approvals, accepted, isApproval } = checkReview(text, usual);
        expect(approvals.every(({ from, to }) => from >= 0 && from < to && to <= text.length)).toBe(true);
        expect(isApproval || accepted).toBe(true);
      }),
    );
  });
});
