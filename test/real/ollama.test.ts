import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createOllama } from '../../src/agents/drivers/ollama.ts';
import { systemClock } from '../../src/base/system/system-clock.ts';
import { processRegistry } from '../../src/sandbox/processes/registry.ts';
import { processRunner } from '../../src/sandbox/processes/run.ts';
import type { AgentCall } from '../../src/agents/agent.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { ask, findOllama } from './find-ollama.ts';
import { detectTruncation, readStatistics } from '../../src/agents/drivers/ollama-output.ts';

// The real ollama with a model that is there; only the judge is a stand-in. A model may write nonsense: what is proven
// is that every answer of the program is read as what it is.

const found = findOllama();
const name = found.ok ? `the real ollama with ${found.value}` : `not run: ${found.why}`;
if (!found.ok) console.warn(name);
const model = found.ok ? found.value : '';
const MINUTES = 60_000;
const WINDOW = 2048;

const folder = mkdtempSync(join(tmpdir(), 'andon-real-ollama-'));
const env: Record<string, string> = { TERM: 'dumb' };
for (const key of ['PATH', 'HOME', 'OLLAMA_HOST']) if (process.env[key] !== undefined) env[key] = process.env[key];
const agent = createOllama(
  processRunner(systemClock, processRegistry(folder)),
  { program: 'ollama', args: [], env },
  {},
);
const local = agent.localModels;

const run = (changes: Partial<AgentCall>) =>
  agent.run({
    prompt: 'Answer with the one word: hello',
    model,
    folder,
    idleMs: 10 * MINUTES,
    hardMs: 10 * MINUTES,
    signal: new AbortController().signal,
    ...changes,
  });

const made: string[] = [];
afterAll(() => {
  for (const one of made) ask('rm', one);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!found.ok)(name, { timeout: 15 * MINUTES }, () => {
  test('is ready: it knows every option that andon passes, and its server answers', async () => {
    expect(await local?.ready()).toMatchObject({ ok: true, value: expect.stringMatching(/^\d+\.\d+/) });
    expect(await agent.models?.()).toContain(model.includes(':') ? model : `${model}:latest`);
  });

  test('tells the window that it allocates, once the model is loaded', async () => {
    const window = await local?.window(model, { load: true });
    expect(window).toMatchObject({ ok: true, value: { known: 'loaded', tokens: expect.any(Number) } });
    const listed = ask('ps');
    expect(listed?.ok && listed.value).toContain(String(window?.ok && window.value.tokens));
  });

  test('answers, with its statistics and without an escape sequence', async () => {
    const answer = await run({ prompt: 'Write three long sentences about bridges, each on a line of its own.' });
    expect(answer).toMatchObject({
      ok: true,
      value: { exit: 0, usd: 0, tokensIn: expect.any(Number), tokensOut: expect.any(Number) },
    });
    expect(answer.ok && answer.value.text).not.toContain('\u001B');
  });

  test('answers in the shape of a schema', async () => {
    const schema = {
      type: 'object',
      properties: { verdict: { type: 'string', enum: ['PASS', 'FAIL'] } },
      required: ['verdict'],
    };
    const answer = await run({ prompt: 'Is 2 + 2 = 4? Give your verdict as JSON.', schema });
    expect(['PASS', 'FAIL']).toContain(answer.ok && (JSON.parse(answer.value.text) as { verdict: string }).verdict);
  });

  test('has no model of that name: refused, and nothing is pulled', async () => {
    const before = await agent.models?.();
    expect(await run({ model: 'andon-no-such-model' })).toMatchObject({ ok: false, why: { kind: 'refused' } });
    expect(await agent.models?.()).toEqual(before);
  });

  test('makes a model with a window of its own; a prompt that is too long for it is refused before it is cut', async () => {
    const small = await local?.derive(model, WINDOW, folder);
    expect(small).toMatchObject({ ok: true });
    const derived = small?.ok ? small.value : '';
    made.push(derived);
    expect(await local?.window(derived, { load: true })).toMatchObject({ value: { tokens: WINDOW, known: 'loaded' } });
    const prompt = 'word '.repeat(2 * WINDOW);
    expect(await run({ model: derived, prompt })).toMatchObject({ ok: false, why: { kind: 'too-long' } });

    const args = ['run', derived, '--nowordwrap', '--hidethinking', '--think=false', '--verbose'];
    const { status, stderr } = spawnSync('ollama', args, { input: prompt, env, timeout: 10 * MINUTES });
    const { promptTokens } = readStatistics(stderr.toString());
    // Cut to half without a word, as andon expects it; or refused, which newer ones may do.
    expect(status !== 0 || detectTruncation(promptTokens ?? 0, WINDOW), `${status}: ${promptTokens} tokens`).toBe(true);
  });

  test('ends within seconds when andon says so', async () => {
    const abort = new AbortController();
    const running = run({ prompt: 'Count from 1 to 10000, one number per line.', signal: abort.signal });
    setTimeout(() => abort.abort(), 500);
    expect(await running).toMatchObject({ ok: false, why: { kind: 'aborted' } });
  });

  test('works at both of its stations in a whole contract', async () => {
    const factory = await aFactory();
    const judge = {
      program: join(import.meta.dirname, '../../stand-ins/claude'),
      env: { ANDON_SCENARIO: join(factory.folder, 'agents/scenario.json'), PATH: env['PATH'] },
    };
    const agents = { ollama: { program: 'ollama', env }, claude: judge };
    writeFileSync(join(factory.folder, 'config/andon/config.yaml'), stringify({ cage: 'none', agents }));
    const dog = await factory.begin(aContract({ 'roles.implementer': model, 'roles.local_reviewer': model }));
    await dog.until(() => factory.isMerged() || factory.isHalted(), 14 * MINUTES);
    const { calls } = await factory.show('DOC-001');
    expect(calls.some(({ station, ok }) => station === 'implementer' && ok)).toBe(true);
    expect(factory.breaker()).not.toBe('fault');
  });
});
