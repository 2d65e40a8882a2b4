import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../../src/rules/model/rule.ts';
import type { Waiver } from '../../../../src/rules/model/inspection.ts';
import { listWithoutEffect } from '../../../../src/rules/files/rulebook.ts';
import { NO_SUPPRESSIONS } from '../../../../src/rules/enforce/suppress.ts';
import { CONTEXT, aRule, aRuleWith } from '../../../support/rules.ts';

const PATHS = ['packages/a/src/a.js', 'README.md'];

interface Given {
  readonly rule?: Rule;
  readonly waivers?: readonly Waiver[];
  readonly paths?: readonly string[];
  readonly source?: string;
}

const notesOn = ({ rule = aRule({ id: 'R' }), waivers = [], paths = PATHS, source = 'a.yaml' }: Given) =>
  listWithoutEffect(
    {
      rules: [{ rule, source: { name: source } }],
      faults: [],
      suppressions: { ...NO_SUPPRESSIONS, waivers },
    },
    paths,
    CONTEXT.now,
  ).map(({ source: { name }, message }) => `${name}: ${message}`);

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

describe('a waiver that waives nothing', () => {
  const waiver = { rule: 'R', reason: 'r', owner: 'ann', expires: '2999-01-01' };
  const hard = aRule({ id: 'R', is_hard_constraint: true });

  it.each<[string, Given, string | undefined]>([
    ['of an unknown rule', { waivers: [{ ...waiver, rule: 'R2' }] }, 'waives nothing: no rule has this id'],
    ['of a hard rule that nobody signed', { rule: hard, waivers: [waiver] }, 'does not count: such a rule is waived'],
    ['of a hard rule that is signed', { rule: hard, waivers: [{ ...waiver, signed_by: 'ann' }] }, undefined],
    ['that expired', { waivers: [{ ...waiver, expires: '2020-01-01' }] }, 'expired on 2020-01-01'],
    ['of relevance', { waivers: [{ ...waiver, rule: 'relevance' }] }, undefined],
    ['of a soft rule', { waivers: [waiver] }, undefined],
  ])('is one %s', (_, given, expected) => {
    const found = notesOn(given);
    expect(found).toHaveLength(expected === undefined ? 0 : 1);
    expect(found.join()).toContain(expected ?? '');
  });
});
