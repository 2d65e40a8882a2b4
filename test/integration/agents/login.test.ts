import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { maskKnown } from '../../../src/base/known-secrets.ts';
import { failure, success } from '../../../src/base/outcome.ts';
import { createFailure } from '../../../src/agents/drivers/agent-program.ts';
import {
  createSecretFinder,
  readLogin,
  settleLogin,
  findPendingRenewal,
  withLogin,
} from '../../../src/agents/drivers/login-file.ts';
import { makePrivateFolder } from '../../../src/agents/drivers/private-folder.ts';
import { moveToTrash } from '../../../src/base/system/trash.ts';

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
  onTestFinished(() => moveToTrash(home));
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

/** What lies beside the login, and what is in it. */
const beside = (home: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(home, '.mine'))
      .filter((name) => name !== 'auth.json')
      .map((name) => [name, readFileSync(join(home, '.mine', name), 'utf8')]),
  );

const token = (claims: object): string =>
  ['{"alg":"none"}', JSON.stringify(claims), 'signed'].map((part) => Buffer.from(part).toString('base64url')).join('.');

/** A login as codex has it; the claims are as the token says them. */
const ofCodex = (who: string, account: string, refresh = `${who}-refresh-token-0000000`): string =>
  JSON.stringify({
    tokens: {
      id_token: token({ sub: account, email: `${account}@example.org`, exp: who.length }),
      access_token: `${who}-access-token-000000000`,
      refresh_token: refresh,
      account_id: account,
    },
    last_refresh: who,
  });

describe('a login that was in a cage', () => {
  test.each([
    ['whose tokens are others', NEW, OLD],
    ['that says the same account with other tokens', ofCodex('attacker', 'one'), ofCodex('victim', 'one')],
  ])(
    '%s is never written over the user’s, and is kept for the user alone, with the command that takes it',
    async (_, left, old) => {
      const { home, now } = aHome(old);
      const said = (await settleLogin(found(home), left))?.sentence;
      expect(now()).toBe(old);
      const [name = ''] = Object.keys(beside(home));
      expect(beside(home)).toEqual({ [name]: left });
      expect(lstatSync(join(home, '.mine', name)).mode & 0o777).toBe(0o600);
      expect(said).toContain(`mv '${join(home, '.mine', name)}' '${join(home, FILE)}'`);
      expect(said).not.toContain('token-0');
    },
  );

  test.each([
    ['account_id', ofCodex('attacker', 'two').replace(token({ sub: 'two', email: 'two@example.org', exp: 8 }), 'x')],
    ['id_token', ofCodex('attacker', 'two').replace('"account_id":"two"', '"account_id":"one"')],
  ])('that says another account (by its %s) is kept nowhere', async (_, left) => {
    const { home, now } = aHome(ofCodex('victim', 'one'));
    expect((await settleLogin(found(home), left))?.sentence).toContain('belongs to another account');
    expect(now()).toBe(ofCodex('victim', 'one'));
    expect(beside(home)).toEqual({});
  });

  test.each([
    ['the same', ofCodex('victim', 'one')],
    ['the same at another time', ofCodex('victim', 'one').replace('"last_refresh":"victim"', '"last_refresh":"later"')],
    ['another one that is renewed by the same token', ofCodex('renewed', 'one', 'victim-refresh-token-0000000')],
    ['the same with one more key', ofCodex('victim', 'one').replace('{', '{"auth_mode":"chatgpt",')],
  ])('is forgotten, and costs nothing, where it is %s', async (_, left) => {
    const { home, now } = aHome(ofCodex('victim', 'one'));
    expect(await settleLogin(found(home), left)).toBeUndefined();
    expect(now()).toBe(ofCodex('victim', 'one'));
    expect(beside(home)).toEqual({});
    expect(findPendingRenewal(found(home))).toBeUndefined();
  });

  test.each([
    ['nothing', undefined],
    ['no JSON', 'x'],
    ['a list', '[]'],
    ['other keys', '{"tokens":{}}'],
  ])('is kept as it was where %s is left of it', async (_, left) => {
    const { home, now } = aHome();
    expect((await settleLogin(found(home), left))?.sentence).toContain('yours is unchanged');
    expect(now()).toBe(OLD);
    expect(beside(home)).toEqual({});
  });

  test('is not lent again while a renewed one waits for an answer, and is after each of the answers', async () => {
    const { home, put } = aHome();
    const before = found(home);
    await settleLogin(before, NEW);
    expect(findPendingRenewal(found(home))).toContain('mv ');
    renameSync(join(home, '.mine', Object.keys(beside(home))[0] ?? ''), join(home, FILE));
    expect(findPendingRenewal(found(home))).toBeUndefined();
    await settleLogin(found(home), OLD);
    put(login('a-token-of-a-login-by-the-user'));
    expect(findPendingRenewal(found(home))).toBeUndefined();
    expect(beside(home)).toEqual({});
  });

  /** A call with this login, whose program leaves this of it and then ends in this way. */
  const called = (home: string, end: () => ReturnType<Parameters<typeof withLogin>[1]>, left = NEW) => {
    const own = makePrivateFolder(mkdtempSync(join(home, 'state-')));
    own.folder('home');
    return withLogin({ name: 'mine', login: found(home), own }, () => {
      writeFileSync(join(own.path, 'home', FILE), left);
      return end();
    });
  };
  const crashed = failure(createFailure('crash', 'it ended with 1', { ms: 1, exit: 1 }));
  const done = { text: 'done', tokensIn: 1, tokensOut: 1, usd: null, ms: 1, exit: 0 };

  test('is kept aside also where its work cannot be looked at', async () => {
    const { home } = aHome();
    await expect(called(home, () => Promise.reject(new Error('no space left')))).rejects.toThrow('no space left');
    expect(Object.values(beside(home))).toEqual([NEW]);
  });

  test('does not cost the work of a call that renewed it; the user is told', async () => {
    const { home } = aHome();
    const result = await called(home, () => Promise.resolve(success(done)));
    expect(result.ok && result.value.text).toBe('done');
    expect(result.ok && result.value.notice).toMatch(/^mine: your login was renewed in the cage.*mv /);
  });

  test('costs the work of a call that left another account’s', async () => {
    const { home } = aHome(ofCodex('victim', 'one'));
    const result = await called(home, () => Promise.resolve(success(done)), ofCodex('attacker', 'two'));
    expect(!result.ok && result.why).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('belongs to another account'),
    });
  });

  test('that cannot be kept is said, with what to do, whatever came of the call', async () => {
    const { home, now } = aHome();
    const result = await called(home, () => {
      rmSync(join(home, '.mine'), { recursive: true });
      writeFileSync(join(home, '.mine'), 'no folder');
      return Promise.resolve(crashed);
    });
    expect(!result.ok && result.why.kind).toBe('crash');
    expect(!result.ok && result.why.detail).toMatch(
      /^it ended with 1; your login was renewed.*could not be kept.*log in once/,
    );
    expect(now).toThrow('ENOTDIR');
  });

  test('costs no more for sixty files than for one: the values are looked for at once', async () => {
    const { home } = aHome(login(randomBytes(3000).toString('base64url')));
    const edited = Array.from({ length: 60 }, (_, at) => ({ path: `src/${at}.ts`, content: 'x', executable: false }));
    const began = process.cpuUsage().user;
    const result = await called(home, () => Promise.resolve(success({ ...done, edited })), found(home).text);
    expect(result.ok).toBe(true);
    expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(2);
  });

  test('teaches this process nothing to mask: what is left in a cage is anybody’s text', async () => {
    const { home } = aHome();
    const ordinary = 'export const renderCheckout = (cart) => cart.items.length > 99;';
    await called(
      home,
      () => Promise.resolve(success(done)),
      JSON.stringify({ tokens: { access_token: ordinary }, plan: 'pro' }),
    );
    expect(maskKnown(ordinary)).toBe(ordinary);
  });

  test.each([
    ['nested too deeply', `{"tokens":${'['.repeat(50_000)}${']'.repeat(50_000)},"plan":"pro"}`],
    [
      'nested too deeply in a token',
      login(token({ sub: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as object })),
    ],
    ['under names that are too long', JSON.stringify({ tokens: { ['x'.repeat(5000)]: 'y' }, plan: 'pro' })],
    [
      'of too many tokens',
      JSON.stringify({ tokens: Array.from({ length: 500 }, (_, at) => `token-of-nobody-at-all-${at}`), plan: 'pro' }),
    ],
    ['of a token that is too long', login(`long-9-${'abcD'.repeat(5000)}`)],
  ])('%s is no login: the call ends as refused, and the user’s stays', async (_, left) => {
    const { home, now } = aHome();
    const result = await called(home, () => Promise.resolve(success(done)), left);
    expect(!result.ok && result.why).toMatchObject({ kind: 'refused', ms: 1, tokensIn: 1 });
    expect(!result.ok && result.why.detail).toContain('yours is unchanged');
    expect(now()).toBe(OLD);
    expect(beside(home)).toEqual({});
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to the user’s own', (path: string, home: string) => symlinkSync(join(home, FILE), path)],
    ['a link to another file of the user’s', (path: string) => symlinkSync('/etc/passwd', path)],
    [
      'a link in place of its folder',
      (path: string, home: string) => {
        rmSync(dirname(path), { recursive: true });
        symlinkSync(join(home, '.mine'), dirname(path));
      },
    ],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['more than is read', (path: string) => writeFileSync(path, `${OLD}${' '.repeat(256 * 1024)}`)],
    ['what is no text', (path: string) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]))],
  ])('that is %s when the program ends is no login, and nothing of it is read or written', async (_, leave) => {
    const { home, now } = aHome();
    const own = makePrivateFolder(mkdtempSync(join(home, 'state-')));
    own.folder('home');
    const result = await withLogin({ name: 'mine', login: found(home), own }, () => {
      rmSync(join(own.path, 'home', FILE));
      leave(join(own.path, 'home', FILE), home);
      return Promise.resolve(success(done));
    });
    own.remove();
    expect(!result.ok && result.why.kind).toBe('refused');
    expect(!result.ok && result.why.detail).toContain('the login that it left is invalid; yours is unchanged');
    expect(now()).toBe(OLD);
    expect(beside(home)).toEqual({});
    expect(readdirSync(join(home, readdirSync(home).find((name) => name.startsWith('state-')) ?? '', 'homes'))).toEqual(
      [],
    );
  });

  test('is not written into a folder that lies in its place', async () => {
    const { home } = aHome();
    await settleLogin(found(home), NEW);
    const [aside = ''] = Object.keys(beside(home));
    rmSync(join(home, '.mine', aside));
    mkdirSync(join(home, '.mine', aside));
    expect((await settleLogin(found(home), NEW))?.sentence).toContain('could not be kept');
    expect(readdirSync(join(home, '.mine')).toSorted()).toEqual(['auth.json', aside]);
    writeFileSync(join(home, FILE), NEW);
    expect(findPendingRenewal(found(home))).toBeUndefined();
  });

  test('costs the work of a call that tells a part of it in any of its words', async () => {
    const { home } = aHome();
    const denials = ['Bash(echo an-old-token-of-nobody-at-all)'];
    const result = await called(home, () => Promise.resolve(success({ ...done, denials })), OLD);
    expect(!result.ok && result.why.detail).toContain('holds a part of your login');
    expect(!result.ok && result.why.detail).not.toContain('an-old-token');
  });

  test('that cannot be read back costs neither the end of the call nor what it used', async () => {
    const { home } = aHome();
    const own = makePrivateFolder(mkdtempSync(join(home, 'state-')));
    own.folder('home');
    const broken = {
      ...own,
      read: () => {
        throw new Error('input/output error');
      },
    };
    const lent = { name: 'mine', login: found(home), own: broken };
    const worked = await withLogin(lent, () => Promise.resolve(success(done)));
    expect(!worked.ok && worked.why).toMatchObject({ kind: 'refused', ms: 1, tokensIn: 1 });
    expect(!worked.ok && worked.why.detail).toContain('input/output error');
    const ended = await withLogin(lent, () => Promise.resolve(crashed));
    expect(!ended.ok && ended.why.kind).toBe('crash');
    expect(!ended.ok && ended.why.detail).toMatch(/^it ended with 1; .*input\/output error.*yours is unchanged/);
  });

  test('is known by its long words, wherever they are, in other encodings and in pieces', () => {
    const holds = createSecretFinder([undefined, OLD, ofCodex('victim', 'one')]);
    expect(holds('x an-old-token-of-nobody-at-all y')).toBe(true);
    expect(holds(Buffer.from('victim-access-token-000000000').toString('hex'))).toBe(true);
    expect(holds('a pro plan, and a token')).toBe(false);
  });

  test.each([
    ['is not there', undefined],
    ['holds no JSON object', 'hello'],
    ['is nested too deeply', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['has more or longer values', login(`long-9-${'abcD'.repeat(5000)}`)],
  ])('that %s is none', (why, text) => {
    const { home } = aHome(text ?? OLD);
    expect(readLogin(home, text === undefined ? '.mine/none.json' : FILE)).toEqual({
      ok: false,
      why: expect.stringContaining(why),
    });
  });
});
