import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseResetTime } from '../../src/agents/drivers/reset-time.ts';
import { systemClock } from '../../src/base/system/system-clock.ts';
import { processRegistry } from '../../src/sandbox/processes/registry.ts';
import { processRunner } from '../../src/sandbox/processes/run.ts';
import type { AgentCall } from '../../src/agents/agent.ts';
import { openClaude } from '../support/drivers.ts';
import { installClaude } from './install-claude.ts';
import { USAGE, aMessagesApi, type Step } from './messages-api.ts';
import { uses } from './real-factory.ts';

// Every ending of the real Claude Code that a server on the loopback can bring about, as andon's adapter tells of it.

const claude = installClaude();
const name = claude.ok ? 'the real claude' : `not run: ${claude.why}`;

const SCHEMA = { type: 'object', properties: { verdict: { type: 'string' } }, required: ['verdict'] };
const ANSWER: Step = uses('StructuredOutput', { verdict: 'PASS' });
const broken = (status: number, type: string, message: string, headers = {}): Step => ({
  kind: 'error',
  status,
  type,
  message,
  headers,
});

/** The real claude in front of a script, on a desk with one paper; `env` is what the user's configuration adds. */
async function aJudge(script: readonly Step[], env: Readonly<Record<string, string>> = {}) {
  const api = await aMessagesApi(...script);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'andon-real-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const part of ['home', 'desk', 'running']) mkdirSync(join(folder, part));
  writeFileSync(join(folder, 'desk/change.diff'), '+ a line\n');
  writeFileSync(join(folder, 'secret.txt'), 'a secret\n');
  const agent = openClaude(processRunner(systemClock, processRegistry(join(folder, 'running'))), {
    program: claude.ok ? claude.value : '',
    env: {
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'dummy-key-of-the-tests',
      HOME: join(folder, 'home'),
      PATH: process.env['PATH'] ?? '',
      CLAUDE_CODE_MAX_RETRIES: '1',
      ...env,
    },
  });
  const run = (changes: Partial<AgentCall> = {}) =>
    agent.run({
      prompt: 'Judge change.diff.',
      schema: SCHEMA,
      model: '',
      folder: join(folder, 'desk'),
      idleMs: 60_000,
      hardMs: 90_000,
      signal: new AbortController().signal,
      ...changes,
    });
  return { api, agent, folder, run };
}

/** A login of a subscriber instead of a key, as far as the program can tell. */
const SUBSCRIBER = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'dummy-login-of-the-tests' };

/** What the service answers when a share of a subscription is used up. */
const usageLimit = (claim: string, reset: number): Step =>
  broken(429, 'rate_limit_error', 'This request would exceed your account’s rate limit.', {
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-representative-claim': claim,
    'anthropic-ratelimit-unified-reset': String(reset),
    'anthropic-ratelimit-unified-overage-status': 'rejected',
  });

const says = (text: RegExp): unknown => expect.stringMatching(text);

describe.skipIf(!claude.ok)(`${name}: what an ending means`, () => {
  test.each([
    ['429', broken(429, 'rate_limit_error', 'Rate limited'), 'unavailable', /429/],
    ['500', broken(500, 'api_error', 'Internal server error'), 'unavailable', /500/],
    ['529', broken(529, 'overloaded_error', 'Overloaded'), 'unavailable', /overloaded/i],
    ['a breakdown in the middle of an answer', { kind: 'breakdown', text: 'I beg' }, 'unavailable', /server error/i],
    ['401', broken(401, 'authentication_error', 'invalid x-api-key'), 'refused', /API key.*ANTHROPIC_API_KEY/],
    ['403', broken(403, 'permission_error', 'Request not allowed'), 'refused', /log in/],
    ['404', broken(404, 'not_found_error', 'model: x'), 'refused', /agents\.claude\.model/],
    ['no credit', broken(400, 'invalid_request_error', 'Your credit balance is too low'), 'refused', /add credit/],
    ['too long', broken(400, 'invalid_request_error', 'prompt is too long: 2 tokens > 1 maximum'), 'too-long', /./],
    ['too large', broken(413, 'request_too_large', 'Request too large'), 'too-long', /./],
    ['another 400', broken(400, 'invalid_request_error', 'bad thing'), 'crash', /bad thing/],
    ['nothing but text', { kind: 'text', text: 'Fine.' }, 'unreadable', /no structured answer/],
    ['an answer outside the schema', uses('StructuredOutput', { v: 1 }), 'unreadable', /fits/],
  ] as readonly (readonly [string, Step, string, RegExp])[])('%s', async (_, step, kind, words) => {
    const { run } = await aJudge([step]);
    expect(await run()).toMatchObject({ ok: false, why: { kind, detail: says(words) } });
  });

  test('429 with a retry-after beyond its patience: it gives up at once', async () => {
    const { api, run } = await aJudge([broken(429, 'rate_limit_error', 'Rate limited', { 'retry-after': '3600' })]);
    expect(await run()).toMatchObject({ why: { kind: 'unavailable', detail: says(/429/) } });
    expect(api.turns()).toHaveLength(1);
  });

  test.each([
    ['five_hour', 2 * 3600],
    ['seven_day', 3 * 86_400],
  ])('the limit of a subscription (%s): it says until when, in an event and in words', async (claim, inSeconds) => {
    const reset = Math.floor(Date.now() / 1000) + inSeconds;
    const { api, run } = await aJudge([usageLimit(claim, reset)], SUBSCRIBER);
    const end = await run();
    expect(end).toMatchObject({
      why: { kind: 'unavailable', detail: says(/^claude .*You've hit your .*limit · resets /), usd: 0 },
    });
    expect(!end.ok && end.why.until).toBe(new Date(reset * 1000).toISOString());
    const spoken = parseResetTime(end.ok ? '' : end.why.detail, { at: new Date(), zone: 'UTC' });
    expect(Math.abs(Date.parse(spoken ?? '') / 1000 - reset)).toBeLessThanOrEqual(60);
    expect(api.turns()).toHaveLength(1);
  });

  test('no server, no name, no answer', async () => {
    const refused = await aJudge([], { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' });
    expect(await refused.run()).toMatchObject({ why: { kind: 'unavailable', detail: says(/refused/i) } });
    const nameless = await aJudge([], { ANTHROPIC_BASE_URL: 'http://no-such-host.invalid' });
    expect(await nameless.run()).toMatchObject({ why: { kind: 'unavailable', detail: says(/ENOTFOUND|EAI_AGAIN/) } });
    const silent = await aJudge([{ kind: 'silence' }], { API_TIMEOUT_MS: '2000' });
    expect(await silent.run()).toMatchObject({ why: { kind: 'unavailable', detail: says(/timed out/) } });
  });

  test('nothing but retries until the time limit: it is the service that is out of reach', async () => {
    const env = { CLAUDE_CODE_MAX_RETRIES: '10' };
    const { run } = await aJudge([broken(429, 'rate_limit_error', 'Rate limited')], env);
    expect(await run({ idleMs: 4000 })).toMatchObject({ why: { kind: 'unavailable', detail: says(/429/) } });
  });

  test('no answer at all: a stall', async () => {
    const { run } = await aJudge([{ kind: 'silence' }]);
    expect(await run({ idleMs: 2000 })).toMatchObject({ why: { kind: 'stall' } });
  });

  test('its own budget is used up', async () => {
    const { run } = await aJudge([{ kind: 'text', text: 'Hm.', usage: { input: 200_000, output: 10 } }, ANSWER]);
    const end = await run({ maxUsd: 0.05 });
    expect(end).toMatchObject({ why: { kind: 'spent', detail: says(/\$0\.0500/) } });
    expect(!end.ok && end.why.usd).toBeGreaterThan(0.05);
  });

  test('its turns are used up', async () => {
    const { api, run } = await aJudge([uses('Read', { file_path: 'change.diff' })]);
    expect(await run()).toMatchObject({ why: { kind: 'crash', detail: says(/60 turns/) } });
    expect(api.turns()).toHaveLength(60);
  });

  test('SIGINT and SIGTERM from elsewhere', async () => {
    for (const [signal, words] of [
      ['SIGINT', /ended from outside/],
      ['SIGTERM', /SIGTERM/],
    ] as const) {
      const { api, folder, run } = await aJudge([{ kind: 'silence' }]);
      const ending = run();
      await expect.poll(() => api.turns().length, { timeout: 20_000 }).toBe(1);
      const pids = readdirSync(join(folder, 'running')).map((file) => Number.parseInt(file, 10));
      expect(pids).toHaveLength(1);
      process.kill(pids[0] ?? 0, signal);
      expect(await ending).toMatchObject({ why: { kind: 'crash', detail: says(words) } });
    }
  });
});

describe.skipIf(!claude.ok)(`${name}: what an answer tells`, () => {
  test('who gave it, which tools worked and what was denied', async () => {
    const { folder, run } = await aJudge([
      uses('Read', { file_path: 'change.diff' }),
      uses('Read', { file_path: '../secret.txt' }),
      uses('Read', { file_path: 'not-there.txt' }),
      uses('Write', { file_path: 'change.diff', content: 'x' }),
      ANSWER,
    ]);
    const end = await run();
    expect(end).toMatchObject({
      ok: true,
      value: {
        structured: { verdict: 'PASS' },
        answeredBy: 'claude-opus-5-5',
        opened: ['change.diff'],
        tokensIn: 5 * USAGE.input,
      },
    });
    expect(end.ok && end.value.denials).toEqual([`Read ${join(folder, 'secret.txt')}`]);
  });

  test('no price for a model that it does not know', async () => {
    const { run } = await aJudge([ANSWER]);
    expect(await run({ model: 'nosuch' })).toMatchObject({ ok: true, value: { usd: null, answeredBy: 'nosuch' } });
  });

  test('that it lives, while one long answer is being written', async () => {
    const words = Array.from({ length: 16 }, (_, at) => `word${at}`);
    const { run } = await aJudge([{ kind: 'slow', words, everyMs: 500 }, ANSWER]);
    expect(await run({ idleMs: 3000 })).toMatchObject({ ok: true });
  });

  test('what it has used at least, when andon ended it', async () => {
    const { run } = await aJudge([uses('Read', { file_path: 'change.diff' }), { kind: 'silence' }]);
    expect(await run({ hardMs: 4000 })).toMatchObject({ why: { kind: 'stall', tokensIn: USAGE.input } });
  });

  test('its version, when it is asked whether it is there', async () => {
    const { agent } = await aJudge([]);
    expect(await agent.probe('')).toEqual({ ok: true, value: 'claude 2.1.330' });
  });
});
