/** @module-tag thorough */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aFolder } from '../sandbox/processes/a-runner.ts';

test('andon makes pages from its sources in a clone, where Node.js itself knows no JSX', () => {
  const folder = aFolder();
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  spawnSync('git', ['init', '--quiet', folder], { env });
  const andon = join(import.meta.dirname, '../../../bin/andon.mjs');
  const made = spawnSync(process.execPath, [andon, 'digest', '--html'], { cwd: folder, env, encoding: 'utf8' });
  expect([made.stderr, made.status]).toEqual(['', 0]);
  expect(made.stdout).toMatch(/^<!doctype html>.*<\/html>\s*$/s);
});
