import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ProxyBudget } from '../../../src/agents/drivers/proxy-budget.ts';
import { followUsage } from '../../../src/agents/drivers/proxy-response.ts';
import type { ProxyConfig } from '../../../src/agents/drivers/model-proxy.ts';
import { SERVICE_KEY, answerJson, modelService } from '../../support/model-service.ts';
import * as fc from '../../support/properties.ts';

const USED = { usage: { prompt_tokens: 100, completion_tokens: 20 } };

/** The model proxy before a service, with a budget of fifty requests; it is asked by POST. */
async function aDoor(
  answer: Parameters<typeof modelService>[0],
  plan: Partial<ProxyConfig> = {},
  budget: Partial<ProxyBudget> = {},
) {
  const line = await modelService(answer, plan, { requests: 50, ...budget });
  const ask = (path: string, body: object | string = { model: 'm1' }, headers: Record<string, string> = {}) =>
    line.ask('POST', path, body, headers);
  return { ...line, ask };
}

describe('the model door', () => {
  test('puts the real key in, and passes on neither the dummy nor any other', async () => {
    const { ask, seen } = await aDoor((outgoing) => answerJson(outgoing, USED));
    expect(
      (await ask('/chat/completions', { model: 'm1' }, { 'x-api-key': 'andon-dummy', cookie: 'a=b' })).status,
    ).toBe(200);
    expect(seen[0]?.url).toBe('/v1/chat/completions');
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${SERVICE_KEY}`);
    expect(JSON.stringify(seen)).not.toContain('andon-dummy');
    expect(seen[0]?.headers.cookie).toBeUndefined();
  });

  test('lets nobody in who does not know the key of the call', async () => {
    const { ask, seen } = await aDoor((outgoing) => answerJson(outgoing, USED));
    expect((await ask('/chat/completions', {}, { authorization: 'Bearer another' })).status).toBe(401);
    expect(seen).toEqual([]);
  });

  test.each([
    '/files',
    '/fine_tuning/jobs',
    '/../admin',
    '/chat/%2e%2e/completions',
    '//evil.example/models',
    '/models/a/b',
  ])('leads to models and nowhere else: %s', async (path) => {
    const { door, seen } = await aDoor((outgoing) => answerJson(outgoing, USED));
    const status = await new Promise<number | undefined>((answered) => {
      const headers = { authorization: 'Bearer andon-dummy' };
      const asked = request({ port: door.port, path, method: 'POST', headers }, (answer) =>
        answered(answer.statusCode),
      );
      asked.end('{}');
    });
    expect(status).toBe(404);
    expect(seen).toEqual([]);
  });

  test.each([
    ['as it is', (key: string) => key],
    ['in base64', (key: string) => Buffer.from(`x: Bearer ${key}`).toString('base64')],
    ['in hex', (key: string) => Buffer.from(key).toString('hex')],
    ['in a piece', (key: string) => key.slice(3, 16)],
  ])('the key does not come back in an answer: %s', async (_, form) => {
    const { ask, state } = await aDoor((outgoing) => {
      outgoing.writeHead(402, {
        'content-type': 'text/plain',
        'x-request-id': form(SERVICE_KEY),
        'x-echo': form(SERVICE_KEY),
      });
      for (const letter of `wrong key: ${form(SERVICE_KEY)}!`) outgoing.write(letter);
      outgoing.end();
    });
    const { text } = await ask('/chat/completions');
    for (let at = 0; at + 12 <= form(SERVICE_KEY).length - 4; at += 1)
      if (/[A-Z0-9]/.test(form(SERVICE_KEY).slice(at, at + 12)) || form(SERVICE_KEY) === SERVICE_KEY)
        expect(text + JSON.stringify(state.trouble())).not.toContain(form(SERVICE_KEY));
    expect(text).toMatch(/^wrong key: .*\*{3}.*!$/);
  });

  test('of a family takes the longer name of the pinned one, and refuses another', async () => {
    const { ask, seen } = await aDoor((outgoing) => answerJson(outgoing, USED), { model: 'sonnet', pins: 'family' });
    expect((await ask('/messages', { model: 'claude-sonnet-5-5' })).status).toBe(200);
    expect((await ask('/messages', { model: 'claude-opus-5-5' })).status).toBe(400);
    expect((await ask('/messages', { model: 'claude-sonnets-9' })).status).toBe(400);
    expect(seen).toHaveLength(1);
  });

  test('asks a stream of chat completions for what it uses', async () => {
    const { ask, seen } = await aDoor((outgoing) => answerJson(outgoing, USED));
    await ask('/chat/completions', { model: 'm1', stream: true });
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ stream_options: { include_usage: true } });
  });

  test('adds up what every answer tells', async () => {
    const { ask, state } = await aDoor((outgoing) => answerJson(outgoing, USED));
    await ask('/chat/completions');
    await ask('/chat/completions');
    expect(state.counted()).toMatchObject({ tokensIn: 200, tokensOut: 40 });
    expect(state.requests()).toBe(2);
  });

  test('of an answer that tells nothing what was used is unknown, and counts against the budget by its length', async () => {
    const { ask, state } = await aDoor(
      (outgoing) => answerJson(outgoing, { said: 'x'.repeat(4000) }),
      {},
      { tokens: 1000 },
    );
    await ask('/chat/completions');
    expect(state.counted()).toMatchObject({ tokensIn: null, tokensOut: null });
    expect((await ask('/chat/completions')).status).toBe(401);
  });

  test('lets nobody in any more once the tokens are used, in words that say so', async () => {
    const { ask, state, seen } = await aDoor((outgoing) => answerJson(outgoing, USED), {}, { tokens: 120 });
    await ask('/chat/completions');
    const refused = await ask('/chat/completions');
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text)).toMatchObject({
      error: { message: expect.stringContaining('120 of 120 tokens') },
    });
    expect(state.closed()).toMatchObject({ kind: 'spent' });
    expect(seen).toHaveLength(1);
  });

  test('the same for dollars and requests', async () => {
    const dollars = await aDoor((outgoing) => answerJson(outgoing, USED), {}, { usd: 0.5, priceOf: () => 0.6 });
    await dollars.ask('/chat/completions');
    await dollars.ask('/chat/completions');
    expect(dollars.state.closed()).toMatchObject({
      kind: 'spent',
      detail: expect.stringContaining('$0.6000 of $0.5000'),
    });
    const requests = await aDoor((outgoing) => answerJson(outgoing, USED), {}, { requests: 1 });
    await requests.ask('/chat/completions');
    await requests.ask('/chat/completions');
    expect(requests.state.closed()).toMatchObject({
      kind: 'crash',
      detail: expect.stringContaining('round in circles'),
    });
  });

  test.each([
    [
      'a limit that names its end',
      429,
      { error: 'slow down' },
      { 'retry-after': '3600' },
      'unavailable',
      '2026-11-23T19:00:00.000Z',
    ],
    ['a plan that is used up', 429, { error: 'check your plan and billing details' }, {}, 'refused', undefined],
    ['a limit that is used up', 429, { error: { type: 'usage_limit_reached' } }, {}, 'unavailable', undefined],
    ['a key that is not taken', 401, { error: 'no' }, {}, 'refused', undefined],
    ['an account without credit', 429, { error: { code: 'insufficient_quota' } }, {}, 'refused', undefined],
  ])('closes at %s, so that no program waits for it', async (_, status, body, headers, kind, until) => {
    const { ask, state, seen } = await aDoor((outgoing) => answerJson(outgoing, body, status, headers));
    expect((await ask('/chat/completions')).status).toBe(status);
    expect((await ask('/chat/completions')).status).toBe(401);
    expect(state.closed()).toMatchObject({ kind });
    expect(state.closed()?.until).toBe(until);
    expect(seen).toHaveLength(1);
  });

  test.each([
    ['by its header', 'Rate limit reached for m1 on tokens per min (TPM)', { 'retry-after': '6' }],
    ['in seconds', 'Rate limit reached for m1 on tokens per min (TPM). Please try again in 6s.', {}],
    ['in milliseconds', 'Rate limit reached for m1 on tokens per min (TPM). Please try again in 20ms.', {}],
    [
      'of Google',
      'You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_requests, limit: 10 Please retry in 12.345s.',
      {},
    ],
  ])('leaves a limit that is soon over to the program: %s', async (_, message, headers) => {
    const { ask, state } = await aDoor((outgoing) => answerJson(outgoing, { error: { message } }, 429, headers));
    expect((await ask('/chat/completions')).status).toBe(429);
    expect(state.closed()).toBeUndefined();
    expect(state.trouble()).toMatchObject({ kind: 'unavailable' });
  });

  test('leaves an overload to the program until it comes again and again', async () => {
    const { ask, state } = await aDoor((outgoing) => answerJson(outgoing, { error: 'overloaded' }, 529));
    for (let time = 1; time < 6; time += 1) await ask('/chat/completions');
    expect(state.closed()).toBeUndefined();
    await ask('/chat/completions');
    expect(state.closed()).toMatchObject({ kind: 'unavailable', detail: expect.stringContaining('6 times in a row') });
  });

  test('says that a service cannot be reached, and closes when that stays so', async () => {
    const { ask, state, service } = await aDoor((outgoing) => answerJson(outgoing, USED));
    service.close();
    for (let time = 1; time <= 6; time += 1) expect((await ask('/chat/completions')).status).toBe(502);
    expect(state.closed()).toMatchObject({ kind: 'unavailable', detail: expect.stringContaining('cannot be reached') });
  });

  test('gives a service up that sends no byte for too long', async () => {
    const { ask, state } = await aDoor(() => {}, { idleMs: 50 });
    expect((await ask('/chat/completions')).status).toBe(502);
    expect(state.isAsking()).toBe(false);
  });

  test('passes a stream on piece by piece, before it has ended', async () => {
    let goOn = (): void => {};
    const { door } = await aDoor((outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.write('data: {"first":1}\n\n');
      goOn = () => void outgoing.end(`data: ${JSON.stringify(USED)}\n\n`);
    });
    const response = await fetch(`http://127.0.0.1:${door.port}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer andon-dummy' },
      body: '{}',
    });
    const parts: string[] = [];
    for await (const part of response.body ?? []) {
      parts.push(Buffer.from(part as Uint8Array).toString());
      goOn();
    }
    expect(parts[0]).toBe('data: {"first":1}\n\n');
    expect(parts.join('')).toContain('prompt_tokens');
  });

  test('a program that goes away in the middle leaves nothing open, and what it used is unknown', async () => {
    let isGone = (): void => {};
    const gone = new Promise<void>((resolve) => (isGone = resolve));
    const { door, state } = await aDoor((outgoing) => {
      outgoing.once('close', isGone);
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {}\n\n');
    });
    const stop = new AbortController();
    const response = await fetch(`http://127.0.0.1:${door.port}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer andon-dummy' },
      body: '{}',
      signal: stop.signal,
    });
    expect(response.status).toBe(200);
    stop.abort();
    await gone;
    expect(state.isAsking()).toBe(false);
    expect(state.counted()).toMatchObject({ tokensIn: null });
  });
});

describe('what an answer tells of its usage', () => {
  const event = (value: object): string => `event: x\r\ndata: ${JSON.stringify(value)}\r\n\r\n`;
  const STREAMS: readonly (readonly [string, string, object])[] = [
    ['chat completions', event({ choices: [] }) + event(USED) + 'data: [DONE]\n\n', { tokensIn: 100, tokensOut: 20 }],
    [
      'responses',
      event({ response: { id: 1 } }) +
        event({
          response: { usage: { input_tokens: 90, input_tokens_details: { cached_tokens: 30 }, output_tokens: 7 } },
        }),
      { tokensIn: 90, cached: 30, tokensOut: 7 },
    ],
    [
      'messages',
      event({
        message: {
          usage: { input_tokens: 10, cache_read_input_tokens: 5, cache_creation_input_tokens: 1, output_tokens: 1 },
        },
      }) + event({ usage: { output_tokens: 40 } }),
      { tokensIn: 16, cached: 5, tokensOut: 40 },
    ],
    [
      'generateContent',
      event({ usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 1 } }) +
        event({ usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 4, thoughtsTokenCount: 2 } }),
      { tokensIn: 8, tokensOut: 6 },
    ],
  ];

  test.each(STREAMS)('is found in %s, however its bytes are cut', (_, text, expected) => {
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 20 }), (cuts) => {
        const follower = followUsage('text/event-stream');
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        for (let piece = 1; piece < at.length; piece += 1) follower.take(bytes.subarray(at[piece - 1], at[piece]));
        expect(follower.counted()).toMatchObject(expected);
      }),
    );
  });

  test('is unknown where it tells none, or tells what cannot be', () => {
    for (const text of ['', 'data: {"usage":', '{"usage":{"input_tokens":-1}}', '{"usage":"many"}', 'x'.repeat(100)]) {
      const follower = followUsage('application/json');
      follower.take(Buffer.from(text));
      expect(follower.counted()).toMatchObject({ tokensIn: null, tokensOut: null });
    }
  });
});
