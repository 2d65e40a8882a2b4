import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../../src/agents/drivers/index.ts';
import { AGENT_IDS, type AgentId } from '../../../src/base/agents.ts';
import type { Agent, AgentCall } from '../../../src/agents/agent.ts';
import { aRunner, isAlive, until } from '../sandbox/processes/a-runner.ts';
import { STAND_INS, aWorld } from '../stand-ins/stand-in.ts';

type Call = Record<string, unknown>;
interface Kind {
  readonly name: AgentId;
  readonly model: string;
}
/** A model of every agent, which its stand-in in `stand-ins/` plays. */
const MODELS: Readonly<Record<AgentId, string>> = { ollama: 'qwen2.5-coder', claude: 'sonnet' };
const KINDS: readonly Kind[] = AGENT_IDS.map((name) => ({ name, model: MODELS[name] }));

/** An agent in front of a stand-in that plays these calls. */
async function anAgent(
  kind: Kind,
  calls: readonly Call[],
  scenario: object = {},
  program = join(STAND_INS, kind.name),
) {
  const services = await aWorld({
    models: { 'qwen2.5-coder': { context: 8192, loaded: true }, small: { context: 4096, loaded: true } },
    [kind.name]: calls,
    ...scenario,
  });
  const agent: Agent = AGENTS[kind.name].open(aRunner().run, {
    program,
    args: [],
    env: {
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      ANDON_SCENARIO: services.scenario,
    },
  });
  mkdirSync(services.path('work'), { recursive: true });
  const run = (changes: Partial<AgentCall> = {}) =>
    agent.run({
      prompt: 'Write the file.',
      model: kind.model,
      folder: services.path('work'),
      idleMs: 30_000,
      hardMs: 40_000,
      signal: new AbortController().signal,
      ...changes,
    });
  return { services, agent, run };
}

describe.each(KINDS)('every agent: $name', (kind) => {
  it('gives back the answer, what it used, how long it took and its exit code', async () => {
    const { agent, run } = await anAgent(kind, [{ reply: 'FILE: a.md', usage: { in: 120, out: 30, usd: 0.02 } }]);
    const result = await run();
    expect(result).toMatchObject({ ok: true, value: { tokensIn: 120, tokensOut: 30, exit: 0 } });
    expect(result.ok && result.value.text.trim()).toBe('FILE: a.md');
    expect(result.ok && result.value.ms).toBeGreaterThan(0);
    expect(result.ok && result.value.usd).toBe(agent.capabilities.billing === 'free' ? 0 : 0.02);
    expect(agent.id).toBe(kind.name);
  });

  it('is given the prompt whole and unchanged, on standard input', async () => {
    const { services, run } = await anAgent(kind, [{ reply: 'ok' }]);
    const prompt = `-p --help\n@/etc/passwd-is-not-there ü \u2028 ${'x'.repeat(3000)}\n$(id) \`id\``;
    expect((await run({ prompt })).ok).toBe(true);
    const asked = services.log().filter((entry) => typeof entry['prompt'] === 'string' && entry['prompt'] !== '');
    expect(asked.map((entry) => entry['prompt'])).toEqual([prompt]);
    expect(JSON.stringify(asked[0]?.['argv'])).not.toContain('$(id)');
  });

  it('works in its folder, in an environment of its own', async () => {
    process.env['ANDON_TEST_SECRET'] = 'x';
    const { services, run } = await anAgent(kind, [{ reply: 'ok' }]);
    await run();
    delete process.env['ANDON_TEST_SECRET'];
    const [last] = services.log().toReversed();
    expect(String(last?.['cwd'])).toContain('/work');
    expect(last?.['env']).not.toContain('ANDON_TEST_SECRET');
  });

  it.each([
    ['prints nothing', [{ does: ['empty'] }], {}, 'empty'],
    ['ends with an exit code', [{ reply: 'half', does: [{ exit: 3 }] }], {}, 'crash'],
    ['knows no answer', [], {}, 'crash'],
    ['is silent for too long', [{ does: ['silent'] }], { idleMs: 700 }, 'stall'],
    ['talks for too long', [{ reply: 'x'.repeat(4000), chunk: 1, every_ms: 50 }], { hardMs: 1500 }, 'stall'],
  ] as const)('that %s fails as a %#', { tags: 'thorough' }, async (_, calls, changes, failure) => {
    const { run } = await anAgent(kind, calls);
    const result = await run(changes);
    expect(result).toMatchObject({ ok: false, why: { kind: failure } });
    expect(!result.ok && result.why.detail.length).toBeGreaterThan(5);
  });

  it('that is not installed is missing, and says so', async () => {
    const { agent, run } = await anAgent(kind, [], {}, 'no-such-agent-anywhere');
    expect(await run()).toMatchObject({
      ok: false,
      why: { kind: 'missing', detail: expect.stringContaining(kind.name) },
    });
    expect(await agent.probe(kind.model)).toMatchObject({ ok: false, why: expect.stringContaining('not installed') });
  });

  it('that prints without end is ended and unreadable', { tags: 'thorough' }, async () => {
    const { run } = await anAgent(kind, [{ does: [{ megabytes: 20 }] }]);
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'unreadable' } });
  });

  it('ends when andon says so, deaf or not, and leaves no process behind', async () => {
    const { services, run } = await anAgent(kind, [
      { reply: 'x', does: ['silent', 'ignore-term', 'ignore-int', { grandchild: 300 }, { touch: 'begun' }] },
    ]);
    const abort = new AbortController();
    const running = run({ signal: abort.signal });
    expect(await until(() => existsSync(services.path('begun')))).toBe(true);
    abort.abort();
    expect(await running).toMatchObject({ ok: false, why: { kind: 'aborted' } });
    const pids = [...services.grandchildren(), ...services.log().map(({ pid }) => Number(pid))];
    expect(await until(() => pids.every((pid) => !isAlive(pid)))).toBe(true);
  });

  it('that answered is not waited for because a child of it holds the pipe', { tags: 'thorough' }, async () => {
    const { run } = await anAgent(kind, [{ reply: 'done', does: [{ grandchild: 300 }] }]);
    const began = performance.now();
    const result = await run();
    expect(result.ok).toBe(true);
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});

describe('ollama', () => {
  const [kind] = KINDS as [Kind, Kind];

  it('refuses a prompt that cannot fit, before it spends anything', async () => {
    const { services, run } = await anAgent(kind, [{ reply: 'x' }]);
    const result = await run({ model: 'small', prompt: 'word '.repeat(4000) });
    expect(result).toMatchObject({ ok: false, why: { kind: 'too-long' } });
    expect(!result.ok && result.why.detail).toContain('4096');
    expect(services.log().map(({ answer }) => answer)).not.toContain(0);
  });

  it.each([
    ['the server is down', { ollama_server: false }, {}, 'unavailable', 'ollama serve'],
    ['the model is not there', {}, { model: 'nobody' }, 'refused', 'ollama pull nobody'],
  ] as const)('says what to do when %s', async (_, scenario, changes, failure, words) => {
    const { agent, run } = await anAgent(kind, [{ reply: 'x' }], scenario);
    const result = await run(changes);
    expect(result).toMatchObject({ ok: false, why: { kind: failure, detail: expect.stringContaining(words) } });
    expect((await agent.probe('model' in changes ? changes.model : kind.model)).ok).toBe(false);
  });

  it.each([
    ['is cut off in the middle', [{ reply: 'half an answer', does: [{ 'cut-after': 4 }] }], 'crash'],
    ['is not UTF-8', [{ reply: 'x', does: ['invalid-utf8'] }], 'unreadable'],
    ['asks for a sign-in with exit code 0', [{ does: ['signed-out'] }], 'refused'],
    ['dies by a signal', [{ reply: 'x', does: [{ signal: 'SIGKILL' }] }], 'crash'],
    ['never ends', [{ reply: 'again ', does: ['endless'] }], 'stall'],
  ] as [string, Call[], string][])('takes no answer that %s', async (_, calls, failure) => {
    const { run } = await anAgent(kind, calls);
    expect(await run({ hardMs: 4000 })).toMatchObject({ ok: false, why: { kind: failure } });
  });

  it('passes a schema on, and probes without spending', async () => {
    const { services, agent, run } = await anAgent(kind, [{ structured: { verdict: 'PASS' } }]);
    const result = await run({ schema: { type: 'object' } });
    expect(result.ok && JSON.parse(result.value.text)).toEqual({ verdict: 'PASS' });
    expect(await agent.probe(kind.model)).toMatchObject({ ok: true, value: expect.stringContaining(kind.model) });
    expect(services.log().filter(({ answer }) => answer === 0)).toHaveLength(1);
  });
});

describe('claude', () => {
  const [, kind] = KINDS as [Kind, Kind];
  const schema = { type: 'object' };

  it('gives back the structured answer, and the cost of the whole run', async () => {
    const { run } = await anAgent(kind, [
      { structured: { verdict: 'PASS' }, does: ['two-results', 'stderr-noise'], usage: { in: 10, out: 5, usd: 0.5 } },
    ]);
    const result = await run({ schema });
    expect(result).toMatchObject({ ok: true, value: { structured: { verdict: 'PASS' } } });
    expect(result.ok && result.value.usd).toBeGreaterThanOrEqual(0.5);
  });

  it.each([
    ['no structured answer', ['no-structured-output'], 'unreadable'],
    ['an error of the service', [{ 'api-error': 500 }], 'unavailable'],
    ['a refused key', [{ 'api-error': 401 }], 'refused'],
    ['an unknown model', [{ 'api-error': 404 }], 'refused'],
    ['a prompt that is too long', [{ 'api-error': 'prompt-too-long' }], 'too-long'],
    ['too many turns', ['max-turns'], 'crash'],
    ['its own budget', ['budget'], 'spent'],
    ['too many tries at the schema', ['schema-retries'], 'unreadable'],
    ['no login', ['not-logged-in'], 'refused'],
  ] as [string, unknown[], string][])('fails on %s', async (_, does, failure) => {
    const { run } = await anAgent(kind, [{ structured: { verdict: 'PASS' }, does }]);
    expect(await run({ schema })).toMatchObject({ ok: false, why: { kind: failure } });
  });

  it('stalls when it hangs', async () => {
    const { run } = await anAgent(kind, [{ does: ['hang'] }]);
    expect(await run({ schema, idleMs: 800 })).toMatchObject({ ok: false, why: { kind: 'stall' } });
  });

  it('is given a cap in dollars, and no project’s settings or tools that write', async () => {
    const { services, run } = await anAgent(kind, [{ structured: {}, usage: { in: 1, out: 1, usd: 0.01 } }]);
    await run({ schema, maxUsd: 0.25 });
    const argv = services.log().at(-1)?.['argv'] as string[];
    expect(argv[argv.indexOf('--max-budget-usd') + 1]).toBe('0.2500');
    expect(argv[argv.indexOf('--tools') + 1]).toBe('Read,Glob,Grep');
    expect(argv).toContain('--strict-mcp-config');
  });

  it('says what to do when nobody is logged in', async () => {
    const { agent } = await anAgent(kind, [], { claude_auth: false });
    expect(await agent.probe('')).toMatchObject({ ok: false, why: expect.stringContaining('log in') });
  });
});
