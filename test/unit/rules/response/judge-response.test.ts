import { describe, expect, it } from 'vitest';
import { checkRule } from '../../../../src/rules/run-rules.ts';
import { isJudged, matchFromJudge } from '../../../../src/rules/response/judge-response.ts';
import { CONTEXT, aFile, aRule, aSubject } from '../../../support/rules.ts';

const TONE = { action_text: 'maintain a professional tone' };
const says = (verdict: string, reason = 'it is', quote = '') => ({ verdict, reason, quote });

describe('a judge', () => {
  it.each([
    ['PASS', says('PASS'), 'PASS'],
    ['VIOLATED with words of the text', says('VIOLATED', 'rude', 'get  “lost”'), 'VIOLATED'],
    ['VIOLATED without a reason', says('VIOLATED', '', 'get "lost"'), 'VIOLATED'],
    ['VIOLATED with words that are not there', says('VIOLATED', 'rude', 'you fool'), 'UNDECIDED'],
    ['VIOLATED without words', says('VIOLATED', 'rude', ' '), 'UNDECIDED'],
    ['UNDECIDED', says('UNDECIDED'), 'UNDECIDED'],
    ['another word', says('PASSABLE'), 'UNDECIDED'],
    ['plain text', 'PASS', 'UNDECIDED'],
    ['nothing', undefined, 'UNDECIDED'],
    ['a key too many', { ...says('PASS'), also: 1 }, 'UNDECIDED'],
  ])('that says %s counts as such: %j is %s', (_, value, status) => {
    expect(matchFromJudge(value, 'Just get\n"lost" already.').status).toBe(status);
  });

  it('that finds a violation names it, with its words', () => {
    expect(matchFromJudge(says('VIOLATED', 'too casual', 'hey dude'), 'hey dude, done')).toMatchObject({
      violation: 'llm_judge_failed',
      reason: 'too casual',
      places: [{ excerpt: 'hey dude' }],
    });
  });
});

describe('a rule that a judge is asked about', () => {
  const asked = async (rule: object, response: string | undefined, isThere = true) => {
    const texts: string[] = [];
    const matches = await checkRule(
      aRule(rule),
      aSubject([aFile('a.ts', 'x')], response === undefined ? {} : { response }),
      {
        context: CONTEXT,
        ...(isThere
          ? {
              judge: (_: unknown, text: string) => {
                texts.push(text);
                return Promise.resolve(matchFromJudge(says('PASS'), text));
              },
            }
          : {}),
      },
    );
    return { texts, matches };
  };

  it('says what to do, and nothing by which it could be computed', () => {
    expect(isJudged(aRule(TONE))).toBe(true);
    expect(isJudged(aRule({ ...TONE, enforcement_expression: 'amount <= 50' }))).toBe(false);
    expect(isJudged(aRule({ ...TONE, match: { on: 'response', mode: 'forbid', pattern: 'x' } }))).toBe(false);
    expect(isJudged(aRule({ ...TONE, checks: [{ type: 'secrets' }] }))).toBe(false);
    expect(isJudged(aRule({ action_text: ' ' }))).toBe(false);
  });

  it('is judged by the response alone, and not at all where there is none or nobody judges', async () => {
    expect((await asked(TONE, 'All good.')).texts).toEqual(['All good.']);
    expect((await asked(TONE, undefined)).texts).toEqual([]);
    expect((await asked(TONE, 'All good.', false)).matches).toEqual([]);
  });

  it('is an error when the judge throws', async () => {
    const matches = await checkRule(aRule(TONE), aSubject([], { response: 'x' }), {
      context: CONTEXT,
      judge: () => Promise.reject(new Error('out of order')),
    });
    expect(matches).toMatchObject([{ status: 'ERROR', reason: 'the check failed: out of order' }]);
  });
});
