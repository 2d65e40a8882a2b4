import { describe, expect, it } from 'vitest';
import { standardMessages } from '../../../../src/project/config/message-settings.ts';
import { citedLines } from '../../../../src/rules/guards/named-files.ts';
import { reviewRecordsOf, ruleOnMessage } from '../../../../src/line/stations/message-checks.ts';
import { checkReview } from '../../../../src/rules/guards/review-gate.ts';
import { aChange, aGate, aRecord } from '../../../support/records.ts';

const OUTPUT = `TAP version 13
ok 1 - rejects an expired token
ok 2 - keeps the last page
1..2
`;
const commit = 'c0ffee1'.padEnd(40, '0');
const record = aRecord({
  gates: {
    tree: 't',
    cage: 'none',
    results: [
      aGate({ name: 'test', run: 'npm test', output: OUTPUT, passed: 2 }),
      aGate({ name: 'lint', run: 'npm run lint' }),
    ],
  },
  change: aChange({ commit }),
});
const [{ path } = { path: '' }] = record.change?.files ?? [];
const RECORDS = reviewRecordsOf(record, new Map([[path, 40]]));
const gate = (words: string) => checkReview(`APPROVE. ${words}`, standardMessages().review_gate, RECORDS);

describe('what an approval cites', () => {
  it.each([
    ['a line of a file', `Read ${path}:12-40, the guard comes first.`],
    ['the commit of the change', 'Tests of c0ffee1 pass, 2/2.'],
    ['a gate', 'npm run lint ended with exit code 0.'],
    ['as many tests as passed', 'All 2 tests passed.'],
  ])('counts where it is %s on record', (_, words) => {
    expect(gate(words)).toMatchObject({ isApproval: true, accepted: true, against: [] });
  });

  it.each([
    [
      'a line beyond the end of its file',
      `npm test is green. Read ${path}:12-400.`,
      `line 400 of ${path}, which has 40`,
    ],
    ['a file that is not there', 'npm test is green; see src/zoo.ts:3.', 'src/zoo.ts is not in the tree'],
    ['a commit of something else', 'All tests of a1b2c3d pass.', 'a1b2c3d is no commit of this task'],
    ['more tests than passed', 'All 995 tests passed.', 'the record 2'],
    ['a ratio that no run had', '995/995 tests passed.', 'it says 995/995'],
  ])('is no evidence where it is %s', (_, words, why) => {
    const { accepted, against } = gate(words);
    expect(accepted).toBe(false);
    expect(against.join('\n')).toContain(why);
  });

  it('is compared with nothing where the count is unknown', () => {
    const unknown = {
      runs: [{ command: 'npm test', isGreen: true, output: ' Tests  2 passed (2)' }],
      changed: [],
      read: [],
    };
    expect(checkReview('APPROVE. 995/995 tests passed.', standardMessages().review_gate, unknown).against).toEqual([]);
  });

  it('is compared with nothing where the records do not know', () => {
    const records = { runs: [{ command: 'make check', isGreen: true }], changed: [], read: [] };
    const text = 'APPROVE. cargo test of a1b2c3d is green, see src/zoo.ts:3.';
    expect(checkReview(text, standardMessages().review_gate, records)).toMatchObject({ accepted: true });
  });

  it.each([
    ['+3 -1', true],
    ['+500 -3', false],
  ])('is no evidence where it is a sum that git did not print in the session: %s', (sum, accepted) => {
    const records = { runs: [], changed: [], read: ['src/a.ts'], shown: [{ added: 3, deleted: 1 }] };
    expect(checkReview(`APPROVE. git diff: ${sum}.`, standardMessages().review_gate, records)).toMatchObject({
      accepted,
    });
  });

  it('takes back a PASS whose words cite a line that is not there', () => {
    const ruling = ruleOnMessage('review', { verdict: 'PASS', critical: false, findings: [] }, record, {
      beside: `The guard in ${path}:99 is right.`,
      lines: new Map([[path, 40]]),
    });
    expect(ruling?.found.map(({ message }) => message).join()).toContain(`line 99 of ${path}, which has 40`);
  });
});

describe('lines that are cited', () => {
  it.each([
    ['see src/a.ts:12', 12],
    ['`src/a.ts:3-12`.', 12],
    ['src/a.ts:12:5 is odd', 12],
    ['[a](src/a.ts#L3-L12)', 12],
  ])('are read in %s', (text, line) => {
    expect(citedLines(text)).toEqual([{ path: 'src/a.ts', line }]);
  });

  it.each([
    'http://localhost:3000/a.ts',
    'at 12:30 on 2026-01-02',
    'version 1.2.3: 4 fixes',
    'src/a.ts has 12 lines',
    'line 12 of src/a.ts',
  ])('are not read in %s', (text) => {
    expect(citedLines(text)).toEqual([]);
  });
});
