import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { findMatches } from '../../../../src/rules/matchers/find-matches.ts';
import { haystackOf } from '../../../../src/base/haystack.ts';
import { compilePattern } from '../../../../src/base/pattern.ts';
import { StepBudget } from '../../../../src/rules/matchers/find-matches.ts';
import { effort } from '../../../support/effort.ts';

const MILLION = 1_000_000;

/** A multiple of the fixed work, which takes 6 ms when it has run often, that is about one second. */
const ONE_SECOND = 160;

function effortOf(source: string, text: string): number {
  const made = compilePattern(source);
  if (!made.ok) return 0;
  return effort(() => findMatches(made.value, haystackOf(text)), ONE_SECOND);
}

const filled = (repeat: string, end = ''): string =>
  repeat.repeat(Math.ceil(MILLION / repeat.length)).slice(0, MILLION - end.length) + end;

/** Patterns that the seeds print, and patterns that hold up engines of other kinds. */
const KNOWN: readonly (readonly [string, string, string])[] = [
  ['(a+)+$', 'a', '!'],
  ['(.*a){12}$', 'a', '!'],
  ['(x+x+)+y', 'x', 'y'],
  ['\\s+$', ' ', 'x'],
  ['(.*)(.*)(.*)x', 'a', ''],
  ['(?i)test.*pass', 'test ', ''],
  ['(?i)\\d+\\/\\d+.*pass', '1/1 ', 'pas'],
  ['(?i)build.*success', 'build ', 'success'],
  ['(\\d+(?:\\.\\d+)?)\\s*(?:%|percent)', '1', '%x'],
  ['(?:\\$|USD|EUR)?\\s*(\\d+(?:\\.\\d{2})?)', ' ', 'x'],
  ['function.*\\$\\w+\\(', 'function $a', '('],
  ['def [a-z_][a-zA-Z0-9_]*\\(', 'def ', '('],
  ['Analyzer.*suggest|Planner.*implement', 'Analyzer Planner ', 'suggest'],
  ['iteration\\s*=\\s*(\\d+)', 'iteration = ', '1'],
  ['\\b(?:완벽|훌륭|perfect|great)\\b', '완벽', ''],
  ['(?:a|b|ab){300}c', 'ab', 'c'],
  ['.{0,900}z', 'a', 'z'],
  ['(?i)[a-z0-9]{400,}!', 'a', '!'],
  ['(?:a.{30}b|b.{30}a){10}z', 'aabbbabaab', 'z'],
  ['a[\\s\\S]*z|a', 'a\n', ''],
  ['a[\\s\\S]*zq|a', 'ab', ''],
  ['\\A[\\s\\S]*z\\z', 'a', 'z'],
  ['[ab][cd].{200}[xy]', 'acbdxaybcdxy', ''],
  ['\\p{L}{1,300}\\b9', 'é', '9'],
  ['(?:\\w{0,50}\\s{0,10}){12}z', 'ab c ', 'z'],
];

describe('a short text', () => {
  it.each([
    ['(?:a?){500}a{500}', 499],
    ['(?:a?){900}a{900}', 899],
  ])('holds no pattern up for a second: %s', (source, length) => {
    expect(effortOf(source, 'a'.repeat(length))).toBeLessThan(ONE_SECOND);
  });
});

describe('a million characters', () => {
  it.each(KNOWN)('hold no pattern up for a second: %s', (source, repeat, end) => {
    expect(compilePattern(source)).toMatchObject({ ok: true });
    expect(effortOf(source, filled(repeat, end))).toBeLessThan(ONE_SECOND);
  });

  it('hold no pattern up that anybody can write', { timeout: 120_000 }, () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\w',
      '\\s',
      '[ab]',
      '[^a]',
      '[\\s\\S]',
      '\\b',
      '(?:a|ab)',
      '\\d',
      'é',
      '$',
      '^',
    );
    const times = fc.constantFrom('', '*', '+', '?', '{2,20}', '{50}', '*?', '{0,200}', '{100,}');
    const piece = fc.tuple(atom, times).map(([one, count]) => (/^(?:\\b|\$|\^)$/.test(one) ? one : `${one}${count}`));
    const group = fc
      .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '+', '*', '{3}', '{0,10}'))
      .map(([parts, count]) => `(?:${parts.join('')})${count}`);
    const source = fc.array(fc.oneof(piece, group), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const text = fc
      .tuple(fc.stringMatching(/^[ab é\n1]{1,12}$/), fc.constantFrom('', 'z', '!\n'))
      .map(([repeat, end]) => filled(repeat, end));
    fc.assert(
      fc.property(source, text, (pattern, subject) => {
        expect(effortOf(pattern, subject)).toBeLessThan(ONE_SECOND);
      }),
      { numRuns: 40 },
    );
  });

  it('end the work of a pattern that has used up what all rules together may do', () => {
    const made = compilePattern('[ab]+c');
    const all = new StepBudget(1000);
    const outcome = made.ok
      ? findMatches(made.value, haystackOf('ab\n'.repeat(20_000)), { budget: all.share(500) })
      : undefined;
    expect(outcome?.unchecked).toMatch(/too slow/);
    expect(all.isSpent).toBe(true);
  });
});
