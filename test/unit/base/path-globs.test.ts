import { describe, expect, it } from 'vitest';
import { checkGlobPattern, matchesGlobs } from '../../../src/base/path-globs.ts';
import { expectEffortBelow } from '../../support/effort.ts';

describe('a glob of a rule', () => {
  it.each([
    ['*.py', 'src/deep/parser.py', true],
    ['*.py', 'parser.py', true],
    ['*.{ts,js}', 'a.ts', true],
    ['*.{ts,js}', 'src/a.tsx', false],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**', 'src/deep/a.ts', true],
    ['./src/**', 'src/a.ts', true],
    ['docs/', 'docs/deep/a.md', true],
    ['**', '.github/a.yml', true],
    ['*.yml', '.github/workflows/a.yml', true],
    ['Makefile', 'tools/Makefile', true],
    ['[!a].ts', 'b.ts', true],
    ['[!a].ts', 'a.ts', false],
    ['app/(group)/*.ts', 'app/(group)/a.ts', true],
    ['a*b*c*d*e', 'abcde', false],
  ])('%s and %s: %s', (glob, path, expected) => {
    expect(matchesGlobs(path, [glob])).toBe(expected);
  });

  it.each([
    ['', /empty/],
    ['!a', /exclude_patterns/],
    ['../a', /out of the project/],
    ['/etc/*', /out of the project/],
    ['a/**/b/**/c/**/d/**', /too many wildcards/],
    ['*a*b*c*d', /too many wildcards/],
    ['{a,b}{c,d}{e,f}{g,h}', /too many wildcards/],
    ['x'.repeat(501), /500/],
  ])('is refused with what to write instead: %s', (glob, says) => {
    expect(checkGlobPattern(glob)).toMatch(says);
  });

  it.each(['*.py', 'src/**/*.{ts,tsx}', 'docs/', '**', 'a/b.c'])('is fine: %s', (glob) => {
    expect(checkGlobPattern(glob)).toBeUndefined();
  });

  it('is compared in bounded time', () => {
    expectEffortBelow(60, () => {
      for (const glob of ['**/*a*b*c', 'a/**/b/**/c/**', '*a*a*a', '**/*a*a/**/*a*a'])
        for (const path of [`${'a/'.repeat(500)}b`, 'a'.repeat(1000), 'ab'.repeat(500)]) matchesGlobs(path, [glob]);
    });
  });
});
