/** @module-tag thorough */
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { addAgent } from '../support/edit-drivers.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { NO_CAGE } from '../support/no-cage.ts';
import { FINAL } from '../support/scenario.ts';

beforeEach(({ skip }) => skip(NO_CAGE !== '', NO_CAGE));

/** No form gives it away. */
const KEY = ['mykey', 'CANARY', '77abcZ'].join('');
const SPELLINGS = [
  KEY,
  KEY.slice(2, 14),
  Buffer.from(KEY).toString('hex'),
  Buffer.from(KEY).toString('base64').slice(0, 20),
];

/** A program that asks its model and then does this with the answer, and a service that repeats the key that it is sent. */
async function aLine(does: string, status: number) {
  const service = createServer(({ headers: { authorization = '' } }, answer) => {
    const key = authorization.slice(7);
    const said = { message: `key ${key}`, hex: Buffer.from(key).toString('hex'), piece: key.slice(2, 14) };
    answer.writeHead(status, { 'content-type': 'application/json', 'x-echo': authorization });
    answer.end(JSON.stringify({ error: said, usage: { prompt_tokens: 1, completion_tokens: 1 } }));
  });
  await new Promise<void>((listens) => service.listen(0, '127.0.0.1', listens));
  onTestFinished(() => void service.close());
  const factory = await aFactory({
    cage: 'bubblewrap',
    files: { '.andon/agents/x.yaml': 'driver: mine\nmodel: m1\n' },
  });
  const program = join(factory.folder, 'asks.mjs');
  writeFileSync(
    program,
    `#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
const { MODEL_URL, MODEL_KEY } = process.env;
const body = JSON.stringify({ model: 'm1', messages: [] });
const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + MODEL_KEY };
const answer = await fetch(MODEL_URL + '/chat/completions', { method: 'POST', headers, body });
const heard = JSON.stringify([...answer.headers]) + (await answer.text());
${does}
`,
  );
  chmodSync(program, 0o755);
  addAgent(factory, 'mine', {
    program,
    calls: { edit: { args: [], env: { MODEL_URL: '{door}', MODEL_KEY: '{key}' } } },
    door: { to: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`, key_env: ['MY_KEY'] },
    env: { MY_KEY: KEY },
    output: { format: 'text' },
    billing: 'free',
  });
  return factory;
}

/** Files of andon and of the repository that hold the key or a part of it; the configuration that gives it is none. */
const holders = (factory: Factory): readonly string[] =>
  readdirSync(factory.folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.endsWith('config/andon/config.yaml'))
    .filter((file) => SPELLINGS.some((spelling) => readFileSync(file).includes(spelling)));

test('a key that the service repeats reaches neither the cage nor the commit, and what the program says of it is masked', async () => {
  const factory = await aLine(
    `writeFileSync('docs/auth_final.md', ${JSON.stringify(FINAL)}); writeFileSync('docs/heard.md', heard); console.log(heard);`,
    200,
  );
  expect((await factory.run(aContract({ 'roles.implementer': 'x' }))).status, factory.paper('ERIK_HALT.md')).toBe(
    'merged',
  );
  expect(factory.git('show', 'main:docs/heard.md')).toContain('key ***');
  expect(SPELLINGS.filter((one) => factory.git('log', '--all', '-p').includes(one))).toEqual([]);
  expect(holders(factory)).toEqual([]);
});

test('a refusal in which the service repeats the key halts the task, and no paper, log or notice holds it', async () => {
  const factory = await aLine(`console.error(heard); process.exit(3);`, 401);
  const { dog } = await factory.run(aContract({ 'roles.implementer': 'x' }));
  expect(factory.paper('ERIK_HALT.md')).toContain('key ***');
  expect(holders(factory)).toEqual([]);
  const shown = [dog.output(), (await factory.andon('status')).stdout, (await factory.andon('logs', 'DOC-001')).stdout];
  expect(shown.filter((text) => SPELLINGS.some((one) => text.includes(one)))).toEqual([]);
});

test('a file with a piece of a known key, which the copy did not hold, is not taken', async () => {
  const factory = await aLine(
    `writeFileSync('docs/auth_final.md', ${JSON.stringify(`${FINAL}${SPELLINGS[2]}\n`)}); console.log('done');`,
    200,
  );
  const contract = aContract({ 'roles.implementer': 'x', 'limits.max_review_cycles': 1 });
  expect((await factory.run(contract)).status).toBe('erik_consultation');
  expect(factory.paper('ERIK_HALT.md')).toContain('holds the value of a key or a password of this machine');
  expect(SPELLINGS.filter((one) => factory.git('log', '--all', '-p').includes(one))).toEqual([]);
});
