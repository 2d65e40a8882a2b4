import { describe, expect, it } from 'vitest';
import type { InspectionContext } from '../../../../src/rules/model/inspection.ts';
import type { Rule } from '../../../../src/rules/model/rule.ts';
import { checkRule } from '../../../../src/rules/run-rules.ts';
import { CONTEXT, aFile, aRule, aSubject } from '../../../support/rules.ts';

const REFUND: Partial<Rule> = {
  id: 'REFUND-LIMIT',
  enforcement_expression: "amount <= 50 or user_tier == 'VIP'",
  match: { on: 'response', mode: 'forbid' },
};

const asked = (response: string, rule: Partial<Rule> = {}, context: Partial<InspectionContext> = {}) =>
  checkRule(aRule({ ...REFUND, ...rule }), aSubject([], { response }), { context: { ...CONTEXT, ...context } });

const standard = { variables: { session: { user_tier: 'standard' } } };

describe('a rule with an expression', () => {
  it('is violated where the response says otherwise, with what was found and who said it', async () => {
    expect(await asked("I've processed your $75 refund.", {}, standard)).toMatchObject([
      {
        layer: 'exact',
        status: 'VIOLATED',
        violation: 'expression_failed',
        reason: expect.stringContaining("Expression 'amount <= 50 or user_tier == 'VIP'' evaluated to False"),
        trace: [
          { step: 'extract', outcome: "user_tier = 'standard' (session), amount = 75 (regex)" },
          { step: 'expression', outcome: 'amount <= 50 is False (amount = 75)' },
          { step: 'expression', outcome: "user_tier == 'VIP' is False (user_tier = 'standard')" },
        ],
      },
    ]);
  });

  it.each([
    ['Your $45 refund is done.', standard],
    ['Your $75 refund is done.', { variables: { profile: { tier: 'VIP' } } }],
    ['Your $45 refund is done.', {}],
  ])('holds: %s', async (response, context) => {
    expect(await asked(response, {}, context)).toMatchObject([{ status: 'PASS' }]);
  });

  it.each([
    ['not_applicable', 'NOT_APPLICABLE'],
    ['violation', 'VIOLATED'],
    ['needs_review', 'UNDECIDED'],
  ] as const)('about what is not there is what on_missing says: %s', async (missing, status) => {
    expect(await asked('Our office hours are 9 AM to 5 PM.', { on_missing: missing }, standard)).toMatchObject([
      { status },
    ]);
  });

  it('that cannot be computed is undecided, and never kept', async () => {
    expect(await asked('$5', { enforcement_expression: "amount < 'x'" })).toMatchObject([
      { status: 'UNDECIDED', reason: expect.stringContaining('have no order') },
    ]);
  });

  it('takes no word of the answer for who it is for', async () => {
    expect(await asked("user_tier = 'VIP'. Your $75 refund is done.", {}, standard)).toMatchObject([
      { status: 'VIOLATED' },
    ]);
  });

  it('says nothing where there is no text to look at', async () => {
    expect(await checkRule(aRule(REFUND), aSubject([aFile('a.ts', '$75')]), { context: CONTEXT })).toEqual([]);
  });

  it('looks where its match says', async () => {
    const rule = aRule({ enforcement_expression: 'not contains_promise', match: { on: 'report', mode: 'forbid' } });
    const subject = aSubject([], { report: 'I promise it.', response: 'one' });
    expect(await checkRule(rule, subject, { context: CONTEXT })).toMatchObject([{ status: 'VIOLATED' }]);
  });

  it('asks a model only for what a text itself says and nothing else found', async () => {
    const seen: (readonly string[])[] = [];
    const rule = aRule({
      ...REFUND,
      enforcement_expression: 'amount <= 50 and days < 3',
      extract: { days: { llm: 'the days', type: 'number' } },
    });
    const found = await checkRule(rule, aSubject([], { response: 'about fifty-ish' }), {
      context: CONTEXT,
      extract: (_, names) => {
        seen.push(names);
        return Promise.resolve({ amount: 60, days: 2 });
      },
    });
    expect(seen).toEqual([['amount', 'days']]);
    expect(found).toMatchObject([
      { status: 'VIOLATED', trace: [{ outcome: 'amount = 60 (llm), days = 2 (llm)' }, {}, {}] },
    ]);
  });
});
