import { array, assert, oneof, property, record, string } from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  RULE_DIALECTS,
  holdsRules,
  listRules,
  parseRuleFile,
  toOwnRule,
} from '../../../../src/rules/load/parse-rule-file.ts';
import { readSpec } from '../../../../src/project/contract/draft/spec-markdown.ts';

describe('the dialects of rules', () => {
  it.each([
    ['.andon/rules/a.yaml', true],
    ['.rulebound/rules/a.json', true],
    ['.gitleaks.toml', true],
    ['.andon/rules/style/a.md', true],
    ['AGENTS.md', true],
    ['.github/copilot-instructions.md', true],
    ['.cursor/rules/a.mdc', true],
    ['.andon/rules/README.md', false],
    ['a.txt', false],
  ])('are known by the name of the file: %s', (name, isRuleFile) => {
    expect(holdsRules(name)).toBe(isRuleFile);
  });

  test.each(RULE_DIALECTS.map((dialect, at) => [at, dialect] as const))(
    'number %i converts any text without throwing, and every rule keeps the name of its file in its faults',
    (_, dialect) => {
      assert(
        property(
          oneof(
            string(),
            string().map((text) => `---\n${text}\n---\n- ${text}\n`),
          ),
          (text) => {
            const { faults } = dialect.convert({ name: 'a', text });
            for (const fault of faults) expect(fault.source.name).toBe('a');
          },
        ),
      );
    },
  );
});

describe('older keys of a rule', () => {
  test.each<[string, object, object, readonly string[]]>([
    ['an own rule is left as it is', { id: 'A', severity: 'LOW' }, { id: 'A', severity: 'LOW' }, []],
    [
      'severity error is HIGH',
      { id: 'A', severity: 'error' },
      { id: 'A', severity: 'HIGH' },
      ['A: severity error is read as HIGH'],
    ],
    [
      'scope [all] is GLOBAL',
      { id: 'A', scope: ['all'] },
      { id: 'A', scope: 'GLOBAL' },
      ['A: scope [all] is read as GLOBAL'],
    ],
  ])('%s', (_, written, value, notes) => {
    expect(toOwnRule(written)).toEqual({ value, notes });
  });

  it('are converted once: the result is left as it is', () => {
    assert(
      property(record({ id: string(), severity: string(), name: string(), scope: array(string()) }), (written) => {
        const { value } = toOwnRule(written);
        expect(toOwnRule(value)).toEqual({ value, notes: [] });
      }),
    );
  });

  it.each<[unknown, number, string | undefined]>([
    [[{ id: 'A' }, { id: 'B' }], 2, 'a bare list is read as `rules:`'],
    [{ id: 'A' }, 1, 'a rule by itself is read as `rule:`'],
    [{ rule: { id: 'A' } }, 1, '`rule:` is read as a list of one'],
    [{ rules: [{ id: 'A' }] }, 1, undefined],
    [{ rules: 5 }, 0, undefined],
  ])('of a whole file are listed: %j', (value, count, note) => {
    const listed = listRules(value);
    expect([listed.rules.length, listed.note]).toEqual([count, note]);
  });
});

describe('instructions for agents', () => {
  it.each([
    [
      '.github/instructions/ts.instructions.md',
      '---\napplyTo: "**/*.ts"\n---\n\n- Use tabs for indentation in __init__.ts\n',
    ],
    ['.cursor/rules/ts.mdc', '---\nglobs: **/*.ts\n---\n\n- Use tabs for indentation in __init__.ts\n'],
  ])('become rules that advise, for the files they name: %s', (name, text) => {
    const [rule] = parseRuleFile({ name, text }).rules;
    expect(JSON.stringify(rule)).toContain('**/*.ts');
    expect(JSON.stringify(rule)).toContain('__init__.ts');
  });

  it.each(['.github/copilot-instructions.md', '.cursorrules'])('need no front matter: %s', (name) => {
    expect(parseRuleFile({ name, text: '# Style\n\n- Never commit secrets to git\n' }).rules).toHaveLength(1);
  });
});

describe('a gitleaks file', () => {
  it('that only extends the rules of gitleaks is refused with a remedy', () => {
    const { rules, faults } = parseRuleFile({ name: '.gitleaks.toml', text: '[extend]\nuseDefault = true\n' });
    expect(rules).toEqual([]);
    expect(JSON.stringify(faults)).toContain('extends: [secrets]');
    expect(JSON.stringify(faults)).not.toContain('not readable');
  });

  it('with a value of a wrong type is refused at its rule', () => {
    const text = "[[rules]]\nid = 'a'\nregex = 5\n\n[[rules]]\nregex = 'x'\n";
    const { rules, faults } = parseRuleFile({ name: 'a.toml', text });
    expect(rules).toEqual([]);
    expect(faults.map(({ source, path }) => `${source.line} ${path}`).toSorted()).toEqual([
      '1 $.rules[0].match.pattern',
      '5 $.rules[1].id',
    ]);
  });
});

describe('a list of tasks of another tool', () => {
  it.each(['tasks:\n  - id: 1\n    title: x\n  - id: 2\n    title: y\n', '{"tasks": [{"id": 1}, {"id": 2}]}'])(
    'is refused with a remedy: %j',
    (text) => {
      expect(readSpec(text)).toEqual({ ok: false, why: [expect.stringContaining('## Task 1:')] });
    },
  );
});
