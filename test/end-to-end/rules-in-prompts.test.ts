/** @module-tag thorough */
import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { ruleFile } from '../support/rule-files.ts';

const SPELLING = { id: 'SPELLING', severity: 'MEDIUM', action_text: 'Write British English,\nnever American.' };
/** Nobody is asked about the answers, so that every call is one of a station. */
const UNJUDGED = { pipeline: { enforcement: { llm_judge_enabled: false } } };
const REFUND = {
  id: 'REFUND',
  severity: 'HIGH',
  condition_text: 'when the user asks about refunds',
  action_text: 'Say that refunds take five days.',
};

/** What the stations were told; what a model is asked about an answer and a rule is no station's. */
const promptsOf = (factory: Factory): readonly string[] =>
  factory
    .calls()
    .map(({ prompt }) => prompt)
    .filter((prompt) => !prompt.startsWith('You are a compliance judge.'));

test('what the rules that matched ask for stands in every prompt as an instruction of the project, and show --prompt shows it', async () => {
  const stage = {
    id: 'STAGE',
    severity: 'LOW',
    scope: 'STEP',
    scope_id: 'pending_local_review',
    action_text: 'Be brief.',
  };
  const files = { '.andon/rules/app.yaml': ruleFile(SPELLING, REFUND, stage) };
  const factory = await aFactory({ files, projectConfig: UNJUDGED });
  expect((await factory.run(aContract())).status).toBe('merged');
  const prompts = promptsOf(factory);
  expect(prompts).toHaveLength(3);
  for (const prompt of prompts) {
    expect(prompt).toMatch(
      /<<<RULES (\w+)\n(?:.*\n)*?- SPELLING: Write British English, never American\.\n(?:.*\n)*?RULES \1>>>/,
    );
    expect(prompt).not.toContain('five days');
  }
  expect(prompts.map((prompt) => prompt.includes('Be brief.'))).toEqual([false, true, false]);
  for (const call of ['1', '2', '3'])
    expect((await factory.andon('show', 'DOC-001', '--prompt', call)).stdout).toContain('- SPELLING: Write British');
});

test('a scenario of the contract brings its rules into the prompts, and another one does not', async () => {
  const rule = { id: 'TONE', severity: 'MEDIUM', scope: 'SCENARIO', scope_id: 'complaint', action_text: 'Be kind.' };
  const told = async (metadata: object): Promise<readonly [Factory, readonly boolean[]]> => {
    const factory = await aFactory({ files: { '.andon/rules/app.yaml': ruleFile(rule) }, projectConfig: UNJUDGED });
    expect((await factory.run(aContract({ metadata }))).status).toBe('merged');
    return [factory, promptsOf(factory).map((prompt) => prompt.includes('Be kind.'))];
  };
  expect((await told({ scenario: 'complaint' }))[1]).toEqual([true, true, true]);
  const [factory, others] = await told({ scenario: 'praise', vars: ['no', 'object'] });
  expect(others).toEqual([false, false, false]);
  expect((await factory.andon('show', 'DOC-001')).stdout).toContain('metadata.vars is no object of variables');
});
