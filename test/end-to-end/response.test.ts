import { expect, test } from 'vitest';
import { aFactory, type Factory } from '../support/factory.ts';
import { aModelServer, configureModel, type Reaction } from '../support/model-server.ts';
import { ruleFile } from '../support/rule-files.ts';

const LIMIT = {
  id: 'REFUND-LIMIT',
  title: 'Refund Limit',
  severity: 'HIGH',
  is_hard_constraint: true,
  condition_text: 'when response commits to a refund amount',
  action_text: 'limit refunds to $50 for standard customers',
  enforcement_expression: "amount <= 50 or user_tier == 'VIP'",
  fallback: 'I can offer a refund of up to $50.',
};
const POLITE = { id: 'POLITE', title: 'Polite', severity: 'HIGH', is_hard_constraint: true, action_text: 'be polite' };

interface Told {
  readonly exit: number;
  readonly response: {
    readonly violations: readonly { readonly violation_type: string }[];
    readonly delivered: { readonly text: string; readonly from: string } | null;
    readonly attempts: number;
  };
  readonly trace?: readonly { readonly step: string }[];
}

const aProject = (...rules: readonly object[]): Promise<Factory> =>
  aFactory({ files: { '.andon/rules/app.yaml': ruleFile(...rules) } });

async function checked(factory: Factory, ...args: readonly string[]) {
  const ended = await factory.andon('check', ...args, '--json');
  if (ended.stdout === '') throw new Error(ended.stderr);
  return { told: JSON.parse(ended.stdout) as Told, exit: ended.code };
}

async function asked(factory: Factory, reactions: readonly Reaction[], ...args: readonly string[]) {
  const server = await aModelServer(...reactions);
  configureModel(factory, { provider: 'openai-compatible', model: 'judge-1', base_url: server.url });
  return { ...(await checked(factory, ...args, '--llm')), questions: server.questions };
}

test('a response is held against what session and profile say, and its exit code says whether it may be delivered', async () => {
  const factory = await aProject(LIMIT);
  const refund = ['--response', "I've processed your $75 refund."];
  const { told, exit } = await checked(factory, ...refund, '--var', 'user_tier=standard', '--trace');
  expect(exit).toBe(1);
  expect(told.response).toMatchObject({ violations: [{ violation_type: 'expression_failed' }], delivered: null });
  expect(told.trace?.map(({ step }) => step)).toEqual(expect.arrayContaining(['extract', 'expression', 'decide']));
  const vip = await checked(factory, ...refund, '--var', 'user_tier=standard', '--profile-var', 'tier=VIP');
  expect([vip.exit, vip.told.response.delivered?.from]).toEqual([0, 'response']);
  const instead = await checked(factory, ...refund, '--var', 'user_tier=standard', '--remediate');
  expect([instead.exit, instead.told.response.delivered]).toEqual([0, { text: LIMIT.fallback, from: 'fallback' }]);
});

test('what must be judged is undecided without a model, and judged with one that quotes the response', async () => {
  const factory = await aProject(POLITE);
  expect((await checked(factory, '--response', 'Get lost.')).exit).toBe(2);
  const verdict = { verdict: 'VIOLATED', reason: 'it is rude', quote: 'Get lost.' };
  const { told, exit, questions } = await asked(factory, [verdict], '--response', 'Get lost.');
  expect([exit, told.response.violations]).toEqual([
    1,
    [expect.objectContaining({ violation_type: 'llm_judge_failed', details: 'it is rude' })],
  ]);
  expect(questions[0]?.body).toMatchObject({ temperature: 0, response_format: { type: 'json_schema' } });
});

test('a response that fails is written anew by the model, and checked again before it is delivered', async () => {
  const factory = await aProject(LIMIT);
  const again = { response: 'I can refund $40.' };
  const { told, exit, questions } = await asked(
    factory,
    [again],
    '--response',
    'Your $75 refund is done.',
    '--var',
    'user_tier=standard',
    '--remediate',
  );
  expect([exit, told.response]).toMatchObject([
    0,
    { attempts: 1, delivered: { text: 'I can refund $40.', from: 'regenerated' } },
  ]);
  expect(JSON.stringify(questions[0]?.body)).toContain('amount <= 50 is False');
});

test.each([
  [['--query', 'x'], '--query needs --response'],
  [['--response', 'x', '--var', '1=2'], 'Invalid value: --var 1=2'],
  [['--response', 'nothing.md'], 'There is no file nothing.md'],
  [['--response', 'x', '--staged'], '--response and --staged cannot be combined'],
])('what is typed wrong is refused: %j', { tags: 'thorough' }, async (args, said) => {
  const ended = await (await aProject(LIMIT)).andon('check', ...args);
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(said)]);
});
