import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const TESTS = join(import.meta.dirname, '../..');
const testsBelow = (folder: string): readonly string[] =>
  readdirSync(join(TESTS, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);
const textOf = (name: string): string => readFileSync(join(TESTS, name), 'utf8');

/** `npm run test:thorough` runs what carries the tag and looks into every folder but `unit/`: nothing may fall between. */
describe('The thorough tests', () => {
  it('carry the tag, every file of their folder', () => {
    const files = testsBelow('thorough');
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((name) => !textOf(name).startsWith('/** @module-tag thorough */\n'))).toEqual([]);
  });

  it('are none of the pure parts, where nobody looks for the tag', () => {
    const files = testsBelow('unit').filter((name) => !name.endsWith('house/thorough.test.ts'));
    expect(files.length).toBeGreaterThan(200);
    expect(files.filter((name) => /tags: 'thorough'|@module-tag/.test(textOf(name)))).toEqual([]);
  });
});
