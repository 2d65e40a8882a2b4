import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expectEffortOfAsyncBelow } from '../../../support/effort.ts';
import { describe, expect, it } from 'vitest';
import type { Rulebook } from '../../../../src/rules/model/rule.ts';
import { readRulebook } from '../../../../src/rules/load/read-rulebook.ts';
import { readRuleboundConfig } from '../../../../src/project/config/rulebound-config.ts';
import { tryExamples } from '../../../../src/rules/load/try-examples.ts';
import { PACKS, parseRulebook } from '../../../../src/rules/files/rulebook.ts';

const EXAMPLES = join(import.meta.dirname, '../../../../contracts/examples/rules');
const read = (text: string, name = '.andon/rules/rules.yaml') => readRulebook([{ name, text }], { packs: PACKS });
const idsOf = ({ rules }: Rulebook): readonly string[] => rules.map(({ rule }) => rule.id);
const only = async (text: string, name?: string) => {
  const book = await read(text, name);
  expect(book.faults).toEqual([]);
  const [placed] = book.rules;
  if (placed === undefined) throw new Error('there is no rule');
  return { ...placed.rule, notes: book.notes.map(({ message }) => message) };
};
const faultsOf = async (text: string, name?: string): Promise<readonly string[]> =>
  (await read(text, name)).faults.map(({ source, path, message }) => `${source.line ?? '-'} ${path} ${message}`);

describe('a rulebook', () => {
  it.each([
    ['waivers', { waivers: '- { rule: [\n', baseline: undefined }, '.andon/waivers.yaml'],
    ['baseline', { waivers: undefined, baseline: '{}' }, '.andon/baseline.json'],
  ])('with broken %s has a fault, as with a broken rule', async (_, texts, name) => {
    const project = readRuleboundConfig({ name: '', text: undefined });
    const { faults } = await parseRulebook({ project, found: { files: [], faults: [] }, ...texts });
    expect(faults.map(({ source }) => source.name)).toContain(name);
  });
});

describe('a rule file', () => {
  it('fills in what follows from the severity', async () => {
    expect(await only("rules:\n  - { id: A, severity: critical, match: { pattern: 'x' } }\n")).toMatchObject({
      version: '1.0.0',
      title: 'A',
      message: 'A',
      severity: 'CRITICAL',
      priority: 'P0',
      modality: 'MUST',
      handler: 'TERMINATE',
      scope: 'GLOBAL',
      waivable: false,
      category: 'general',
      phase: ['ANALYSIS', 'TASKS', 'IMPLEMENTATION', 'REVIEW', 'TEST'],
      match: { on: 'added_lines', mode: 'forbid', pattern: 'x' },
    });
  });

  it('of the review alone looks at what is reviewed where it names no place', async () => {
    const placeOf = async (rest: string) => (await only(`rules:\n  - { id: A, severity: HIGH, ${rest} }\n`)).match?.on;
    expect(await placeOf("phase: REVIEW, match: { pattern: 'x' }")).toBe('review');
    expect(await placeOf("phase: REVIEW, match: { pattern: 'x', on: added_lines }")).toBe('added_lines');
    expect(await placeOf("phase: [REVIEW, TEST], match: { pattern: 'x' }")).toBe('added_lines');
  });

  it('with only a title is held against plans by it, and one with only a message is not', async () => {
    expect((await only('rules:\n  - { id: A, severity: HIGH, title: No force push }\n')).checks).toEqual([
      { type: 'plan' },
    ]);
    expect((await only('rules:\n  - { id: A, severity: HIGH, message: m }\n')).checks).toEqual([]);
    const metric = 'rules:\n  - { id: A, severity: LOW, title: Short, metadata: { metric_threshold: 50 } }\n';
    expect((await only(metric)).checks).toEqual([]);
  });

  it('may hold the older single rule, with its quick fix and its threshold in the metadata', async () => {
    const rule = await only(
      'rule:\n  id: STYLE-001\n  severity: HIGH\n  phase: implementation\n  metadata: { quick_fix_type: TYPE-A, max_fixes: 5, metric_threshold: 50 }\n',
    );
    expect(rule).toMatchObject({ phase: ['IMPLEMENTATION'], quick_fix: { type: 'TYPE-A', max_fixes: 5 } });
    expect(rule.notes).toEqual(['`rule:` is read as a list of one']);
  });

  it.each<[string, string, string]>([
    ['nothing under rules', 'rules:', '1 $.rules found null; expected a list of rules'],
    ['no rules at all', 'schema: andon.rules/v1', '1 $ there are no rules'],
    ['nothing', '', '1 $ found nothing'],
    [
      'an unknown severity',
      'rule:\n  id: A\n  severity: URGENT',
      '3 $.rule.severity found "URGENT"; expected CRITICAL',
    ],
    ['no severity', 'rule:\n  id: A', '1 $.rule.severity found nothing; expected CRITICAL'],
    ['a mistyped key', 'rule:\n  id: A\n  severity: LOW\n  mesage: x', '4 $.rule.mesage the key "mesage" is not known'],
    [
      'a pattern that is broken',
      "rule:\n  id: A\n  severity: LOW\n  match:\n    pattern: '('",
      '5 $.rule.match.pattern',
    ],
    ['an unknown check', 'rule:\n  id: A\n  severity: LOW\n  checks: [{ type: metricc }]', '4 $.rule.checks[0].type'],
    [
      'a wrong glob',
      "rule:\n  id: A\n  severity: LOW\n  match: { pattern: x, file_patterns: ['../a'] }",
      '4 $.rule.match.file_patterns',
    ],
    [
      'a handler weaker than the severity',
      'rule:\n  id: A\n  severity: CRITICAL\n  handler: QUICK_FIX',
      '4 $.rule.handler',
    ],
    ['a handler nobody knows', 'rule:\n  id: A\n  severity: LOW\n  handler: " VIOLATION "', '4 $.rule.handler found'],
    ['a priority of another severity', 'rule:\n  id: A\n  severity: HIGH\n  priority: P0', '4 $.rule.priority'],
    [
      'a hard constraint of medium severity',
      'rule:\n  id: A\n  severity: MEDIUM\n  is_hard_constraint: true',
      '4 $.rule.is_hard_constraint',
    ],
    ['a pack nobody ships', 'extends: [secrtes]\nrules: []', '1 $.extends no pack is called "secrtes"'],
    [
      'an example that is not found',
      "rule:\n  id: A\n  severity: LOW\n  match: { pattern: 'x' }\n  tests: { violates: ['y'] }",
      '1 $.A.tests.violates[0]',
    ],
    [
      'an example that is found',
      "rule:\n  id: A\n  severity: LOW\n  match: { pattern: 'x' }\n  tests: { passes: ['x'] }",
      '1 $.A.tests.passes[0]',
    ],
    [
      'a query that its grammar refuses',
      "rule:\n  id: A\n  severity: LOW\n  checks: [{ type: syntax, queries: { typescript: '((nope) @match)' } }]",
      '1 $.A.checks[0].queries.typescript the query is not valid: Bad node name',
    ],
    ['an id that is none', 'rule: { id: 1A, severity: LOW }', '1 $.rule.id found "1A"'],
    ['a version that is none', 'rule: { id: A, version: new, severity: LOW }', '1 $.rule.version'],
  ])('with %s is refused, with its place', async (_, text, begins) => {
    const [first, ...others] = await faultsOf(text);
    expect(first?.slice(0, begins.length)).toBe(begins);
    expect(others).toEqual([]);
  });

  it('tells every fault at once, with the nearest known key', async () => {
    const { faults } = await read(
      'rules:\n  - { id: A, severty: LOW }\n  - { id: B, severity: LOW, checks: [{ type: secret_ }] }\n',
    );
    expect(faults.map(({ remedy }) => remedy)).toEqual([
      'add `severity`',
      'the nearest known key is `severity`',
      'correct it',
    ]);
  });

  it('with a handler that is weaker for a reason is read, and the reason is noted', async () => {
    const rule = await only(
      "rule: { id: A, severity: CRITICAL, handler: QUICK_FIX, allow_weaker_handler: 'it is regenerated' }",
    );
    expect(rule.handler).toBe('QUICK_FIX');
    expect(rule.notes.join()).toContain('it is regenerated');
  });

  it('may say what priorities do', async () => {
    const book = await read(
      'priority_mapping:\n  P2: { action: QUICK_FIX, notify_human: true }\n  P0: { iteration_penalty: +MAX }\nrules:\n  - { id: A, severity: MEDIUM, content: Be brief }\n',
    );
    expect(book.rules[0]?.rule.handler).toBe('QUICK_FIX');
    expect(book.ladder.MEDIUM.notify_human).toBe(true);
    expect(book.ladder.CRITICAL.iteration_penalty).toBe('MAX');
    expect(book.notes).toEqual([]);
  });

  it('with a rule that looks for nothing never finds anything', async () => {
    const rule = await only(
      'rule:\n  id: CONST-1\n  severity: CRITICAL\n  phase: ANALYSIS\n  message: m\n  tests: { passes: [anything at all] }',
    );
    expect(rule.notes).toContain('CONST-1: there is nothing to look for, so it never finds anything');
    expect(await tryExamples(rule)).toMatchObject([{ status: 'NOT_APPLICABLE', passed: true }]);
  });
});

describe('other spellings', () => {
  const MARKDOWN = `---
title: No Debugger
category: style
severity: error
modality: must
tags: [hygiene]
stack: [TypeScript]
scope: [all]
---

# No debugger statements

Never leave debugger statements behind.

\`\`\`ts
debugger;
\`\`\`

\`\`\`rulebound
checks:
  - type: regex
    pattern: '^\\s*debugger'
    files: ['**/*.ts']
\`\`\`
`;

  it('that are policies need no id and no severity: both follow from the name and the hardness', async () => {
    const book = await read(`rules:
  - name: Refund Limit
    condition_text: when response commits to a refund amount
    action_text: limit refunds to $50 for standard customers, VIPs unlimited
    enforcement_expression: "amount <= 50 or user_tier == 'VIP'"
    scope: GLOBAL
    is_hard_constraint: true
  - name: Professional Tone
    condition_text: when responding to customer complaints
    action_text: maintain professional and empathetic tone
    enforcement_expression: null
    scope: SCENARIO
    scope_id: complaint
    is_hard_constraint: false
`);
    expect(book.faults).toEqual([]);
    expect(book.rules.map(({ rule }) => rule)).toMatchObject([
      { id: 'Refund-Limit', title: 'Refund Limit', severity: 'HIGH', modality: 'MUST', is_hard_constraint: true },
      { id: 'Professional-Tone', severity: 'MEDIUM', modality: 'SHOULD', is_hard_constraint: false },
    ]);
    expect(book.notes.map(({ message }) => message)).toContain(
      'Refund-Limit: no severity is named: a hard constraint is read as HIGH',
    );
  });

  it.each([
    ['a name alone', 'rule:\n  name: Refund Limit\n  match: { pattern: x }', '$.rule.id'],
    ['a name of which no id can be made', 'rule:\n  name: 환불\n  action_text: limit refunds', '$.rule.id'],
  ])('%s gives no id', async (_, text, path) => {
    expect((await read(text)).faults.map((fault) => fault.path)).toContain(path);
  });

  it('of Markdown with front matter and a block of checks are read', async () => {
    const rule = await only(MARKDOWN, '.rulebound/rules/style/no-debugger.md');
    expect(rule).toMatchObject({
      id: 'style.no-debugger',
      title: 'No Debugger',
      severity: 'HIGH',
      modality: 'MUST',
      stack: ['typescript'],
      scope: 'GLOBAL',
      checks: [{ type: 'regex' }],
    });
    expect(rule.content).toContain('Never leave debugger');
    expect(rule.content).not.toContain('debugger;');
  });

  it.each([
    ['.rulebound/rules/b.md', 'b', 'general'],
    ['.rulebound/rules/go/error handling.md', 'go.error-handling', 'go'],
  ])('of %s make the id %s and the category %s', async (name, id, category) => {
    expect(await only('---\ntitle: T\nseverity: warning\n---\nKeep it simple.', name)).toMatchObject({ id, category });
  });

  it('of Markdown whose front matter has no end are refused, and a line across the page is none', async () => {
    const open = await read('---\ntitle: T\nmodality: must\n\nNever do it.', '.andon/rules/open.md');
    expect(open.faults.map(({ message }) => message).join()).toContain('front matter has no end');
    const prose = await only('---\nNever do it: it hurts.\n', '.andon/rules/prose.md');
    expect(prose).toMatchObject({ id: 'prose' });
  });

  it('of Markdown with a wrong word are refused at their line', async () => {
    expect(await faultsOf('---\ntitle: T\nmodality: MUSST\n---\nbody', '.rulebound/rules/a.md')).toEqual([
      '3 $.modality found "MUSST"; expected MUST, SHOULD or MAY. Default: by severity',
    ]);
  });

  it('of prose make rules that advise', async () => {
    const text =
      '---\ndescription: x\nglobs: *.tsx,*.ts\nalwaysApply: false\n---\n# Style\n- Prefer **named** exports over default ones\n- Short\n';
    const rule = await only(text, '.andon/rules/react.mdc');
    expect(rule).toMatchObject({
      title: 'Prefer named exports over default ones',
      severity: 'LOW',
      modality: 'MAY',
      match: { file_patterns: ['*.tsx', '*.ts'] },
    });
    expect(rule.notes.join()).toContain('1 rules that advise');
  });

  it('of gitleaks are read, and what is not taken is named', async () => {
    const text =
      "title = 'x'\n[[rules]]\nid = 'my-token'\ndescription = 'My token'\nregex = '''\\bmytok_[a-z0-9]{16}\\b'''\nkeywords = ['mytok_']\nentropy = 3\n[[rules]]\nid = 'p'\npath = '''\\.p12$'''\n";
    const rule = await only(text, '.andon/rules/own.toml');
    expect(rule).toMatchObject({
      id: 'gitleaks.my-token',
      severity: 'CRITICAL',
      category: 'security',
      match: { keywords: ['mytok_'] },
    });
    expect(rule.notes).toEqual(['my-token: entropy 3 not taken', 'p: without a `regex`; not taken']);
  });

  it('of TOML that is broken are refused', async () => {
    expect(await faultsOf('[[rules]]\nid = ', '.andon/rules/own.toml')).toHaveLength(1);
    expect(await faultsOf('a = 1', '.andon/rules/own.toml')).toEqual([
      '- $ not readable as TOML: there is no list `[[rules]]`',
    ]);
  });
});

describe('a hostile file of prose', () => {
  it.each([
    ['of one long run of backticks', '`'.repeat(200_000)],
    ['of fences alone', '```\n~~~\n'.repeat(25_000)],
    ['of blocks alone', '```rulebound\nchecks: []\n```\n'.repeat(5000)],
    ['with a heading of blanks', `# a${' '.repeat(200_000)}x`],
    ['of list items alone', '- a b c d\n'.repeat(20_000)],
    ['that is too large', 'x'.repeat(300_000)],
  ])('%s is read or refused in bounded time', async (_, text) => {
    await expectEffortOfAsyncBelow(200, async () => {
      for (const name of ['a.md', 'AGENTS.md', 'b.mdc']) await read(text, `.andon/rules/${name}`);
      await read(`a = '''${text}'''\n[[rules]]\nid = 'x'\n`, '.andon/rules/c.toml');
    });
  });
});

describe('rules of the same id', () => {
  const rule = (version: string, pattern: string): string =>
    `  - { id: A, version: '${version}', severity: HIGH, match: { pattern: '${pattern}' } }\n`;
  const two = (a: string, b: string) => read(`rules:\n${a}${b}`);

  it.each([
    ['1.9.0', '1.10.0'],
    ['1.9', '1.9.0.1'],
    ['1.0.0-rc.2', '1.0.0-rc.10'],
    ['1.0.0-rc.10', '1.0.0'],
  ])('%s is replaced by %s, whatever their order', async (lower, higher) => {
    for (const book of [
      await two(rule(lower, 'x'), rule(higher, 'y')),
      await two(rule(higher, 'y'), rule(lower, 'x')),
    ]) {
      expect(book.faults).toEqual([]);
      expect(book.rules.map(({ rule: one }) => one.match?.pattern)).toEqual(['y']);
    }
  });

  it('with the same version and other content are refused', async () => {
    const book = await two(rule('1.0.0', 'x'), rule('1.0.0', 'y'));
    expect(book.faults.map(({ message }) => message)).toEqual([
      'A is there already, with the same version 1.0.0 and other content',
    ]);
  });

  it('and the same content are one rule', async () => {
    const book = await two(rule('1.0.0', 'x'), rule('1.0.0', 'x'));
    expect(book.faults).toEqual([]);
    expect(book.rules).toHaveLength(1);
  });
});

describe('inherited rules', () => {
  it('are overridden by id', async () => {
    const book = await read(
      "extends: [go]\nrules:\n  - { id: go.no-panic, severity: LOW, title: Panics, match: { pattern: 'panic', file_patterns: ['*.go'] } }\n",
    );
    expect(book.faults).toEqual([]);
    expect(book.rules.find(({ rule }) => rule.id === 'go.no-panic')?.rule).toMatchObject({
      title: 'Panics',
      severity: 'LOW',
    });
    expect(book.rules.find(({ rule }) => rule.id === 'go.no-print')?.source.name).toBe('andon/go');
  });

  it.each([
    [
      'severity',
      "severity: LOW, match: { on: report, pattern: '\\biteration\\s*=\\s*\\d+', not_pattern: '\\biteration\\s*=\\s*\\d+\\s*\\+\\s*\\+' }",
    ],
    ['match', "severity: CRITICAL, match: { on: report, pattern: 'never' }"],
  ])('of priority P0 may not be weakened (%s)', async (what, rest) => {
    const book = await read(
      `extends: [constitutional]\nrules:\n  - { id: CONSTITUTION-002, version: '9.0.0', phase: REVIEW, ${rest} }\n`,
    );
    expect(book.faults).toHaveLength(1);
    expect(book.faults[0]?.message).toContain(what);
    expect(book.rules.find(({ rule }) => rule.id === 'CONSTITUTION-002')?.rule.version).toBe('1.0.0');
  });
});

describe('the packs that are shipped', () => {
  it.each(PACKS.names)(
    '%s is sound, and every rule has two examples of each kind that come out right',
    async (name) => {
      const book = await readRulebook([], { packs: PACKS, extends: [name] });
      expect(book.faults).toEqual([]);
      expect(book.rules.length).toBeGreaterThan(0);
      for (const { rule } of book.rules) {
        expect([rule.id, rule.tests.violates.length >= 2, rule.tests.passes.length >= 2]).toEqual([
          rule.id,
          true,
          true,
        ]);
        expect(await tryExamples(rule), rule.id).toHaveLength(rule.tests.violates.length + rule.tests.passes.length);
      }
    },
  );

  it.each(PACKS.names)('%s has a self test that fails for every pattern that is broken', async (name) => {
    const { rules } = await readRulebook([], { packs: PACKS, extends: [name] });
    for (const { rule } of rules) {
      if (rule.match?.pattern === undefined) continue;
      const broken = { ...rule, match: { ...rule.match, pattern: 'no such text anywhere' } };
      expect(
        (await tryExamples(broken)).some(({ passed }) => !passed),
        rule.id,
      ).toBe(true);
      if (rule.match.not_pattern === undefined) continue;
      const { not_pattern: _, ...match } = rule.match;
      expect(
        (await tryExamples({ ...rule, match })).some(({ passed }) => !passed),
        `${rule.id} without not_pattern`,
      ).toBe(true);
    }
  });
});

describe('a rulebook', () => {
  it('of the examples in contracts/ is sound', async () => {
    const files = readdirSync(EXAMPLES).map((name) => ({
      name: `.andon/rules/${name}`,
      text: readFileSync(join(EXAMPLES, name), 'utf8'),
    }));
    const book = await readRulebook(files, { packs: PACKS });
    expect(book.faults).toEqual([]);
    expect(idsOf(book)).toContain('JCODE-001');
  });

  it('is the same whatever the order of its files', async () => {
    const files = ['b', 'a', 'c'].map((id) => ({
      name: `.andon/rules/${id}.yaml`,
      text: `rule: { id: ${id}, severity: LOW }`,
    }));
    expect(idsOf(await readRulebook(files, { packs: PACKS }))).toEqual(['a', 'b', 'c']);
    expect(idsOf(await readRulebook(files.toReversed(), { packs: PACKS }))).toEqual(['a', 'b', 'c']);
  });

  it('of more rules than can be read says so', async () => {
    const text = `rules:\n${Array.from({ length: 2001 }, (_, at) => `- {id: R${at}, severity: LOW}\n`).join('')}`;
    const book = await read(text);
    expect(book.rules).toHaveLength(2000);
    expect(book.faults.map(({ message }) => message)).toEqual(['2001 rules; at most 2000 are read']);
  });
});
