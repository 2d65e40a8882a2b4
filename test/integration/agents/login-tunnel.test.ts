import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ProxyState } from '../../../src/agents/drivers/proxy-budget.ts';
import { openLoginTunnel } from '../../../src/agents/drivers/login-tunnel.ts';
import { helloFor, inRecordsOf } from '../../support/tls-hello.ts';

/** A service that keeps and repeats what it hears, and a tunnel that leads to it alone. */
async function aTunnel(ends?: AbortSignal) {
  const heard: Buffer[] = [];
  const service = createServer((side) => {
    side.on('error', () => {});
    side.on('data', (chunk: Buffer) => {
      heard.push(chunk);
      side.write(chunk);
    });
  });
  await new Promise<void>((listens) => service.listen(0, '127.0.0.1', listens));
  const port = (service.address() as AddressInfo).port;
  const now = () => ({ at: new Date('2026-11-23T18:00:00.000Z'), zone: 'UTC' });
  const state = new ProxyState({ requests: 3, tokens: undefined, usd: undefined, priceOf: () => null }, now);
  const hosts = [`localhost:${port}`, 'localhost:9', 'example.org'];
  const tunnel = await openLoginTunnel({ hosts, at: 'loopback', idleMs: 10_000, ends }, state);
  const sides: Socket[] = [];
  onTestFinished(async () => {
    sides.forEach((side) => side.destroy());
    await tunnel.close();
    service.close();
  });
  const dial = (): Socket => {
    const side = connect(tunnel.port ?? 0, '127.0.0.1');
    side.on('error', () => {});
    sides.push(side);
    return side;
  };
  /** What comes back of these words, until `ends` is in it or the connection is closed. */
  const say = (words: string, until: string): Promise<string> =>
    new Promise((resolve) => {
      const side = dial();
      let back = '';
      side.on('data', (chunk: Buffer) => {
        back += chunk.toString('latin1');
        if (back.includes(until)) resolve(back);
      });
      side.once('close', () => resolve(back));
      side.write(words);
    });
  /** A connection through the tunnel; `said` says these bytes and gives what comes back, up to so many bytes. */
  const through = async () => {
    const side = dial();
    side.write(`CONNECT localhost:${port} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await new Promise((answered) => side.once('data', answered));
    const closed = new Promise<void>((resolve) => side.once('close', () => resolve()));
    const said = async (bytes: Buffer, count: number): Promise<Buffer> => {
      let back = Buffer.alloc(0);
      const whole = new Promise<void>((resolve) => {
        side.on('data', (chunk: Buffer) => {
          back = Buffer.concat([back, chunk]);
          if (back.length >= count) resolve();
        });
      });
      side.write(bytes);
      await Promise.race([whole, closed]);
      return back;
    };
    return { side, closed, said };
  };
  return { say, through, state, port, heard, tunnel };
}

describe('the tunnel of a login', () => {
  test('leads to its hosts, and what comes back is a sign of life', async () => {
    const { through, state } = await aTunnel();
    const hello = await helloFor('localhost');
    const { said } = await through();
    expect(await said(hello, hello.length)).toEqual(hello);
    expect(state.bytes()).toBe(hello.length);
    expect(state.counted()).toMatchObject({ tokensIn: null, tokensOut: null });
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('lets a whole conversation of %s through', async (version) => {
    const psk = Buffer.alloc(32, 7);
    const service = createTlsServer(
      { pskCallback: () => psk, ciphers: 'PSK:TLS_AES_128_GCM_SHA256', minVersion: version, maxVersion: version },
      (side) => side.on('error', () => {}).pipe(side),
    );
    await new Promise<void>((listens) => service.listen(0, '127.0.0.1', listens));
    const port = (service.address() as AddressInfo).port;
    const now = () => ({ at: new Date('2026-11-23T18:00:00.000Z'), zone: 'UTC' });
    const state = new ProxyState({ requests: 3, tokens: undefined, usd: undefined, priceOf: () => null }, now);
    const tunnel = await openLoginTunnel({ hosts: [`localhost:${port}`], at: 'loopback', idleMs: 10_000 }, state);
    const raw = connect(tunnel.port ?? 0, '127.0.0.1');
    onTestFinished(async () => {
      raw.destroy();
      await tunnel.close();
      service.close();
    });
    raw.write(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`);
    await new Promise((answered) => raw.once('data', answered));
    const side = connectTls({
      socket: raw,
      servername: 'localhost',
      pskCallback: () => ({ psk, identity: 'x' }),
      ciphers: 'PSK:TLS_AES_128_GCM_SHA256',
      checkServerIdentity: () => undefined,
      minVersion: version,
      maxVersion: version,
    });
    const sent = Buffer.alloc(200_000, 'hello there ');
    let back = 0;
    const whole = new Promise<void>((resolve, fails) => {
      side.once('error', fails);
      side.on('data', (chunk: Buffer) => {
        back += chunk.length;
        if (back === sent.length) resolve();
      });
    });
    side.write(sent);
    await whole;
    expect(side.getProtocol()).toBe(version);
  });

  test('passes on nothing, and is closed, where the greeting asks for another host', async () => {
    const { through, heard, state } = await aTunnel();
    const { said, closed } = await through();
    expect(await said(inRecordsOf(3, await helloFor('attacker.example')), 1)).toEqual(Buffer.alloc(0));
    await closed;
    expect(Buffer.concat(heard)).toEqual(Buffer.alloc(0));
    expect(state.trouble()?.detail).toContain('attacker.example');
  });

  test.each([
    ['no greeting of TLS', 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['an answer in place of a greeting', '\u0016\u0003\u0001\u0000\u0004\u0002\u0000\u0000\u0000'],
  ])('passes on nothing, and is closed, with %s', async (_, words) => {
    const { say, heard, port } = await aTunnel();
    await say(`CONNECT localhost:${port} HTTP/1.1\r\nhost: x\r\n\r\n${words}`, 'never');
    expect(Buffer.concat(heard)).toEqual(Buffer.alloc(0));
  });

  test('holds a half of a greeting back', async () => {
    const { through, heard } = await aTunnel();
    const hello = await helloFor('localhost');
    const { said, side } = await through();
    side.write(hello.subarray(0, 100));
    expect(await said(hello.subarray(100), hello.length)).toEqual(hello);
    expect(heard[0]?.length).toBeGreaterThan(100);
  });

  test('ends its open connections when the budget of the call is used', async () => {
    const { through, say, state } = await aTunnel();
    const hello = await helloFor('localhost');
    const { said, closed } = await through();
    await said(hello, hello.length);
    state.close({ kind: 'spent', detail: 'was let in no more: all is used' });
    await closed;
    expect(await say('CONNECT localhost:9 HTTP/1.1\r\n\r\n', '\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('ends its open connections when the time of the call is over, and lets none in', async () => {
    const time = new AbortController();
    const { through, say, port } = await aTunnel(time.signal);
    const hello = await helloFor('localhost');
    const { said, closed } = await through();
    await said(hello, hello.length);
    time.abort();
    await closed;
    expect(await say(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('ends its open connections when the call is over', async () => {
    const { through, tunnel } = await aTunnel();
    const hello = await helloFor('localhost');
    const { said, closed } = await through();
    await said(hello, hello.length);
    await tunnel.close();
    await closed;
  });

  test.each([
    ['another host', 'CONNECT example.com:443 HTTP/1.1\r\n\r\n'],
    ['another port', 'CONNECT localhost:22 HTTP/1.1\r\n\r\n'],
    ['a host that is named like one', 'CONNECT localhost.evil:443 HTTP/1.1\r\n\r\n'],
    ['a plain request', 'GET http://127.0.0.1/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ])('does not lead to %s', async (_, words) => {
    const { say } = await aTunnel();
    expect(await say(words, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('counts no connections as requests; it is shut where a host cannot be reached again and again', async () => {
    const { say, state } = await aTunnel();
    const words = 'CONNECT localhost:9 HTTP/1.1\r\n\r\n';
    for (let time = 0; time < 5; time += 1) expect(await say(words, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 502 /);
    expect(await say(words, '\r\n\r\n')).not.toContain(' 200 '); // ended with the door, before or after its answer
    expect(state.trouble()?.detail).toContain('cannot be reached');
    expect(await say(words, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(state.requests()).toBe(0);
    expect(state.closed()).toMatchObject({ kind: 'unavailable', detail: expect.stringContaining('6 times in a row') });
  });
});
