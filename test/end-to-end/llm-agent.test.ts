import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory, type Options } from '../support/factory.ts';
import { aClientOf } from '../support/mcp-client.ts';
import { ruleFile } from '../support/rule-files.ts';
import { judges, type Call } from '../support/scenario.ts';

const RULE = {
  id: 'no-floats',
  title: 'No floating tags',
  severity: 'HIGH',
  phase: ['ANALYSIS', 'TASKS'],
  content: 'Do not use floating tags for container images.',
};
const PLAN = 'Would we use floating tags for the image?';
const DOUBT =
  /no-floats is not sure: "Would we use floating tags.*; an agent can answer: name one .*llm: \{ agent: claude \}/;

/** What claude says about a rule; its other calls are those of the judge. */
const opinion = (status: string, more: Call = {}): Call => ({
  when: { includes: ['You decide whether a text keeps one rule'] },
  structured: { status, confidence: 0.9, reason: 'the plan says so' },
  usage: { in: 500, out: 20, usd: 0.01 },
  ...more,
});

async function aProject(
  llm: object | undefined,
  answers: readonly Call[] = [],
  rule: object = {},
  options: Options = {},
) {
  const rules = ruleFile({ ...RULE, ...rule });
  const factory = await aFactory({
    files: { '.andon/rules/app.yaml': rules },
    scenario: { judge: [...answers, judges('PASS')] },
    ...options,
  });
  if (llm !== undefined) appendFileSync(join(factory.folder, 'config/andon/config.yaml'), stringify({ llm }));
  return factory;
}

interface Asked {
  readonly program: string;
  readonly argv: readonly string[];
  readonly prompt: string | null;
}

const askedOf = (factory: Factory): readonly Asked[] =>
  readFileSync(join(factory.folder, 'agents/scenario.json.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Asked)
    .filter(({ prompt }) => prompt?.includes('You decide whether a text keeps one rule') === true);

interface Report {
  readonly exit: number;
  readonly results: readonly { readonly status: string; readonly reason: string }[];
  readonly findings: readonly { readonly status: string; readonly reason: string }[];
}

async function checked(factory: Factory, plan = PLAN) {
  const { stdout, stderr, code } = await factory.andon('check', '--plan', plan, '--llm', '--json');
  if (stdout === '') throw new Error(stderr);
  return { code, ...(JSON.parse(stdout) as Report) };
}

describe('andon check --llm with an agent', () => {
  test('asks it by a schema, read-only, and takes what it says', async () => {
    const factory = await aProject({ agent: 'claude' }, [opinion('VIOLATED')]);
    expect((await checked(factory)).results).toMatchObject([{ status: 'VIOLATED', reason: 'the plan says so' }]);
    const [asked, ...more] = askedOf(factory);
    expect(more).toEqual([]);
    expect(asked?.argv).toContain('--json-schema');
    expect(asked?.prompt).toContain('"enum":["PASS","VIOLATED","NOT_COVERED"]');
  });

  test('hands over no secret, and counts the cost against the ceilings', { tags: 'thorough' }, async () => {
    const factory = await aProject({ agent: 'claude' }, [opinion('PASS')]);
    appendFileSync(join(factory.folder, 'config/andon/config.yaml'), stringify({ ceilings: { day: { calls: 1 } } }));
    const secret = ['ghp', 'R4nd0mR4nd0mR4nd0mR4nd0mR4nd0mR4nd0m'].join('_');
    expect((await checked(factory, `${PLAN} The token is ${secret}.`)).results).toMatchObject([{ status: 'PASS' }]);
    expect(JSON.stringify(askedOf(factory))).not.toContain(secret);
    const { code, findings } = await checked(factory, PLAN);
    expect(findings).toMatchObject([{ status: 'UNDECIDED', reason: expect.stringContaining('not asked') as string }]);
    expect(code).toBe(2);
    expect(askedOf(factory)).toHaveLength(1);
  });

  test('asks about one rule after the other where a call may use all that a ceiling leaves', async () => {
    const factory = await aProject(
      { agent: 'claude' },
      [opinion('PASS')],
      {},
      {
        files: { '.andon/rules/app.yaml': ruleFile(RULE, { ...RULE, id: 'no-tags', phase: [...RULE.phase] }) },
      },
    );
    appendFileSync(join(factory.folder, 'config/andon/config.yaml'), stringify({ ceilings: { day: { usd: 5 } } }));
    expect((await checked(factory)).results).toMatchObject([{ status: 'PASS' }, { status: 'PASS' }]);
  });

  test.each([
    ['of another shape', opinion('FINE')],
    ['empty', opinion('PASS', { does: ['empty'] })],
    ['late', opinion('PASS', { does: ['silent'] })],
  ])('takes no answer that is %s: the rule is not passed', { tags: 'thorough' }, async (_what, answer) => {
    const factory = await aProject({ agent: 'claude', timeout_seconds: 2 }, [answer]);
    const { code, results } = await checked(factory);
    expect(results).toMatchObject([{ status: 'UNDECIDED' }]);
    expect(code).toBe(2);
  });

  test('refuses an agent that is unknown, and one beside a provider', async () => {
    const unknown = await (await aProject({ agent: 'claud' })).andon('check', '--plan', PLAN, '--llm');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean claude?') as string });
    const both = await (await aProject({ agent: 'claude', provider: 'ollama' })).andon('check', '--plan', PLAN);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('keep one of the two') as string });
    const noModel = await (await aProject({ agent: 'ollama' })).andon('check', '--plan', PLAN, '--llm');
    expect(noModel).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a model') as string });
  });

  test('a repository cannot name one', async () => {
    const factory = await aProject(undefined, [], {}, { projectConfig: { llm: { agent: 'claude' } } });
    const { code, stderr } = await factory.andon('check', '--plan', PLAN, '--llm');
    expect(code).toBe(2);
    expect(stderr).toContain('`llm.agent`, which a repository may not decide');
  });
});

describe('a rule that is not sure on the line', () => {
  const contract = aContract({ 'specification.requirements': [PLAN] });
  async function run(factory: Factory, end: 'merged' | 'halted') {
    factory.drop(contract);
    const watchdog = await factory.watch();
    await watchdog.until(end === 'halted' ? factory.isHalted : end);
    return watchdog;
  }

  test('is shown by show, report and digest, and stops nothing', { tags: 'thorough' }, async () => {
    const factory = await aProject(undefined);
    await run(factory, 'merged');
    expect((await factory.andon('show', 'DOC-001')).stdout.replace(/\s+/g, ' ')).toMatch(DOUBT);
    expect((await factory.andon('show', 'DOC-001', '--report', '--json')).stdout).toMatch(/not sure/);
    expect((await factory.andon('digest', '--json')).stdout).toMatch(/no-floats is not sure/);
  });

  test('is no pass in strict mode: the line halts, and a person may waive it', { tags: 'thorough' }, async () => {
    const factory = await aProject(undefined, [], {}, { projectConfig: { enforcement: { mode: 'strict' } } });
    const watchdog = await run(factory, 'halted');
    const report = readFileSync(join(factory.handoff, 'ERIK_HALT.md'), 'utf8');
    expect(report).toContain('no-floats is not sure');
    expect(report).toContain('an agent can answer');
    await factory.andon('resume', 'DOC-001', '--path', '2', '--reason', 'It is a question.');
    await watchdog.until('merged');
  });

  test('is answered by the agent, before any work is done', { tags: 'thorough' }, async () => {
    const passed = await aProject({ agent: 'claude' }, [opinion('PASS')]);
    await run(passed, 'merged');
    expect(askedOf(passed)).toHaveLength(1);
    expect((await passed.andon('show', 'DOC-001')).stdout).not.toContain('not sure');
    const refused = await aProject({ agent: 'claude' }, [opinion('VIOLATED')], { severity: 'CRITICAL' });
    await run(refused, 'halted');
    const calls = (JSON.parse((await refused.andon('show', 'DOC-001', '--json')).stdout) as { calls: object[] }).calls;
    expect(calls).toMatchObject([{ agent: 'claude', ok: true }]);
  });

  test('stays so where the agent gives no answer that counts', { tags: 'thorough' }, async () => {
    const factory = await aProject({ agent: 'claude' }, [opinion('FINE')], { is_hard_constraint: true });
    await run(factory, 'merged');
    expect((await factory.andon('show', 'DOC-001')).stdout.replace(/\s+/g, ' ')).toMatch(
      /no-floats is not sure: the language model gave no answer.*the agent that `llm` names gave no answer that counts/,
    );
  });
});

describe('andon mcp', () => {
  const question = { action: 'execute', context: { plan: PLAN } };

  test('says which rule is not sure, and has the agent answer where one is named', { tags: 'thorough' }, async () => {
    const silent = await aClientOf(await aProject(undefined));
    expect(JSON.stringify(await silent.client.callTool({ name: 'rule_engine', arguments: question }))).toMatch(
      /NOT SURE: no-floats is not sure/,
    );
    const factory = await aProject({ agent: 'claude' }, [opinion('VIOLATED')]);
    const { client } = await aClientOf(factory);
    const answer = await client.callTool({ name: 'rule_engine', arguments: question });
    expect(answer).toMatchObject({ structuredContent: { status: 'VIOLATED' } });
    expect(askedOf(factory)).toHaveLength(1);
  });
});
