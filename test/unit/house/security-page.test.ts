import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALIASES } from '../../../src/app/cli/aliases.ts';
import { commands } from '../../../src/app/cli/commands/index.ts';
import { CASES, GROUPS } from '../../catalogue/catalogue.ts';

const ROOT = join(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
const named = [...page.matchAll(/`((?:npm|andon) [^`]+)`/g)].map(([, command = '']) => command);
const promises = [...page.matchAll(/^\| (\d+) \| (.+) \| (.+) \|$/gm)];

describe('the page about security', () => {
  it('makes fourteen promises, each with a command that shows it', () => {
    expect(promises.map(([, number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    for (const [, , , command = ''] of promises) expect(command).toMatch(/^`npm /);
  });

  it.each([...new Set(named)])('names a command that exists: %s', (command) => {
    const [program = '', ...words] = command.split(' ');
    if (program === 'andon') return expect(COMMANDS).toContain(words[0]);
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const script = words[0] === 'run' ? words[1] : words[0];
    expect(Object.keys(scripts)).toContain(script);
    const given = words.includes('--') ? words.slice(words.indexOf('--') + 1) : [];
    for (const word of given) expect([word, isCase(word) || existsSync(join(ROOT, word))]).toEqual([word, true]);
  });

  it('links to files that exist', () => {
    for (const [, target = ''] of page.matchAll(/\]\(([^)]+)\)/g))
      expect([target, existsSync(join(ROOT, target))]).toEqual([target, true]);
  });
});

const COMMANDS = [...commands.map(({ usage }) => usage.split(' ')[0]), ...Object.keys(ALIASES), '--version'];
const isCase = (word: string): boolean => word in GROUPS || CASES.some(({ number }) => String(number) === word);
