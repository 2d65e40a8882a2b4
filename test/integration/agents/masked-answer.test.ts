import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { modelService } from '../../support/model-service.ts';

const KEY = 'mykeyCANARY77abc-of-Nobody';
const HEX = Buffer.from(KEY).toString('hex');

/** A proxy that puts the key in, and a service that answers so. */
async function aDoor(answers: Parameters<typeof modelService>[0]) {
  const { door, state } = await modelService(answers, { key: KEY });
  const ask = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${door.port}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer andon-dummy', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm1', messages: [] }),
    });
  return { ask, state };
}

describe('an answer of the service', () => {
  test('that repeats the real key, in a header, in its body or in an encoding, enters the cage without it', async () => {
    const { ask, state } = await aDoor((answer, { headers: { authorization = '' } }) => {
      const body = JSON.stringify({ error: { message: `Incorrect API key: ${authorization.slice(7)}`, hex: HEX } });
      const length = Buffer.byteLength(body);
      const headers = { 'x-request-id': authorization, 'request-id': HEX };
      answer.writeHead(401, { 'content-type': 'application/json', 'content-length': length, ...headers }).end(body);
    });
    const answer = await ask();
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: { message: 'Incorrect API key: ***', hex: '***' } });
    expect(answer.headers.get('x-request-id')).toBe('Bearer ***');
    expect(answer.headers.get('request-id')).toBe('***');
    expect(state.closed()?.detail).toContain('Incorrect API key: ***');
  });

  test('that cuts the key over many chunks enters the cage without it, and each event at once', async () => {
    let goOn = (): void => {};
    const isRead = new Promise<void>((read) => (goOn = read));
    const { ask } = await aDoor((answer) => {
      const work = async (): Promise<void> => {
        answer.writeHead(200, { 'content-type': 'text/event-stream' });
        answer.write('data: {"first":1}\n\n');
        await isRead;
        for (const byte of Buffer.from(`data: ${KEY}\n\n`)) {
          answer.write(Buffer.from([byte]));
          await setImmediate();
        }
        answer.end();
      };
      void work();
    });
    const body = (await ask()).body?.getReader();
    const first = await body?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe('data: {"first":1}\n\n');
    goOn();
    let rest = '';
    for (let part = await body?.read(); part?.value; part = await body?.read())
      rest += Buffer.from(part.value).toString();
    expect(rest).toBe('data: ***\n\n');
  });

  test('that is compressed, which nobody asked for, does not enter', async () => {
    const { ask, state } = await aDoor((answer) =>
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(KEY)),
    );
    const answer = await ask();
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('gzip');
    expect(state.trouble()?.detail).toContain('gzip');
  });
});
