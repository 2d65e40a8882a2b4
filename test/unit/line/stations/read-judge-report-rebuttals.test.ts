import { describe, expect, it } from 'vitest';
import { readRebuttalAnswers, listUpheld, readReport } from '../../../../src/line/stations/read-judge-report.ts';
import { quoteWeigher } from '../../../../src/line/stations/weigh-quotes.ts';
import { COMMIT, DIGEST, aFinding, aJudgedRecord, aReport } from '../../../support/records.ts';

const LINE = 'const share = Number(rate);';
const weigh = quoteWeigher({
  patch: `--- a/src/fee.ts\n+++ b/src/fee.ts\n@@ -0,0 +1,2 @@\n+// it was looked at by everybody\n+${LINE}\n`,
  linesOf: (path) => (path === 'src/fee.ts' ? ['// it was looked at by everybody', LINE] : undefined),
  changed: ['src/fee.ts'],
  gates: new Map(),
});
const [FIRST, SECOND] = [aFinding({ description: 'divides by 0' }), aFinding({ description: 'has no test' })];
const report = aReport({ verdict: 'FAIL', blocking: [FIRST, SECOND] });
/** A rebuttal of the first finding of two. */
const REBUTTED = aJudgedRecord({
  status: 'review_in_progress',
  report: undefined,
  rounds: [report],
  rebuttal: [{ finding: 'B1', why: 'it multiplies' }, { why: 'and in general' }],
});
const cite = { file: 'src/fee.ts', line: 2, quote: LINE };
const answer = (more: object = {}) => ({ finding: 'B1', answer: 'ACCEPTED', why: 'right', ...more });
const read = (...answers: readonly object[]) => readRebuttalAnswers(answers, REBUTTED, { weigh, all: true });

describe("a judge's answer to a rebuttal", () => {
  it('accepts a finding, or refuses with what stands in the tree', () => {
    expect(read(answer())).toMatchObject({ ok: true, value: [{ finding: 'B1', says: 'ACCEPTED', why: 'right' }] });
    expect(read(answer({ finding: ' b1 ', answer: 'refused', ...cite }))).toMatchObject({
      ok: true,
      value: [{ finding: 'B1', says: 'REFUSED', cites: cite }],
    });
  });

  it.each([
    ['is silent about a finding', [], 'does not answer the rebuttal of B1'],
    ['refuses and cites nothing', [answer({ answer: 'REFUSED' })], 'cites no file and quoted line'],
    [
      'refuses and cites what is not there',
      [answer({ answer: 'REFUSED', ...cite, quote: 'const share = 0;' })],
      'is neither in',
    ],
    [
      'refuses and cites a comment',
      [answer({ answer: 'REFUSED', ...cite, line: 1, quote: '// it was looked at by everybody' })],
      'only a comment',
    ],
    ['says something else', [answer({ answer: 'PERHAPS' })], 'ACCEPTED and REFUSED are known'],
    ['says both', [answer(), answer({ answer: 'REFUSED', ...cite })], 'more than once'],
  ])('that %s does not count', (_, answers, why) => {
    const read = readRebuttalAnswers(answers, REBUTTED, { weigh, all: true });
    expect(read.ok ? '' : read.why).toContain(why);
  });

  it('may be left out by somebody outside, who is held to what he does say', () => {
    const outside = (...answers: readonly object[]) => readRebuttalAnswers(answers, REBUTTED, { weigh, all: false });
    expect(outside()).toEqual({ ok: true, value: [] });
    expect(outside(answer({ answer: 'REFUSED' })).ok).toBe(false);
    expect(outside({ finding: 'B1', why: 'see the summary' })).toEqual({ ok: true, value: [] });
  });

  it('is asked for only where findings were rebutted by their numbers', () => {
    const general = { ...REBUTTED, rebuttal: [{ why: 'all of it is wrong' }] };
    expect(readRebuttalAnswers(undefined, general, { weigh, all: true })).toEqual({ ok: true, value: [] });
  });

  it('that refuses upholds the finding, at the place that shows it, once', () => {
    const refusal = [{ finding: 'B1', says: 'REFUSED' as const, why: '', cites: cite }];
    expect(listUpheld(refusal, REBUTTED, [])).toMatchObject([
      { description: 'divides by 0', file: 'src/fee.ts', line: 2, evidence: LINE },
    ]);
    expect(listUpheld(refusal, REBUTTED, [FIRST])).toEqual([]);
  });
});

describe('a report after a rebuttal', () => {
  const judged = (changes: object) =>
    readReport(
      {
        task_id: 'DOC-001',
        commit: COMMIT,
        contract_digest: DIGEST,
        verdict: 'PASS',
        summary: 'Looked again.',
        blocking_issues: [],
        evidence: [cite],
        ...changes,
      },
      REBUTTED,
      { bound: 'by name', weigh },
    );

  it('passes with what it accepts', () => {
    expect(judged({ rebuttal_answers: [answer()] })).toMatchObject({ ok: true, value: { verdict: 'PASS' } });
  });

  it('that says PASS and refuses is a FAIL about what it upholds', () => {
    expect(judged({ rebuttal_answers: [answer({ answer: 'REFUSED', ...cite })] })).toMatchObject({
      ok: true,
      value: { said: 'PASS', verdict: 'FAIL', blocking: [{ description: 'divides by 0' }] },
    });
  });

  it('that repeats a finding and refuses without a citation does not count', () => {
    const again = judged({
      verdict: 'FAIL',
      blocking_issues: [FIRST],
      rebuttal_answers: [answer({ answer: 'REFUSED' })],
    });
    expect(again.ok).toBe(false);
  });
});
