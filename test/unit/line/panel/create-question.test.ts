import { describe, expect, test } from 'vitest';
import {
  briefReview,
  briefSecondRound,
  createQuestion,
  listCitedFiles,
  readReview,
  readSecondRound,
} from '../../../../src/line/panel/create-question.ts';
import { describeContract } from '../../../../src/line/stations/describe-contract.ts';
import { quoteWeigher } from '../../../../src/line/stations/weigh-quotes.ts';
import { aContract, aRecord } from '../../../support/records.ts';

const LINES = ['// all is well here', 'export const share = (rate: number) => 1 / rate;', '}'];
const PATCH = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1 +1,2 @@
 // all is well here
-export const share = 1;
+export const share = (rate: number) => 1 / rate;
`;
const weigh = quoteWeigher({
  patch: PATCH,
  linesOf: (path) => (path === 'src/a.ts' ? LINES : undefined),
  changed: ['src/a.ts'],
  gates: new Map(),
});
const found = (more: object = {}) => ({
  severity: 'high',
  category: 'correctness',
  file: 'src/a.ts',
  line: 2,
  quote: 'export const share = (rate: number) => 1 / rate;',
  description: 'it divides by what may be 0',
  ...more,
});
const read = (...findings: readonly unknown[]) =>
  readReview({ text: JSON.stringify({ verdict: 'FAIL', findings }) }, weigh);

describe('an answer of the first round', () => {
  test('keeps a finding whose quote stands where it says, and puts a line right that is off', () => {
    expect(read(found())).toMatchObject({ ok: true, value: { cited: [{ line: 2 }], dropped: [] } });
    expect(read(found({ line: 77 }))).toMatchObject({ ok: true, value: { cited: [{ line: 2 }] } });
  });

  test('keeps what cites a line that the change took away', () => {
    expect(read(found({ line: null, quote: 'export const share = 1;' }))).toMatchObject({
      ok: true,
      value: { findings: [{ file: 'src/a.ts' }] },
    });
  });

  test('keeps a finding with further fields, whatever they hold', () => {
    const more = { requirement: null, test: 3, finding: ['F1'], answer: {}, says: false, why: 0, fix: ['round it'] };
    expect(read(found(more))).toMatchObject({ ok: true, value: { cited: [{ line: 2 }], dropped: [] } });
  });

  test.each([
    ['another file', { file: 'src/b.ts' }],
    ['words that stand nowhere', { quote: 'export const share = 2;' }],
    ['a bracket', { quote: '}' }],
    ['nothing', { quote: '' }],
    ['no file', { file: '' }],
    ['a path out of the tree', { file: '../../etc/passwd' }],
  ])('drops a finding that cites %s, and counts it', (_, more) => {
    expect(read(found(more), found())).toMatchObject({ ok: true, value: { findings: [{}], dropped: [{}] } });
  });

  test.each([
    ['nothing', ''],
    ['prose', 'It looks fine. PASS.'],
    ['two opinions', '{"verdict":"PASS","findings":[]} {"verdict":"FAIL","findings":[]}'],
    ['another verdict', '{"verdict":"MAYBE","findings":[]}'],
  ])('%s is unreadable, and no pass', (_, text) => {
    expect(readReview({ text }, weigh).ok).toBe(false);
  });
});

describe('an answer of the second round', () => {
  const [own, theirs] = ['F1', 'F2'].map((id) => ({
    id,
    reviewer: id,
    finding: { ...found(), severity: 'high' as const, security: false },
  }));
  const parts = { own: own === undefined ? [] : [own], others: theirs === undefined ? [] : [theirs] };
  const say = (...answers: readonly object[]) => readSecondRound({ text: '', structured: { answers } }, weigh, parts);

  test('counts each finding once, and only what it may say of it', () => {
    const said = say(
      { finding: 'F1', says: 'WITHDRAW' },
      { finding: 'F2', says: 'agree' },
      { finding: 'F2', says: 'DISAGREE' },
      { finding: 'F1', says: 'AGREE' },
      { finding: 'F2', says: 'WITHDRAW' },
    );
    expect(said).toMatchObject({
      ok: true,
      value: { positions: [{ says: 'WITHDRAW' }, { says: 'AGREE' }], dropped: [{}, {}, {}] },
    });
  });

  test('a disagreement counts where it cites what is there, and a comment is no witness', () => {
    const no = { finding: 'F2', says: 'DISAGREE', why: 'no', file: 'src/a.ts' };
    expect(say({ ...no, quote: found().quote })).toMatchObject({ value: { positions: [{ cites: { line: 2 } }] } });
    for (const quote of ['// all is well here', 'nowhere to be found', null])
      expect(say({ ...no, quote })).toMatchObject({ value: { positions: [], dropped: [{}] } });
  });
});

describe('what reviewers are told', () => {
  const shown = { asked: 'a share', diff: PATCH, gates: '', nonce: 'n0nce' };
  const view = { roles: ['security'], rules: ['no-eval (MUST): no eval'] };

  test('their own rules and point of view, and in the second round nobody by name', () => {
    const { prompt } = briefReview(shown, view);
    expect(prompt).toContain('what an attacker could do');
    expect(prompt).toContain('no-eval (MUST)');
    const finding = { ...found(), severity: 'high' as const, security: false };
    const brief = briefSecondRound(shown, view, { own: [], others: [{ id: 'F1', reviewer: 'claude-admin', finding }] });
    expect(brief.prompt).toContain('F1 [high, correctness] src/a.ts:2');
    expect(brief.prompt).not.toContain('claude-admin');
  });

  test('the only one gets contract, holdout, gates and diff, each in a fence, and is asked for one JSON object', () => {
    const contract = { ...aContract(), holdout: { gates: [], criteria: ['HOLDOUT: short'] } };
    const asked = describeContract(aRecord({ contract }), true);
    const { prompt, schema } = briefReview({ asked, diff: '+x', gates: 'green', nonce: 'n0nce' });
    for (const part of ['Merge the two guides', 'HOLDOUT: short', 'green', '+x']) expect(prompt).toContain(part);
    expect(prompt.match(/<<<DATA n0nce/g)).toHaveLength(4); // three fences and the rule that names them
    expect(schema).toMatchObject({ type: 'object', required: ['verdict', 'critical_security_flaw', 'findings'] });
  });

  test('quotes of the only one are not looked up, so that no file is read for it', async () => {
    const quotes = () => Promise.reject(new Error('no file is read'));
    const answer = { text: opinion() };
    expect(await createQuestion({ name: 'a', round: 1 }, [], shown, undefined).read(answer, quotes)).toMatchObject({
      ok: true,
    });
    await expect(createQuestion({ name: 'a', round: 1 }, [], shown, view).read(answer, quotes)).rejects.toThrow();
  });

  test('files that an answer names are found wherever they stand', () => {
    expect(listCitedFiles({ text: 'so: {"findings": [{"file": " a.ts "}, {"deep": {"file": "b.ts"}}]}' })).toEqual([
      'a.ts',
      'b.ts',
    ]);
  });
});

const passes = (text: string): boolean => {
  const read = readReview({ text });
  return read.ok && read.value.verdict === 'PASS';
};
const isCritical = (text: string): boolean => {
  const read = readReview({ text });
  return read.ok && read.value.critical;
};
const opinion = (changes: object = {}): string =>
  JSON.stringify({ verdict: 'PASS', critical_security_flaw: false, findings: [], ...changes });

/** The worked cases of what reviewers print (`model-output-local-…`). */
describe('what a reviewer prints', () => {
  test.each([
    ['a PASS in JSON', '{"verdict":"PASS","critical":false,"issues":[]}', true, false],
    ['a pass in small letters', '{"verdict":"pass","issues":[]}', true, false],
    ['a flag as a string, which is no boolean', '{"verdict":"PASS","critical":"false","issues":[]}', false, false],
    [
      'thoughts with braces before it',
      '<think>what about {x}?</think>\n{"verdict":"FAIL","critical":true,"issues":["key"]}',
      false,
      true,
    ],
    ['prose with braces after it', '{"verdict":"FAIL","critical":true,"issues":["k"]}\nSee {note}.', false, true],
    ['prose about danger', 'There is an SQL injection and a password in the source.', false, false],
    ['prose that is fine with it', 'Looks fine to me.', false, false],
    ['nothing', '', false, false],
    ['prose that names the word critical', 'No CRITICAL problems were seen.', false, false],
  ])('%s', (_, text, passed, critical) => {
    expect(passes(text)).toBe(passed);
    expect(isCritical(text)).toBe(critical);
  });

  test.each([
    ['an unknown verdict', opinion({ verdict: 'LGTM' }), 'unknown verdict "LGTM"'],
    ['two verdicts', `${opinion()}\n${opinion({ verdict: 'FAIL' })}`, 'more than one verdict'],
    ['a finding without words', opinion({ findings: [{ severity: 'high', description: ' ' }] }), 'no description'],
    [
      'a severity that nobody knows',
      opinion({ findings: [{ severity: 'awful', description: 'x' }] }),
      'unknown severity',
    ],
    ['a number for a flag', opinion({ critical_security_flaw: 1 }), 'no JSON object with a verdict'],
    ['both lists at once', '{"verdict":"PASS","findings":[],"issues":[]}', 'no JSON object with a verdict'],
    ['JSON that is cut off', opinion().slice(0, -1), 'no JSON object with a verdict'],
    ['blanks', ' \n ', 'printed nothing'],
  ])('is unreadable when it is %s, and unreadable is never a pass', (_, text, why) => {
    const read = readReview({ text });
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.why).toContain(why);
  });

  test('is read with its findings, in whatever words for severity', () => {
    const read = readReview({
      text: `Here you are:\n\`\`\`json\n${opinion({
        verdict: 'FAIL',
        findings: [
          { severity: 'BLOCKER', category: 'Security', file: 'a.ts', line: 3, description: 'a key', evidence: 'k=1' },
          { severity: 'nit', category: 'style', file: '', line: null, description: 'a comma' },
          'a plain sentence',
        ],
      })}\n\`\`\``,
    });
    expect(read).toMatchObject({
      ok: true,
      value: {
        verdict: 'FAIL',
        critical: true,
        findings: [
          { severity: 'critical', security: true, file: 'a.ts', line: 3, evidence: 'k=1' },
          { severity: 'low', security: false, description: 'a comma' },
          { severity: 'high', description: 'a plain sentence' },
        ],
      },
    });
  });
});
