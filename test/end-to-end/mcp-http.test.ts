import { request } from 'node:http';
import { connect } from 'node:net';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { aFactory, eventually } from '../support/factory.ts';
import { aClient } from '../support/mcp-client.ts';
import { THREE_RULES } from '../support/rule-files.ts';

const EVIL = { code: 'eval("1");\n', file: 'src/a.ts' };

/** `andon mcp --http` in a repository with rules, and where and by which token it is asked. */
async function served(...args: readonly string[]) {
  const factory = await aFactory({ files: { '.andon/rules/app.yaml': THREE_RULES } });
  const { child, ended, output } = factory.start(['mcp', '--http', ...args]);
  await eventually(() => output().includes('Bearer '), `it listens: ${output()}`);
  const url = new URL(/http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(output())?.[0] ?? '');
  const token = /Bearer (\S+)/.exec(output())?.[1] ?? '';
  return { factory, child, ended, output, url, token };
}

/** A request as any program could make it, with headers that a browser would not let a page choose. */
function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  method = 'POST',
): Promise<{ status: number; headers: object; body: string }> {
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      (answer) => {
        let body = '';
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      },
    );
    asked.on('error', reject);
    asked.end(method === 'GET' ? '' : JSON.stringify(message));
  });
}

/** What comes back for lines that no client library would send. */
function raw({ hostname, port }: URL, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.end([...lines, 'Content-Length: 2', 'Connection: close', '', '{}'].join('\r\n')),
    );
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

describe('andon mcp --http', () => {
  for (const era of ['legacy', 'auto'] as const)
    test(
      `answers the official client that has the token (${era})`,
      { tags: era === 'auto' ? [] : 'thorough' },
      async () => {
        const { url, token } = await served();
        const transport = new StreamableHTTPClientTransport(url, {
          authProvider: { token: () => Promise.resolve(token) },
        });
        const client = await aClient(transport, era);
        expect((await client.client.listTools()).tools[0]).toMatchObject({ name: 'rule_engine' });
        expect((await client.engine({ action: 'check_violation', context: EVIL })).facts).toMatchObject({
          action: 'QUICK_FIX',
        });
        const isHeard = (): boolean => client.heard.some(({ method }) => method === 'notifications/ops/priority');
        await eventually(isHeard, 'it is told of the priority');
      },
    );

  test(
    'turns away whoever has not got it, whoever comes under another name, and pages of other origins',
    { tags: 'thorough' },
    async () => {
      const { url, token } = await served();
      const authorization = `Bearer ${token}`;
      const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
        (await post(url, headers)).status;
      expect(await post(url, {})).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': expect.any(String) as string },
      });
      for (const wrong of [`Bearer ${token}x`, `Bearer ${token.slice(1)}`, 'Bearer ', token, `Basic ${token}`])
        expect(await status({ authorization: wrong }), wrong).toBe(401);
      for (const host of ['evil.example', `evil.example:${url.port}`, '127.0.0.1', `127.0.0.1:1`, `[::1]:${url.port}`])
        expect(await status({ authorization, host }), host).toBe(421);
      for (const origin of ['http://evil.example', 'null', `https://localhost:${url.port}`, 'http://localhost:1', ''])
        expect(await status({ authorization, origin }), origin).toBe(403);
      const twice = async (hosts: readonly string[]): Promise<string> =>
        raw(url, ['POST /mcp HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), `Authorization: ${authorization}`]);
      for (const hosts of [
        [url.host, 'evil.example'],
        ['evil.example', url.host],
        [url.host, url.host],
      ])
        expect(await twice(hosts), hosts.join()).toMatch(/^HTTP\/1\.1 400 /);
      expect(await twice([url.host])).not.toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*twice/);
      expect(await status({ authorization })).toBe(200);
      expect(
        await status({ authorization, origin: `http://localhost:${url.port}`, host: `localhost:${url.port}` }),
      ).toBe(200);
      expect((await post(new URL('/', url), { authorization })).status).toBe(404);
      expect(await status({ authorization, 'mcp-session-id': 'nobody' })).toBe(404);
      expect(await status({ authorization, 'content-type': 'text/plain' })).toBe(415);
    },
  );

  test('gives no page of a browser leave to read an answer', { tags: 'thorough' }, async () => {
    const { url, token } = await served();
    const preflight = await post(url, { origin: 'http://evil.example' }, 'OPTIONS');
    const real = await post(url, { authorization: `Bearer ${token}` });
    for (const { headers } of [preflight, real])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test(
    'says where it listens and the token once, on standard error, and ends at a signal',
    { tags: 'thorough' },
    async () => {
      const { child, ended, output, token } = await served();
      expect(token.length).toBeGreaterThanOrEqual(43); // 256 bits
      child.kill('SIGTERM');
      expect(await ended).toMatchObject({ code: 0, stdout: '' });
      expect(output().split(token)).toHaveLength(2);
    },
  );

  test('says what is wrong with its port', { tags: 'thorough' }, async () => {
    const { factory, url } = await served();
    expect(await factory.andon('mcp', '--http', '--port', url.port)).toMatchObject({ code: 2 });
    expect(await factory.andon('mcp', '--http', '--port', '70000')).toMatchObject({ code: 2 });
  });

  test('keeps what a session registered for that session', { tags: 'thorough' }, async () => {
    const { url, token } = await served('--allow-register');
    const [one, other] = await Promise.all(
      [1, 2].map(() =>
        aClient(new StreamableHTTPClientTransport(url, { authProvider: { token: () => Promise.resolve(token) } })),
      ),
    );
    const rule = { id: 'mine', severity: 'HIGH', match: { pattern: 'MINE' } };
    expect(await one?.engine({ action: 'register', rule })).toMatchObject({ isError: false });
    const context = { code: 'MINE', file: 'a.ts' };
    expect((await one?.engine({ action: 'check_violation', context }))?.facts).toMatchObject({ action: 'QUICK_FIX' });
    expect((await other?.engine({ action: 'check_violation', context }))?.facts).toMatchObject({ action: 'PASS' });
  });
});
