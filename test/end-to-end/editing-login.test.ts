/** @module-tag thorough */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { addAgent } from '../support/edit-drivers.ts';
import { aFactory } from '../support/factory.ts';
import { NO_CAGE } from '../support/no-cage.ts';
import { FINAL } from '../support/scenario.ts';

beforeEach(({ skip }) => skip(NO_CAGE !== '', NO_CAGE));

const OLD = 'the-old-token-of-nobody-at-all';
const NEW = 'the-new-token-of-nobody-at-all';

/** The whole of a program that works with a login: it makes that new, tries another host, and writes what it is to write. */
const WORKS_WITH_LOGIN = `#!/usr/bin/env node
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
const file = process.env.HOME + '/.mine/auth.json';
const { token } = JSON.parse(readFileSync(file, 'utf8'));
const { hostname, port } = new URL(process.env.HTTPS_PROXY);
const through = (path) => new Promise((done) => {
  request({ hostname, port, method: 'CONNECT', path }).once('connect', ({ statusCode }, socket) => done({ statusCode, socket })).end();
});
const { statusCode } = await through('example.org:443');
if (statusCode !== 403) appendFileSync('docs/leak.md', 'another host');
const { socket } = await through(process.env.SERVICE);
const safe = connect({ socket, servername: 'localhost', ciphers: 'PSK', pskCallback: () => ({ psk: Buffer.alloc(32, 7), identity: 'x' }), checkServerIdentity: () => undefined });
const answer = await new Promise((done) => request({ createConnection: () => safe, path: '/token', headers: { authorization: token } }).once('response', done).end());
writeFileSync(file, JSON.stringify({ token: await text(answer) }));
socket.destroy();
writeFileSync('docs/auth_final.md', process.env.TELLS === 'yes' ? token : ${JSON.stringify(FINAL)});
console.log('I did what I was asked.');
`;

/** A factory whose implementer works with a login that lies in the user's home, and a service that makes it new. */
async function aLine(tells: 'yes' | 'no', edit: object) {
  const asked: (string | undefined)[] = [];
  const service = createServer({ pskCallback: () => Buffer.alloc(32, 7), ciphers: 'PSK' }, ({ headers }, answer) => {
    asked.push(headers.authorization);
    answer.end(NEW);
  });
  await new Promise<void>((listens) => service.listen(0, '127.0.0.1', listens));
  onTestFinished(() => void service.close());
  const host = `localhost:${(service.address() as AddressInfo).port}`;
  const factory = await aFactory({
    cage: 'bubblewrap',
    files: { '.andon/agents/x.yaml': 'driver: mine\nmodel: m1\n' },
  });
  const program = join(factory.folder, 'works-with-login.mjs');
  writeFileSync(program, WORKS_WITH_LOGIN);
  chmodSync(program, 0o755);
  const login = join(factory.env['HOME'] ?? '', '.mine/auth.json');
  mkdirSync(join(login, '..'));
  writeFileSync(login, JSON.stringify({ token: OLD }), { mode: 0o600 });
  const env = { HTTPS_PROXY: '{door}', SERVICE: host, TELLS: tells };
  addAgent(factory, 'mine', {
    program,
    calls: { edit: { args: [], login: { file: '.mine/auth.json', hosts: [host], env }, ...edit } },
    door: { to: 'http://127.0.0.1:9', key_env: ['MY_KEY'] },
    output: { format: 'text' },
  });
  return { factory, asked, login: () => readFileSync(login, 'utf8') };
}

test('a login enters the cage with your consent, reaches its hosts and no other, and yours stays as it is', async () => {
  const { factory, asked, login } = await aLine('no', { with_login: true });
  const { status } = await factory.run(aContract({ 'roles.implementer': 'x' }));
  expect(status, factory.paper('ERIK_HALT.md')).toBe('merged');
  expect(factory.git('show', 'main:docs/auth_final.md')).toBe(FINAL.trimEnd());
  expect(asked).toEqual([OLD]);
  expect(JSON.parse(login())).toEqual({ token: OLD });
  expect(factory.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('leak');
  const told = await factory.story();
  expect(told).toMatch(/mine: your login was renewed in the cage.* mv '/);
  expect(told).not.toContain(NEW);
});

test('a login that was renewed in the cage is not lent again until you have answered', async () => {
  const { factory, asked } = await aLine('no', { with_login: true });
  const { dog, status } = await factory.run(aContract({ 'roles.implementer': 'x' }));
  expect(status).toBe('merged');
  factory.drop(aContract({ task_id: 'DOC-002', 'roles.implementer': 'x' }));
  expect(await factory.end(dog, 'DOC-002')).toBe('erik_consultation');
  const [, command = ''] = /take the new one: (mv '[^']+' '[^']+')/.exec(factory.paper('ERIK_HALT.md') ?? '') ?? [];
  expect(command).toContain('/.mine/auth.json.andon-');
  expect(asked).toEqual([OLD]);
});

test('what holds a part of the login is never taken, and not repeated in a word', async () => {
  const { factory } = await aLine('yes', { with_login: true });
  expect((await factory.run(aContract({ 'roles.implementer': 'x' }))).status).toBe('erik_consultation');
  expect(factory.paper('ERIK_HALT.md')).toContain('holds a part of your login');
  expect((await factory.andon('logs', 'DOC-001')).stdout).not.toContain(OLD);
  expect(factory.git('log', '--all', '-p')).not.toContain(OLD);
});

test('without your consent no login enters, and a key is asked for', async () => {
  const { factory, asked } = await aLine('no', {});
  expect((await factory.run(aContract({ 'roles.implementer': 'x' }))).status).toBe('erik_consultation');
  expect(factory.paper('ERIK_HALT.md')).toContain('no key for the model door: set MY_KEY');
  expect(asked).toEqual([]);
});
