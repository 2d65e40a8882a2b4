import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMatches } from '../../../src/rules/matchers/find-matches.ts';
import { haystackOf } from '../../../src/base/haystack.ts';
import { compilePattern, type CompiledPattern } from '../../../src/base/pattern.ts';

interface SafetyRow {
  readonly id: string;
  readonly kind: 'time' | 'dialect';
  readonly pattern: string;
  readonly flags: string;
  readonly input?: {
    readonly prefix: string;
    readonly repeat: string;
    readonly times: number;
    readonly suffix: string;
  };
  readonly match?: boolean;
  readonly accepted?: boolean;
}

const ROWS = readFileSync(join(import.meta.dirname, '../../corpora/regex-safety.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SafetyRow);

function compiled(source: string): CompiledPattern {
  const made = compilePattern(source);
  if (!made.ok) throw new Error(made.why);
  return made.value;
}

const found = (source: string, text: string, keywords: readonly string[] = []): string[] =>
  findMatches(compiled(source), haystackOf(text), { keywords }).spans.map(({ start, end }) => text.slice(start, end));

describe('a pattern of a rule', () => {
  it.each(ROWS)('is treated as $id says: $pattern', ({ kind, pattern, flags, input, match, accepted }) => {
    const source = flags === '' ? pattern : `(?${flags})${pattern}`;
    const made = compilePattern(source);
    if (kind === 'dialect') {
      expect(made.ok).toBe(accepted);
      return;
    }
    const { prefix = '', repeat = '', times = 0, suffix = '' } = input ?? {};
    expect(found(source, prefix + repeat.repeat(times) + suffix).length > 0).toBe(match);
  });

  it.each([
    ['(?!a)b', /not_pattern/],
    ['(?=a)b', /mode: require/],
    ['(?<!a)b', /not_pattern/],
    ['(?<=a)b', /mode: require/],
    ['(a)\\1', /refers back/],
    ['(?P<n>a)(?P=n)', /refers back/],
    ['a++b', /RE2 syntax/],
    ['((a{100}){100}){100}', /RE2 syntax.*repeat count/],
    ['(', /RE2 syntax/],
    ['[z-a]', /RE2 syntax/],
    ['\bAPPROVE\b', /single quotes/],
    ['a'.repeat(2049), /2 kB/],
    ['', /empty/],
  ])('is refused with what to write instead: %s', (pattern, says) => {
    const made = compilePattern(pattern);
    expect(made.ok ? 'accepted' : made.why).toMatch(says);
    expect(made.ok ? '' : made.why).not.toContain('\n');
  });

  it.each([
    ['looks at lines for ^ and $', '^b$', 'a\nb\nc', ['b']],
    ['finds one match on each line', 'a', 'aa\nxa\nb', ['a', 'a']],
    ['matches over lines where it says so', 'a\\s+b', 'x\na\n  b\ny', ['a\n  b']],
    ['finds single lines and those over lines side by side', 'a\\s+b', 'a b\nx\na\nb\n', ['a b', 'a\nb']],
    ['knows Korean', '(?i)완벽|perfect', 'so PERFECT\n완벽합니다', ['PERFECT', '완벽']],
    ['takes a folded word from the pattern itself', '(?i)secret_key\\s*=', 'x\nSecret_KEY =\n', ['Secret_KEY =']],
    ['takes the letters that fold to a Latin one', '(?i)secret', 'ſecret', ['ſecret']],
    ['holds the ends of the text', '\\Aa', 'a\na', ['a']],
  ])('%s', (_, source, text, expected) => {
    expect(found(source, text)).toEqual(expected);
  });

  it('is tried only near its keywords, whatever their case', () => {
    const far = `x = 1\n${'-\n'.repeat(3000)}`;
    expect(found('x = \\d', `${far}TOKEN\nx = 2\n`, ['token'])).toEqual(['x = 2']);
    expect(found('x = \\d', far, ['token'])).toEqual([]);
  });

  it('finds what stands in the middle of a line of 300,000 characters, and at its end alone what must be there', () => {
    const text = `${'ab '.repeat(50_000)}needle1 ${'ab '.repeat(50_000)}`;
    expect(found('\\w+dle\\d\\b', text)).toEqual(['needle1']);
    expect(found(' $', text)).toEqual([' ']);
    expect(found('^ab', text)).toEqual(['ab']);
  });

  it('says so when a text is too long to be looked at to its end', () => {
    const long = findMatches(compiled('[xy]z'), haystackOf(`${'a\n'.repeat(600_000)}xz`));
    expect(long).toEqual({ spans: [], unchecked: 'only the first million characters of the text were searched' });
  });
});
