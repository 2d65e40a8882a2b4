import { describe, expect, it } from 'vitest';
import { gptEnergy } from '../../../../src/line/breakers/gpt-energy.ts';
import type { Finding } from '../../../../src/rules/model/finding.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import type { JudgeReport } from '../../../../src/line/record/review.ts';
import { aChange, aJudgedRecord, aReport, type Changes, pathsOf } from '../../../support/records.ts';

const nit = (description: string, more: Partial<Finding> = {}): Finding => ({
  source: 'judge',
  severity: 'high',
  category: 'style',
  description,
  security: false,
  weight: 'nit',
  ...more,
});
const [NAME, DOT, QUOTES] = [nit('Rename `a` to `b`'), nit('A dot is missing'), nit('Prefer single quotes')];
const round = (...blocking: Finding[]): JudgeReport => aReport({ verdict: 'FAIL', blocking });

/** A task whose last report is the last of these rounds, on a change of 100 lines. */
function after(rounds: JudgeReport[], changes: Changes = {}): TaskRecord {
  const report = rounds.at(-1);
  if (report === undefined) throw new Error('a round is needed');
  return aJudgedRecord({ rounds, report, lastFacts: { report }, change: aChange({ added: 100 }), ...changes });
}
const reason = (rounds: JudgeReport[], changes: Changes = {}) => gptEnergy.check(after(rounds, changes))?.reason;

describe('a judge that blocks on taste alone', () => {
  it('is not stopped the first time', () => {
    expect(reason([round(NAME, DOT, QUOTES)])).toBeUndefined();
  });

  it('is stopped the second time in a row', () => {
    expect(reason([round(NAME), round(DOT)])).toContain('it is round 2 of that kind');
  });

  it('is stopped at once when half of its remarks are about lines that passed before', () => {
    const moved = { unchanged: true };
    const first = aReport({ verdict: 'FAIL', blocking: [nit('It crashes', { weight: 'substantive' })] });
    expect(reason([first, round(NAME, nit('Sort the imports', moved))])).toContain('1 of them are about lines');
    expect(reason([first, round(NAME, DOT, nit('Sort the imports', moved))])).toBeUndefined();
  });

  it('is stopped for more than ten remarks, or for more than one per ten changed lines', () => {
    const many = (count: number) => round(...Array.from({ length: count }, () => DOT));
    expect(reason([many(10)])).toBeUndefined();
    expect(reason([many(11)])).toContain('too many');
    expect(reason([many(4)], { change: aChange({ added: 40 }) })).toBeUndefined();
    expect(reason([many(4)], { change: aChange({ added: 39 }) })).toContain('4 remarks on 39 changed lines');
    expect(reason([many(3)], { change: aChange({ added: 5 }) })).toBeUndefined();
  });

  it('gets one more round when a human grants it, and no second one', () => {
    const { grants } = after([round(NAME)]);
    const granted = { grants: { ...grants, polishRounds: 1 } };
    expect(reason([round(NAME, DOT), round(DOT, NAME)], granted)).toBeUndefined();
    expect(reason([round(NAME, DOT), round(DOT, NAME), round(QUOTES)], granted)).toContain('round 3');
  });

  it('is stopped at once when it takes back what it asked for before', () => {
    const first = round(nit('It crashes', { weight: 'substantive' }), NAME);
    expect(reason([first, round(nit('Use `a` instead of `b`'), DOT)])).toContain('takes back what was asked for');
    expect(reason([first, round(nit('Rename `b` to `c`'), DOT)])).toBeUndefined();
  });
});

describe('a judge is not stopped', () => {
  it.each([
    ['for a PASS', [round(NAME), aReport()]],
    ['for one remark alone', [round(NAME)]],
    ['when one finding is substantive', [round(NAME), round(DOT, nit('It crashes', { weight: 'substantive' }))]],
    ['when one finding cannot be told', [round(NAME), round(DOT, nit('Split this', { weight: 'undecided' }))]],
    ['when it raised a security flag', [round(NAME), { ...round(DOT), securityFlags: ['a token in the log'] }]],
    ['when a substantive round came between', [round(NAME), aReport({ verdict: 'FAIL' }), round(DOT)]],
    [
      'for findings of an older journal, which were never weighed',
      [round(NAME), round(nit('x', { weight: undefined }))],
    ],
  ])('%s', (_, rounds) => {
    expect(gptEnergy.check(after(rounds))).toBeUndefined();
  });

  it('for a report of an earlier step', () => {
    expect(gptEnergy.check(after([round(NAME), round(DOT)], { lastFacts: {} }))).toBeUndefined();
  });
});

describe('at the halt', () => {
  it('the human merges the judged tree as it is, or asks for one last round', () => {
    const record = after([round(NAME), round(DOT)]);
    const [merge, polish] = pathsOf(gptEnergy, record);
    expect(merge.effect).toEqual({ to: 'review_complete', verdict: 'PASS' });
    expect(polish.effect).toEqual({ to: 'review_complete', verdict: 'FAIL', polishRounds: 1 });
  });
});
