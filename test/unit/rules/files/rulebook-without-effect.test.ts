import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../../src/rules/model/rule.ts';
import { listWithoutEffect } from '../../../../src/rules/files/rulebook.ts';
import { aRule, aRuleWith } from '../../../support/rules.ts';

const PATHS = ['packages/a/src/a.js', 'README.md'];

interface Given {
  readonly rule?: Rule;
  readonly paths?: readonly string[];
  readonly source?: string;
}

const notesOn = ({ rule = aRule({ id: 'R' }), paths = PATHS, source = 'a.yaml' }: Given) =>
  listWithoutEffect([{ rule, source: { name: source } }], paths).map(
    ({ source: { name }, message }) => `${name}: ${message}`,
  );

describe('a rule that looks at no file of the project', () => {
  const rule = (part: Partial<NonNullable<Rule['match']>>) =>
    aRule({ id: 'R', match: { on: 'added_lines', mode: 'forbid', pattern: 'x', ...part } });

  it('is named, with the globs that match nothing', () => {
    const globs = ['src/**', '*.ts'];
    const note = 'a.yaml: R: no committed file matches its file_patterns: src/**, *.ts';
    expect(notesOn({ rule: rule({ file_patterns: globs }) })).toEqual([note]);
    expect(notesOn({ rule: rule({ file_patterns: [...globs, '*.md'] }) })).toEqual([]);
    expect(notesOn({ rule: rule({ file_patterns: globs }), paths: [] })).toEqual([]);
    expect(notesOn({ rule: rule({ file_patterns: globs }), source: 'andon/typescript' })).toEqual([]);
    expect(notesOn({ rule: rule({ on: 'diff_paths', file_patterns: ['*.pem'] }) })).toEqual([]);
  });

  it('is named with the globs of its check', () => {
    const check = { type: 'regex', pattern: 'x', files: 'src/**' };
    expect(notesOn({ rule: aRuleWith(check) })).toEqual([
      'a.yaml: R-1: no committed file matches its file_patterns: src/**',
    ]);
  });
});
