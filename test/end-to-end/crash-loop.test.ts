/** @module-tag thorough */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';

test('a broken configuration ends ten starts in one sentence each, before any agent; mended, the task costs one attempt', async () => {
  const factory = await aFactory();
  factory.drop(aContract());
  mkdirSync(join(factory.repo, '.andon'));
  writeFileSync(join(factory.repo, '.andon/config.yaml'), 'limits: [\n');
  for (let start = 1; start <= 10; start += 1) {
    const { code, stderr } = await factory.andon('watch');
    expect([code, stderr]).toEqual([2, expect.stringContaining('.andon/config.yaml')]);
  }
  expect(factory.calls()).toEqual([]);
  rmSync(join(factory.repo, '.andon'), { recursive: true });
  factory.git('add', '--all');
  factory.git('commit', '--quiet', '--message=Mended');
  const dog = await factory.watch();
  expect(await factory.end(dog)).toBe('merged');
  expect((await factory.show('DOC-001')).attempt).toBe(1);
});
