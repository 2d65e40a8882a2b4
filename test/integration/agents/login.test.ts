import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failure } from '../../../src/base/outcome.ts';
import { failed } from '../../../src/adapters/agents/agent-program.ts';
import { doorState } from '../../../src/adapters/agents/door-state.ts';
import { holdsSecret, readLogin, takeBack, withLogin } from '../../../src/adapters/agents/login-file.ts';
import { openLoginTunnel } from '../../../src/adapters/agents/login-tunnel.ts';
import { privateFolder } from '../../../src/adapters/agents/private-folder.ts';
import { alone } from '../../../src/adapters/locks/alone.ts';
import { putAway } from '../../../src/adapters/put-away.ts';

const FILE = '.mine/auth.json';
const login = (token: string): string => JSON.stringify({ tokens: { access: token }, plan: 'pro' });
const OLD = login('an-old-token-of-nobody-at-all');
const NEW = login('a-newer-token-of-nobody-at-all');

/** A home in which a login lies. */
function aHome(text = OLD): {
  readonly home: string;
  readonly now: () => string;
  readonly put: (text: string) => void;
} {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'andon-login-')));
  onTestFinished(() => putAway(home));
  mkdirSync(join(home, '.mine'));
  const put = (one: string): void => writeFileSync(join(home, FILE), one, { mode: 0o600 });
  put(text);
  return { home, put, now: () => readFileSync(join(home, FILE), 'utf8') };
}

function found(home: string) {
  const read = readLogin(home, FILE);
  if (!read.ok) throw new Error(read.why);
  return read.value;
}

describe('a login that was in a cage', () => {
  const BESIDE = '.mine/.auth.json.andon-new';

  test("is kept beside the user's, for the user alone, when its program has made it new", async () => {
    const { home, now } = aHome();
    expect(await takeBack(found(home), NEW, alone)).toContain(`mv ${join(home, BESIDE)} ${join(home, FILE)}`);
    expect(now()).toBe(OLD);
    expect(readFileSync(join(home, BESIDE), 'utf8')).toBe(NEW);
    expect(lstatSync(join(home, BESIDE)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(home, '.mine'))).toEqual(['.auth.json.andon-new', 'auth.json']);
  });

  test('never becomes another account, whatever names the new one carries', async () => {
    const of = (account: string, token: string): string =>
      JSON.stringify({
        account,
        tokens: { access: `${token}-access-token-of-nobody` },
        email: `${account}@example.org`,
      });
    const { home, now } = aHome(of('victim', 'own'));
    for (const left of [of('attacker', 'other'), of('victim', 'other')]) {
      expect(await takeBack(found(home), left, alone)).toContain('only you can say whether it is still your account');
      expect(now()).toBe(of('victim', 'own'));
    }
  });

  test('lies beside the real file where the user has a link to it', async () => {
    const { home, now } = aHome();
    symlinkSync(join(home, '.mine'), join(home, '.other'));
    const read = readLogin(home, '.other/auth.json');
    expect(read.ok && (await takeBack(read.value, NEW, alone))).toContain(join(home, BESIDE));
    expect(now()).toBe(OLD);
    expect(lstatSync(join(home, '.other')).isSymbolicLink()).toBe(true);
  });

  test.each([
    ['nothing', undefined],
    ['no JSON', 'x'],
    ['a list', '[]'],
    ['other keys', '{"tokens":{}}'],
  ])('is kept as it was where %s is left of it', async (_, left) => {
    const { home, now } = aHome();
    expect(await takeBack(found(home), left, alone)).toContain('yours is as it was');
    expect(now()).toBe(OLD);
  });

  test('of several calls at once one is kept, whole', async () => {
    const { home, now } = aHome();
    const before = found(home);
    const all = ['one', 'two', 'three'].map((word) => login(`the-token-number-${word}-of-nobody`));
    await Promise.all(all.map((left) => takeBack(before, left, alone)));
    expect(all).toContain(readFileSync(join(home, BESIDE), 'utf8'));
    expect(now()).toBe(OLD);
  });

  /** A call with this login, whose program makes it new and then ends in this way. */
  const called = (home: string, end: () => ReturnType<Parameters<typeof withLogin>[1]>, by = alone) => {
    const own = privateFolder(mkdtempSync(join(home, 'state-')));
    own.folder('home');
    return withLogin({ name: 'mine', login: found(home), file: FILE, own, alone: by }, () => {
      writeFileSync(join(own.path, 'home', FILE), NEW);
      return end();
    });
  };
  const crashed = failure(failed('crash', 'it ended with 1', { ms: 1, exit: 1 }));

  test('is kept also where its work cannot be looked at', async () => {
    const { home } = aHome();
    await expect(called(home, () => Promise.reject(new Error('no space left')))).rejects.toThrow('no space left');
    expect(readFileSync(join(home, BESIDE), 'utf8')).toBe(NEW);
  });

  test('that cannot be kept is said, with what to do, whatever came of the call', async () => {
    const { home, now } = aHome();
    const barred = (): Promise<boolean> => Promise.reject(new Error('EACCES: permission denied'));
    const result = await called(home, () => Promise.resolve(crashed), barred);
    expect(!result.ok && result.why.kind).toBe('crash');
    expect(!result.ok && result.why.detail).toMatch(
      /^it ended with 1; the login was made new .* could not be kept: EACCES.*log in once/,
    );
    expect(now()).toBe(OLD);
  });

  test('is known by its long words, wherever they stand', () => {
    expect(holdsSecret('x an-old-token-of-nobody-at-all y', [undefined, OLD])).toBe(true);
    expect(holdsSecret('a pro plan, and a token', [OLD])).toBe(false);
  });

  test.each([
    ['is not there', undefined],
    ['holds no JSON object', 'hello'],
  ])('that %s is none', (why, text) => {
    const { home } = aHome(text ?? OLD);
    expect(readLogin(home, text === undefined ? '.mine/none.json' : FILE)).toEqual({
      ok: false,
      why: expect.stringContaining(why),
    });
  });
});

/** A service that repeats what it hears, and a tunnel that leads to it alone. */
async function aTunnel() {
  const service = createServer((side) => side.pipe(side));
  await new Promise<void>((listens) => service.listen(0, '127.0.0.1', listens));
  const port = (service.address() as AddressInfo).port;
  const now = () => ({ at: new Date('2026-11-23T18:00:00.000Z'), zone: 'UTC' });
  const state = doorState({ requests: 3, tokens: undefined, usd: undefined, priceOf: () => null }, now);
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`, 'localhost:9'];
  const tunnel = await openLoginTunnel({ hosts, at: 'loopback', idleMs: 10_000 }, state);
  onTestFinished(async () => {
    await tunnel.close();
    service.close();
  });
  const sides: Socket[] = [];
  onTestFinished(() => sides.forEach((side) => side.destroy()));
  /** What comes back of these words, until `ends` stands in it; `then` is said once a connection is established. */
  const say = (words: string, ends: string | Buffer, then: readonly Uint8Array[] = []): Promise<string> =>
    new Promise((resolve, fails) => {
      const side = connect(tunnel.port ?? 0, '127.0.0.1');
      sides.push(side);
      let heard = Buffer.alloc(0);
      let isTold = false;
      side.on('data', (chunk: Buffer) => {
        heard = Buffer.concat([heard, chunk]);
        if (!isTold && heard.includes('200 Connection')) {
          isTold = true;
          void (async () => {
            for (const piece of then) await new Promise((written) => side.write(piece, written));
          })();
        }
        if (heard.includes(ends)) resolve(heard.toString('latin1'));
      });
      side.once('close', () => resolve(heard.toString('latin1')));
      side.once('error', fails);
      side.write(words);
    });
  return { say, state, port };
}

/** The first bytes of a TLS connection to this name, as Node.js sends them. */
async function helloTo(servername: string): Promise<Buffer> {
  const heard = Promise.withResolvers<Buffer>();
  const service = createServer((side) => {
    side.on('error', () => {});
    side.once('data', (chunk: Buffer) => {
      heard.resolve(chunk);
      side.destroy();
      service.close();
    });
  });
  await new Promise<void>((listens) => service.listen(0, '127.0.0.1', listens));
  connectTls({ port: (service.address() as AddressInfo).port, host: '127.0.0.1', servername }).on('error', () => {});
  return heard.promise;
}

describe('the tunnel of a login', () => {
  test('leads to its hosts, and what comes back is a sign of life', async () => {
    const { say, state, port } = await aTunnel();
    const hello = await helloTo('localhost');
    const pieces = [hello.subarray(0, 3), hello.subarray(3, 70), hello.subarray(70)];
    const heard = await say(`CONNECT localhost:${port} HTTP/1.1\r\nhost: x\r\n\r\n`, hello.subarray(-20), pieces);
    expect(heard).toBe(`HTTP/1.1 200 Connection established\r\n\r\n${hello.toString('latin1')}`);
    expect(state.bytes()).toBe(hello.length);
    expect(state.counted()).toMatchObject({ tokensIn: null, tokensOut: null });
  });

  test.each([
    ['a hello for another site of the same address', 'localhost', () => helloTo('attacker.example')],
    ['a hello without a name', '127.0.0.1', () => helloTo('')],
    ['what is no TLS', 'localhost', () => Promise.resolve(Buffer.from('GET / HTTP/1.1\r\n\r\n'))],
    [
      'a hello whose lengths lie',
      'localhost',
      () => Promise.resolve(Buffer.from([22, 3, 1, 0, 8, 1, 0, 0, 4, 3, 3, 1, 1, 255])),
    ],
  ])('does not pass on %s', async (_, host, bytes) => {
    const { say, state, port } = await aTunnel();
    const heard = await say(`CONNECT ${host}:${port} HTTP/1.1\r\n\r\n`, 'never', [await bytes()]);
    expect(heard).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
    expect(state.bytes()).toBe(0);
  });

  test('ends what is open when its door is closed', async () => {
    const { say, state, port } = await aTunnel();
    const hello = await helloTo('localhost');
    const heard = say(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`, 'never', [hello]);
    await expect.poll(() => state.bytes()).toBe(hello.length);
    state.close({ kind: 'spent', detail: 'all is used' });
    expect(await heard).toContain('200 Connection established');
  });

  test.each([
    ['another host', 'CONNECT example.org:443 HTTP/1.1\r\n\r\n'],
    ['another port', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\n\r\n'],
    ['a host that is named like one', 'CONNECT 127.0.0.1.evil:443 HTTP/1.1\r\n\r\n'],
    ['a plain request', 'GET http://127.0.0.1/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'],
  ])('does not lead to %s', async (_, words) => {
    const { say } = await aTunnel();
    expect(await say(words, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('says where a host cannot be reached, and is shut when all its connections are used', async () => {
    const { say, state } = await aTunnel();
    const words = 'CONNECT localhost:9 HTTP/1.1\r\n\r\n';
    for (let time = 0; time < 3; time += 1) expect(await say(words, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 502 /);
    expect(state.trouble()?.detail).toContain('cannot be reached');
    expect(await say(words, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(state.closed()?.kind).toBe('crash');
  });
});
