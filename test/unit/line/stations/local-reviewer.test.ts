import { describe, expect, it } from 'vitest';
import { briefLocalReviewer, readLocalReview } from '../../../../src/line/stations/local-reviewer.ts';
import { aContract, aRecord } from '../../../support/records.ts';

const passes = (text: string): boolean => {
  const read = readLocalReview(text);
  return read.ok && read.value.verdict === 'PASS';
};
const isCritical = (text: string): boolean => {
  const read = readLocalReview(text);
  return read.ok && read.value.critical;
};
const opinion = (changes: object = {}): string =>
  JSON.stringify({ verdict: 'PASS', critical_security_flaw: false, findings: [], ...changes });

describe("the reviewer's brief", () => {
  it('holds contract, holdout, gates and diff, each in a fence, and asks for one JSON object', () => {
    const contract = { ...aContract(), holdout: { gates: [], criteria: ['HOLDOUT: short'] } };
    const { prompt, schema } = briefLocalReviewer(aRecord({ contract }), {
      diff: '+x',
      gates: 'green',
      nonce: 'n0nce',
    });
    for (const part of ['Merge the two guides', 'HOLDOUT: short', 'green', '+x']) expect(prompt).toContain(part);
    expect(prompt.match(/<<<DATA n0nce/g)).toHaveLength(4); // three fences and the rule that names them
    expect(schema).toMatchObject({ type: 'object', required: ['verdict', 'critical_security_flaw', 'findings'] });
  });
});

/** The worked cases of what reviewers print (`model-output-local-…`). */
describe('what a reviewer prints', () => {
  it.each([
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

  it.each([
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
    const read = readLocalReview(text);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.why).toContain(why);
  });

  it('is read with its findings, in whatever words for severity', () => {
    const read = readLocalReview(
      `Here you are:\n\`\`\`json\n${opinion({
        verdict: 'FAIL',
        findings: [
          { severity: 'BLOCKER', category: 'Security', file: 'a.ts', line: 3, description: 'a key', evidence: 'k=1' },
          { severity: 'nit', category: 'style', file: '', line: null, description: 'a comma' },
          'a plain sentence',
        ],
      })}\n\`\`\``,
    );
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
