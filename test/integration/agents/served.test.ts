import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { array, assert, integer, property } from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { followChatStream } from '../../../src/agents/drivers/served-agent.ts';
import { createServedAgent } from '../../../src/agents/drivers/served-agent.ts';
import { systemClock } from '../../../src/base/system/system-clock.ts';
import { readDriver } from '../../../src/project/config/read-driver.ts';
import type { WrittenDriver } from '../../../src/project/config/driver-schema.ts';
import type { AgentCall } from '../../../src/agents/agent.ts';
import { sourcesWith } from '../../support/drivers.ts';

type Reaction = (answer: ServerResponse, asked: { readonly url: string; readonly body: string }) => void;

const chunk = (delta: object, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ choices: [{ delta, finish_reason: finish }], ...more })}\n\n`;
const USAGE = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } })}\n\n`;
const WHOLE = [
  chunk({ role: 'assistant' }),
  chunk({ content: 'FILE: ' }),
  chunk({ content: 'ä.md' }),
  chunk({}, 'stop'),
  USAGE,
  'data: [DONE]\n\n',
];
const UNUSED = { tokensIn: 0, tokensOut: 0, usd: 0 };
const answers =
  (lines: readonly string[]): Reaction =>
  (answer) =>
    void answer.writeHead(200).end(lines.join(''));
const fails =
  (status: number, message: string, headers: Record<string, string> = {}): Reaction =>
  (answer) =>
    void answer.writeHead(status, headers).end(JSON.stringify({ error: { message } }));

/** A server on the loopback that reacts so to a chat; `told` are the bodies of other paths. */
async function aServer(
  react: Reaction,
  told: Readonly<Record<string, object>> = {},
  own: Partial<NonNullable<WrittenDriver['server']>> = {},
  more: WrittenDriver = {},
  key = 'not-a-key',
) {
  const asked: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  const server = createServer((incoming, answer) => {
    const { url = '', headers } = incoming;
    let body = '';
    incoming.on('data', (part: Buffer) => (body += part.toString()));
    incoming.on('end', () => {
      if (url === '/v1/chat/completions') {
        asked.push({ headers, body });
        react(answer, { url, body });
      } else if (told[url] === undefined) answer.writeHead(404).end();
      else answer.writeHead(200).end(JSON.stringify(told[url]));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const read = readDriver('mine', sourcesWith({ mine: { server: { url, ...own }, ...more } }));
  if (!read.ok || !('url' in read.value)) throw new Error('this is no server');
  const agent = createServedAgent(read.value, { MY_KEY: key }, systemClock);
  const run = (changes: Partial<AgentCall> = {}) =>
    agent.run({
      prompt: 'Write the file.',
      model: 'm1',
      folder: '/',
      idleMs: 20_000,
      hardMs: 20_000,
      signal: new AbortController().signal,
      ...changes,
    });
  return { agent, run, asked, server };
}

describe('a server that speaks OpenAI’s protocol', () => {
  test('streams an answer, and tells what it used', async () => {
    const { run, asked } = await aServer(answers(WHOLE), {}, {}, { billing: 'free' });
    expect(await run()).toMatchObject({ ok: true, value: { text: 'FILE: ä.md', tokensIn: 9, tokensOut: 4, usd: 0 } });
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ model: 'm1', stream: true, temperature: 0 });
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  test('gets the key of the variable that is named, and the schema of a review', async () => {
    const { run, asked } = await aServer(answers(WHOLE), {}, { key_env: 'MY_KEY' });
    await run({ schema: { type: 'object' } });
    expect(asked[0]?.headers.authorization).toBe('Bearer not-a-key');
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
    });
  });

  test.each([
    ['a line end, which is no part of it', 'not-a-key\n', { ok: true }],
    ['a character that no header holds', 'k\u00e9\u2014', { ok: false, why: { kind: 'refused', ...UNUSED } }],
  ])('whose key has %s', async (_, key, outcome) => {
    const { run } = await aServer(answers(WHOLE), {}, { key_env: 'MY_KEY' }, {}, key);
    expect(await run()).toMatchObject(outcome);
  });

  test('is not called silent by the probe where its key cannot be sent', async () => {
    const { agent } = await aServer(answers(WHOLE), {}, { key_env: 'MY_KEY' }, {}, 'k\u00e9\u2014');
    expect(await agent.probe('m1')).toMatchObject({ ok: false, why: expect.stringContaining('server.key_env') });
  });

  test.each<[string, Readonly<Record<string, object>>]>([
    ['llama.cpp', { '/props': { default_generation_settings: { n_ctx: 600 } } }],
    ['LM Studio', { '/api/v0/models': { data: [{ id: 'm1', loaded_context_length: 600, max_context_length: 9000 }] } }],
    ['ollama', { '/api/ps': { models: [{ name: 'm1:latest', context_length: 600 }] } }],
    ['vLLM', { '/v1/models': { data: [{ id: 'm1', max_model_len: 600 }] } }],
  ])('of the kind of %s tells its window, and is not sent what does not fit', async (_, told) => {
    const { run, agent, asked } = await aServer(answers(WHOLE), told);
    expect(await agent.windowOf?.('m1', new AbortController().signal)).toBe(600);
    expect(await run({ prompt: 'x'.repeat(3000) })).toMatchObject({ ok: false, why: { kind: 'too-long' } });
    expect(asked).toEqual([]);
    expect((await run()).ok).toBe(true);
  });

  test.each<[string, Reaction, object]>([
    ['401', fails(401, 'bad key'), { kind: 'refused' }],
    ['404 of a model', fails(404, 'no such model'), { kind: 'refused' }],
    ['400 about the context', fails(400, 'exceeds the maximum context length'), { kind: 'too-long' }],
    ['429 without a time', fails(429, 'slow down'), { kind: 'unavailable', ...UNUSED }],
    [
      '429 with a time',
      fails(429, 'slow down', { 'retry-after': '3600' }),
      { kind: 'unavailable', until: expect.stringMatching(/Z$/) },
    ],
    ['503', fails(503, 'loading model'), { kind: 'unavailable' }],
    [
      'a redirect',
      (answer) => void answer.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      { kind: 'unavailable' },
    ],
    ['a cut stream', answers(WHOLE.slice(0, 2)), { kind: 'crash' }],
    ['an answer that ran out of room', answers([chunk({ content: 'x' }), chunk({}, 'length')]), { kind: 'too-long' }],
    ['an empty answer', answers([chunk({}, 'stop')]), { kind: 'empty' }],
    ['a filter', answers([chunk({ content: 'x' }), chunk({}, 'content_filter')]), { kind: 'crash' }],
    ['an end that is no text', answers([chunk({ content: 'x' }, 7 as never)]), { kind: 'crash' }],
    ['an error in mid-stream', answers(['data: {"error":{"message":"out of memory"}}\n\n']), { kind: 'crash' }],
    [
      'bytes that are no text',
      (answer) => void answer.writeHead(200).end(Buffer.from([0xff, 0xfe, 0x0a])),
      { kind: 'unreadable' },
    ],
  ])('%s is no answer', async (_, react, why) => {
    const { run } = await aServer(react);
    expect(await run()).toMatchObject({ ok: false, why });
  });

  test('that ends in the middle has an unknown use, with an estimate', async () => {
    const { run } = await aServer((answer) => {
      answer.writeHead(200).write(WHOLE.slice(0, 3).join(''));
      setTimeout(() => answer.destroy(), 50);
    });
    expect(await run()).toMatchObject({
      ok: false,
      why: { kind: 'unavailable', tokensIn: null, tokensOut: null, estimate: { tokensIn: 5, tokensOut: 4 } },
    });
  });

  test('is not asked by fetch, which gives up a silent server after five minutes', async () => {
    const { run } = await aServer(answers(WHOLE));
    const asks = vi.spyOn(globalThis, 'fetch');
    expect((await run()).ok).toBe(true);
    expect(JSON.stringify(asks.mock.calls)).not.toContain('/chat/completions');
    asks.mockRestore();
  });

  test('that only keeps the line open is a stall', async () => {
    const { run } = await aServer((answer) => {
      answer.writeHead(200);
      const timer = setInterval(() => answer.write(': ping\n\n'), 50);
      answer.once('close', () => clearInterval(timer));
    });
    expect(await run({ idleMs: 400 })).toMatchObject({ ok: false, why: { kind: 'stall' } });
  });

  test('is let go at once when the line ends the call', async () => {
    const stop = new AbortController();
    const { run } = await aServer(() => stop.abort());
    expect(await run({ signal: stop.signal })).toMatchObject({ ok: false, why: { kind: 'aborted' } });
  });

  test('that is not there is waited for, and the probe says so without asking a model', async () => {
    const { run, agent, server } = await aServer(answers(WHOLE));
    server.closeAllConnections();
    server.close();
    expect(await run()).toMatchObject({ ok: false, why: { kind: 'unavailable', ...UNUSED } });
    expect(await agent.probe('m1')).toMatchObject({ ok: false, why: expect.stringContaining('start the server') });
  });

  test('that is there is told with its window', async () => {
    const { agent, asked } = await aServer(answers(WHOLE), {
      '/v1/models': { data: [{ id: 'm1', max_model_len: 4096 }] },
    });
    expect(await agent.probe('m1')).toMatchObject({ ok: true, value: expect.stringContaining('window 4096') });
    expect(asked).toEqual([]);
  });

  test('is understood alike however its bytes are cut', () => {
    const bytes = Buffer.from(WHOLE.join(''));
    assert(
      property(array(integer({ min: 0, max: bytes.length }), { maxLength: 12 }), (cuts) => {
        const stream = followChatStream();
        let from = 0;
        for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
          stream.follow(bytes.subarray(from, to));
          from = to;
        }
        expect(stream.story()).toMatchObject({ text: 'FILE: ä.md', finished: 'stop', tokensIn: 9 });
      }),
    );
  });

  test('is not believed where its last line is cut within a letter', () => {
    const stream = followChatStream();
    stream.follow(Buffer.concat([Buffer.from(`${WHOLE.join('')}data: {"x":"`), Buffer.from([0xff])]));
    expect(stream.story()).toMatchObject({ finished: 'stop', isUtf8: false });
  });
});
