import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aFactory, type Factory } from '../support/factory.ts';

/** No form gives it away. */
const KEY = ['mykey', 'CANARY', '55jklW'].join('');

async function aRepository(): Promise<Factory> {
  const factory = await aFactory({ files: { '.andon/rules/rules.yaml': 'extends: [secrets]\n' } });
  factory.env['SHOP_TOKEN'] = KEY;
  return factory;
}

test('a contract that is printed holds no known secret', async () => {
  const factory = await aRepository();
  const flags = ['--id', 'DOC-001', '--allow', 'docs/', '--require', `Use ${KEY}`, '--print'];
  const { stdout, stderr } = await factory.andon('new', ...flags);
  expect(stdout, stderr).toContain('Use ***');
  expect(stdout).not.toContain(KEY);
});

test('a report holds no known secret, on the screen and in a file, in every format', { tags: 'thorough' }, async () => {
  const factory = await aRepository();
  const named = join(factory.repo, 'docs', `${KEY}.md`);
  writeFileSync(named, `key ${['AKIA', 'Q3EGR7ZT', 'NX5LW2HV'].join('')}\n`);
  for (const format of ['text', 'json', 'sarif']) {
    const { stdout, stderr } = await factory.andon('check', '--file', named, '--format', format);
    expect(stdout, stderr).toContain('***.md');
    expect(stdout).not.toContain(KEY);
  }
  const out = join(factory.folder, 'report.json');
  await factory.andon('check', '--file', named, '--format', 'json', '--out', out);
  expect(readFileSync(out, 'utf8')).toContain('***.md');
  expect(readFileSync(out, 'utf8')).not.toContain(KEY);
});
