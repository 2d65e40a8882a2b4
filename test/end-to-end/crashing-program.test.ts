/** @module-tag thorough */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { addAgent } from '../support/edit-drivers.ts';
import { aFactory, type Factory } from '../support/factory.ts';

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const REASON = 'Error: packages/money/src/format.js: not found';

/** An agent whose program ends with an uncaught error; returns the name of its profile. */
function crashBy(factory: Factory): string {
  const program = join(factory.folder, 'robo.cjs');
  const source = [
    `#!${process.execPath}`,
    `console.error('took the key ${TOKEN}');`,
    "throw new Error('packages/money/src/format.js: not found');",
  ];
  writeFileSync(program, `${source.join('\n')}\n`);
  chmodSync(program, 0o755);
  addAgent(factory, 'robo', { program, calls: { text: { args: [] } }, output: { format: 'text' } });
  factory.write('.andon/agents/robo-one.yaml', stringify({ driver: 'robo', model: 'm1' }));
  return 'robo-one';
}

test('the error of a crashed program is in the halt, the next brief and the answer of its call, without secrets', async () => {
  const factory = await aFactory();
  const name = crashBy(factory);
  expect((await factory.run(aContract({ 'roles.implementer': name }))).status).toBe('erik_consultation');
  expect(factory.breaker()).toBe('stalled');
  const reason = `crash: robo ended with exit code 1: ${REASON}`;
  expect(factory.paper('ERIK_HALT.md')).toContain(reason);
  expect(factory.paper('ERIK_HALT.md')).toContain('It printed at last:\ntook the key ***\n');
  expect(factory.paper('ERIK_HALT.md')).toMatch(/^ {4}at .*robo\.cjs:3:7/m);

  const unknown = 'unknown tokens (2 calls did not say)';
  expect(factory.paper('ERIK_HALT.md')).toContain(unknown);
  expect((await factory.andon('show', 'DOC-001')).stdout).toContain(unknown);
  expect((await factory.andon('show', 'DOC-001', '--cost')).stdout).toMatch(/2 calls .* unknown tokens/);

  const brief = (await factory.andon('show', 'DOC-001', '--prompt', '2')).stdout;
  expect(brief).toContain(reason);
  expect(brief).toContain('took the key ***');
  expect(`${brief}${factory.paper('ERIK_HALT.md')}`).not.toContain(TOKEN);

  const answer = await factory.andon('show', 'DOC-001', '--answer', '2');
  expect(answer.code).toBe(2);
  expect(answer.stderr).toContain(`Call 2 of DOC-001 has no answer: it failed (${reason}).`);
  expect(answer.stderr).toContain('took the key ***');
  expect(answer.stderr).not.toContain('--answer');
});

test('`agents test` shows the error of a crashed program and what it printed at last', async () => {
  const factory = await aFactory();
  crashBy(factory);
  const { stdout, code } = await factory.andon('agents', 'test', 'robo');
  expect(code).toBe(1);
  expect(stdout).toContain(`crash: robo ended with exit code 1: ${REASON}`);
  expect(stdout).toContain('it printed at last:\n');
  expect(stdout).toContain('took the key ***');
  expect(stdout).not.toContain(TOKEN);
});
