import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOllama } from '../../../src/agents/drivers/ollama.ts';
import type { AgentId } from '../../../src/base/agent-ids.ts';
import type { Agent, AgentCall } from '../../../src/agents/agent.ts';
import { aRunner, isAlive, until } from '../sandbox/processes/a-runner.ts';
import { STAND_INS, aWorld } from '../stand-ins/stand-in.ts';
import { openClaude } from '../../support/drivers.ts';
import { hostFor } from '../../support/stand-in-host.ts';

type Call = Record<string, unknown>;
interface Kind {
  readonly name: AgentId;
  readonly model: string;
}
/** The agents that are there always, with a model that the stand-in in `stand-ins/` plays. */
const KINDS: readonly Kind[] = [
  { name: 'ollama', model: 'qwen2.5-coder' },
  { name: 'claude', model: 'sonnet' },
];

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
  hostFor(services.scenario);
  const env = {
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    ANDON_SCENARIO: services.scenario,
  };
  const { run: runProgram } = aRunner();
  const agent: Agent =
    kind.name === 'claude'
      ? openClaude(runProgram, { program, env })
      : createOllama(runProgram, { program, args: [], env }, {});
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

  it('that is not installed is missing, and says so', async () => {
    const { agent, run } = await anAgent(kind, [], {}, 'no-such-agent-anywhere');
    expect(await run()).toMatchObject({
      ok: false,
      why: { kind: 'missing', detail: expect.stringContaining(kind.name) },
    });
    expect(await agent.probe(kind.model)).toMatchObject({ ok: false, why: expect.stringContaining('not installed') });
  });

  it('ends when andon says so, deaf or not, and leaves no process behind', { tags: 'thorough' }, async () => {
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

  it('stalls when it hangs', async () => {
    const { run } = await anAgent(kind, [{ does: ['hang'] }]);
    expect(await run({ schema, idleMs: 800 })).toMatchObject({ ok: false, why: { kind: 'stall' } });
  });
});
