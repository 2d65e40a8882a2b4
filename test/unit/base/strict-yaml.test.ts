import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../scripts/eval/data-set.ts';
import { madeText } from '../../../scripts/eval/made-text.ts';
import { readYaml, writeYaml } from '../../../src/base/strict-yaml.ts';
import { effort } from '../../support/effort.ts';

type HostileRow = Row & { readonly name: string; readonly expect: 'refuse' | 'parse' };

const OWN = join(import.meta.dirname, '../../corpora/yaml-hostile.jsonl');
const NAMED = join(process.env['ANDON_CORPORA'] ?? '', 'yaml-hostile.jsonl');
const ROWS = readFileSync(existsSync(NAMED) ? NAMED : OWN, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as HostileRow);

/** The most work a text may be, as a multiple of the fixed piece: some two seconds. What is quadratic is off by hundreds. */
const PATIENCE = 100;

function weighed(text: string) {
  let read: ReturnType<typeof readYaml> | undefined;
  const spent = effort(() => {
    read = readYaml(text);
  }, PATIENCE);
  return { read: read ?? readYaml(''), spent };
}

describe('a hostile YAML file', () => {
  it.each(ROWS.map((row) => [row.name, row] as const))('%s ends as it should, in bounded time', (_, row) => {
    const { read, spent } = weighed(madeText(row));
    expect(read.ok ? 'parse' : 'refuse').toBe(row.expect);
    if (!read.ok) expect(read.why.message).not.toBe('');
    expect(spent).toBeLessThan(PATIENCE);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['brackets', '['.repeat(200_000)],
    ['brackets that close', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['braces', '{a: '.repeat(60_000)],
    ['dashes on one line', '- '.repeat(120_000)],
    ['question marks on one line', '? '.repeat(120_000)],
    ['dashes, question marks and colons by turns', '- ? : '.repeat(40_000)],
    ['lists that open on every line', '- [\n'.repeat(60_000)],
    ['quotes', '"'.repeat(250_000)],
    ['open quotes', "a: '".repeat(60_000)],
    ['commas', `[${','.repeat(250_000)}]`],
    ['the same key', 'a: 1\n'.repeat(50_000)],
    ['documents', '---\n'.repeat(60_000)],
    ['directives', '%a\n'.repeat(80_000)],
    ['exclamation marks', '!'.repeat(200_000)],
    ['an alias bomb', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]'],
    ['a merge key of an anchor', 'a: &a {b: 1}\nc: {<<: *a}'],
    ['a control character', 'a: x\u0000y'],
    ['a constructor', 'constructor: {prototype: {polluted: 1}}'],
    ['a map as a key', '? {a: 1}\n: b'],
  ])('of nothing but %s is refused in bounded time', (_, text) => {
    const { read, spent } = weighed(text);
    expect(read.ok).toBe(false);
    expect(spent).toBeLessThan(PATIENCE);
  });

  it('twice, 20,000 brackets deep, leaves the process alive', () => {
    const text = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect([readYaml(text).ok, readYaml(text).ok]).toEqual([false, false]);
  });
});

describe('a YAML file', () => {
  it('knows the line of every part', () => {
    const read = readYaml('rules:\n  - id: A\n    match:\n      pattern: x\n  - id: B\n');
    if (!read.ok) throw new Error(read.why.message);
    expect(read.value.lineOf(['rules', 0, 'match', 'pattern'])).toBe(4);
    expect(read.value.lineOf(['rules', 1])).toBe(5);
    expect(read.value.lineOf(['rules', 2])).toBeUndefined();
  });

  it('may hold stars and ampersands as text', () => {
    const read = readYaml('files: [\'*.py\', "&x"]\ntext: a * b & c # *.ts\nblock: |\n  *.go\n  &x\n');
    if (!read.ok) throw new Error(read.why.message);
    expect(read.value.value).toEqual({ files: ['*.py', '&x'], text: 'a * b & c', block: '*.go\n&x\n' });
  });

  it('with a glob that was not quoted is refused with the way to write it', () => {
    const read = readYaml('files: [*.py]');
    expect(read).toMatchObject({
      ok: false,
      why: { line: 1, remedy: expect.stringContaining('single quotes') as string },
    });
  });

  it('with a backslash in double quotes is refused with the hint to use single quotes', () => {
    const read = readYaml('match:\n  pattern: "function.*\\$\\w+\\("');
    expect(read).toMatchObject({
      ok: false,
      why: { line: 2, remedy: expect.stringContaining('use single quotes for regular expressions') as string },
    });
  });

  it('that is written reads back as the same', () => {
    const value = { rules: [{ pattern: '\\bdef\\s+"x"', list: [1, 'no', null, true], text: 'a\nb: *c\n' }] };
    const read = readYaml(writeYaml(value));
    expect(read).toMatchObject({ ok: true, value: { value } });
  });

  it('of many sound rules is read', () => {
    const rule = (at: number): string => `  - { id: R${at}, severity: HIGH, match: { pattern: 'x${at}' } }\n`;
    const read = readYaml(`rules:\n${Array.from({ length: 2000 }, (_, at) => rule(at)).join('')}`);
    expect(read.ok).toBe(true);
  });
});
