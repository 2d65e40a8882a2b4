/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { aContract } from '../support/contract.ts';
import { DRIVEN, byAnyModel, driveBy, scriptDriven } from '../support/drivers.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { modelApis } from '../support/model-apis.ts';
import { FINAL, answerOnce, reviewFails, reviewPasses, writes } from '../support/scenario.ts';

const PATH = 'docs/auth_final.md';
const WORK = byAnyModel(writes({ [PATH]: FINAL }));
const PASSES = byAnyModel(reviewPasses());
const OPINION = JSON.stringify({ verdict: 'PASS', critical_security_flaw: false, findings: [] });
const drivenCalls = (factory: Factory, program: string) =>
  factory.calls().filter((call) => call.program === program && !call.prompt.includes('Which'));

describe.each(DRIVEN)('%s', (program) => {
  test('writes a change as text that is merged', async () => {
    const factory = await aFactory();
    const name = driveBy(factory, program);
    scriptDriven(factory, program, [WORK]);
    const { status } = await factory.run(aContract({ 'roles.implementer': name }));
    expect(status).toBe('merged');
    expect(factory.git('show', `main:${PATH}`)).toBe(FINAL.trimEnd());
    expect(drivenCalls(factory, program)).toHaveLength(1);
    const { calls } = (await factory.show('DOC-001')) as unknown as { calls: readonly { agent: string }[] };
    expect(calls[0]?.agent).toBe(program);
  });

  test('reviews before the judge: what it finds goes back, and what it passes is merged', async () => {
    const factory = await aFactory();
    const name = driveBy(factory, program);
    const fails = answerOnce(byAnyModel(reviewFails('The second heading is missing')));
    scriptDriven(factory, program, [fails, PASSES], {
      implementer: [answerOnce(writes({ [PATH]: `${FINAL}\nMore than was asked for.\n` })), writes({ [PATH]: FINAL })],
    });
    const { status } = await factory.run(aContract({ 'roles.local_reviewer': name }));
    expect(status).toBe('merged');
    expect(drivenCalls(factory, program)).toHaveLength(2);
    const rework = factory.calls().findLast((call) => call.program === 'ollama');
    expect(rework?.prompt).toContain('The second heading is missing');
  });
});

describe('of programs that are driven', () => {
  test('claude writes and reviews too, by a profile', async () => {
    const factory = await aFactory({
      files: { '.andon/agents/writer.yaml': 'driver: claude\nmodel: sonnet\n' },
      scenario: {},
    });
    scriptDriven(factory, 'codex', [], {}, {});
    const file = join(factory.folder, 'agents/scenario.json');
    const scenario = JSON.parse(readFileSync(file, 'utf8')) as { claude: object[] };
    const asks = { when: { includes: ['You are the implementer'] } };
    writeFileSync(file, JSON.stringify({ ...scenario, claude: [{ ...WORK, ...asks }, ...scenario.claude] }));
    expect((await factory.run(aContract({ 'roles.implementer': 'writer' }))).status).toBe('merged');
  });

  test('stats tells of each agent what the journal knows', async () => {
    const factory = await aFactory();
    const name = driveBy(factory, 'codex');
    const fails = answerOnce(byAnyModel(reviewFails('The second heading is missing')));
    const implementer = [answerOnce(writes({ [PATH]: `${FINAL}\nMore.\n` })), writes({ [PATH]: FINAL })];
    scriptDriven(factory, 'codex', [fails, PASSES], { implementer });
    expect((await factory.run(aContract({ 'roles.local_reviewer': name }))).status).toBe('merged');
    const { stdout } = await factory.andon('agents', 'stats', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      agents: [
        { station: 'implementer', agent: 'ollama', tasks: 1, changes: 2, gate_red: 0, merged: 1, first_pass: 0 },
        { station: 'local-reviewer', agent: 'codex', model: 'm1', findings: 1, findings_held: 1, tokens_in: 2400 },
        { station: 'judge', agent: 'claude', tasks: 1, findings: 0 },
      ],
    });
    const text = await factory.andon('agents', 'stats');
    expect(text.stdout).toContain('1 finding: 1 held, 0 refuted');
    expect(text.stdout).toContain('0 of 1 merged at the first change');
  });
});

test('a server on this machine writes and reviews, without any program', async () => {
  const work = `FILE: ${PATH}\n\`\`\`\`text\n${FINAL}\`\`\`\`\n`;
  const api = await modelApis((prompt) => (prompt.includes('You are the implementer') ? work : OPINION));
  onTestFinished(() => api.close());
  const factory = await aFactory({
    files: {
      '.andon/agents/here-writer.yaml': 'driver: here\nmodel: m1\n',
      '.andon/agents/here-reviewer.yaml': 'driver: here\n',
    },
  });
  const file = join(factory.folder, 'config/andon/config.yaml');
  const config = parse(readFileSync(file, 'utf8')) as { agents: object };
  const here = { server: { url: `${api.url}/v1`, window: 32_768 }, model: 'm1', billing: 'free' };
  writeFileSync(file, stringify({ ...config, agents: { ...config.agents, here } }));
  const roles = { 'roles.implementer': 'here-writer', 'roles.local_reviewer': 'here-reviewer' };
  expect((await factory.run(aContract({ ...roles, 'limits.budget': { usd: 1 } }))).status).toBe('merged');
  expect(factory.git('show', `main:${PATH}`)).toBe(FINAL.trimEnd());
  expect(factory.calls().filter(({ program }) => program === 'ollama')).toEqual([]);
});

test('a profile may name the model that judges', async () => {
  const factory = await aFactory({ files: { '.andon/agents/judge-one.yaml': 'driver: claude\nmodel: opus\n' } });
  expect((await factory.run(aContract({ 'roles.judge': 'judge-one' }))).status).toBe('merged');
  const { argv = [] } = factory.calls('judge').at(-1) ?? {};
  expect(argv[argv.indexOf('--model') + 1]).toBe('opus');
});

describe('a contract is refused', () => {
  const refusedBy = async (factory: Factory, changes: Parameters<typeof aContract>[0]): Promise<string> => {
    const dog = await factory.begin(aContract(changes));
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md'));
    return factory.paper('CONTRACT_REJECTED.md') ?? '';
  };

  test('where it names what is nearly a profile, with the one that was probably meant', async () => {
    const factory = await aFactory();
    driveBy(factory, 'codex', { name: 'codex-writer' });
    const said = await refusedBy(factory, { 'roles.implementer': 'codex-writter' });
    expect(said).toContain('$.roles.implementer');
    expect(said).toContain('the profile codex-writer');
  });

  test('where a profile names no driver, an unknown one, or one that cannot do that work', async () => {
    const factory = await aFactory({
      files: {
        '.andon/agents/rules-only.yaml': 'roles: [qa]\n',
        '.andon/agents/nobody.yaml': 'driver: codexx\n',
        '.andon/agents/local.yaml': 'driver: ollama\nmodel: qwen2.5-coder\n',
      },
    });
    const said = await refusedBy(factory, {
      'roles.implementer': ['rules-only', 'nobody'],
      'roles.judge': 'local',
    });
    expect(said).toContain('rules-only.yaml names no `driver`');
    expect(said).toContain('nobody.yaml names codexx');
    expect(said).toContain('does not tell which files it has opened');
  });
});

describe('andon agents', () => {
  test('test makes one call of each kind, and shows what was understood', async () => {
    const factory = await aFactory();
    const name = driveBy(factory, 'codex');
    const text = { when: { includes: ['FILE:'] }, reply: 'FILE: {{prompt:FILE: (\\S+)}}' };
    const review = { structured: { verdict: 'PASS', word: '{{prompt:word is "([^"]+)"}}' } };
    scriptDriven(factory, 'codex', [text, review]);
    const { stdout, code } = await factory.andon('agents', 'test', name);
    expect(stdout).toMatch(/^ok {4}program +codex 0\.169\.0, model m1/m);
    expect(stdout).toMatch(/^ok {4}text call +understood: FILE: andon-\w+\.md \(1200 \+ 40 tokens, cost unknown/m);
    expect(stdout).toMatch(/^ok {4}review call +understood: \{"verdict":"PASS"/m);
    expect(code).toBe(0);
  });

  test('test of a driver without a profile says why a call failed, and ends with 1', async () => {
    const factory = await aFactory();
    driveBy(factory, 'gemini');
    scriptDriven(factory, 'gemini', [{ reply: 'x', does: [{ 'api-error': 401 }] }]);
    const { stdout, code } = await factory.andon('agents', 'test', 'gemini', '--json');
    const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; state: string; detail: string }[] };
    expect(checks.map(({ name, state }) => [name, state])).toEqual([
      ['program', 'ok'],
      ['text call', 'fail'],
      ['review call', 'fail'],
    ]);
    expect(checks[1]?.detail).toContain('refused: gemini ended with exit code 145');
    expect(code).toBe(1);
  });

  test('test that is stopped by Ctrl-C leaves nothing running', async () => {
    const factory = await aFactory({ apart: true });
    driveBy(factory, 'codex');
    scriptDriven(factory, 'codex', [{ reply: 'x', does: [{ touch: 'asked' }, 'silent'] }]);
    const { child, ended } = factory.start(['agents', 'test', 'codex']);
    await eventually(() => factory.signal.has('asked'), 'the model is asked');
    child.kill('SIGINT');
    expect((await ended).code).toBe(1);
    await eventually(() => factory.processes().length === 0, 'nothing is left');
  });

  test('test of nobody lists who there is', async () => {
    const factory = await aFactory();
    const { stderr, code } = await factory.andon('agents', 'test', 'nobody');
    expect(code).toBe(2);
    expect(stderr).toContain('drivers: claude, claude-code, codex, copilot, gemini, ollama, opencode, qwen');
  });

  test('add writes driver and model, list shows them, and an unknown driver is refused', async () => {
    const factory = await aFactory();
    const words = ['--driver', 'codex', '--model', 'gpt-5.5', '--role', 'implementer'];
    expect((await factory.andon('agents', 'add', 'writer', ...words)).code).toBe(0);
    expect(factory.read('.andon/agents/writer.yaml')).toContain('driver: codex\nmodel: gpt-5.5\n');
    expect((await factory.andon('agents', 'list')).stdout).toMatch(/writer .* by codex gpt-5\.5/);
    expect((await factory.andon('agents', 'add', 'editor', '--driver', 'codex', '--edits')).code).toBe(0);
    expect(factory.read('.andon/agents/editor.yaml')).toContain('driver: codex\nedits: true\n');
    expect((await factory.andon('agents', 'list')).stdout).toMatch(/editor .* by codex, on the files itself/);
    const cannot = await factory.andon('agents', 'add', 'other', '--driver', 'ollama', '--edits');
    expect(cannot).toMatchObject({ code: 2, stderr: expect.stringContaining('ollama does not edit files itself') });
    expect(cannot.stderr).toContain('claude-code, codex, copilot, gemini, opencode, qwen');
    expect(factory.has('.andon/agents/other.yaml')).toBe(false);
    const wrong = await factory.andon('agents', 'add', 'other', '--driver', 'codx');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('The nearest is codex.');
  });
});

describe('andon doctor', () => {
  test('tells of each profile that works here whether its program is there, new enough and logged in', async () => {
    const factory = await aFactory({
      projectConfig: { roles: { implementer: 'codex-one', local_reviewer: 'qwen-one' } },
    });
    driveBy(factory, 'codex');
    driveBy(factory, 'qwen');
    scriptDriven(factory, 'codex', [], {}, { logged_out: ['codex'] });
    const { stdout } = await factory.andon('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; state: string; detail: string }[] };
    const of = (name: string) => checks.find((one) => one.name === name);
    expect(of('agent codex-one')).toMatchObject({ state: 'fail', detail: expect.stringContaining('codex login') });
    expect(of('agent qwen-one')).toMatchObject({ state: 'ok', detail: expect.stringContaining('0.24.4') });
    expect(of('ollama')).toBeUndefined();
  });

  test('tells of a program that does not know an option by which it is kept apart', async () => {
    const factory = await aFactory({ projectConfig: { roles: { local_reviewer: 'qwen-one' } } });
    driveBy(factory, 'qwen', { own: { isolates: { args: ['--help'], flags: ['--bare', '--apart'] } } });
    const { stdout, code } = await factory.andon('doctor');
    expect(stdout).toContain('qwen does not know --apart, without which');
    expect(code).toBe(1);
  });
});
