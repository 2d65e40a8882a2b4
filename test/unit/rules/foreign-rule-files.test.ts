import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/contract/draft/task-spec.ts';
import { parseRuleFile } from '../../../src/rules/load/parse-rule-file.ts';

describe('files of other tools', () => {
  it.each([
    [
      '.github/instructions/ts.instructions.md',
      '---\napplyTo: "**/*.ts"\n---\n\n- Use tabs for indentation in __init__.ts\n',
    ],
    ['.cursor/rules/ts.mdc', '---\nglobs: **/*.ts\n---\n\n- Use tabs for indentation in __init__.ts\n'],
  ])('are taken as rules that advise, for the files they name: %s', (name, text) => {
    const [rule] = parseRuleFile({ name, text }).rules;
    expect(JSON.stringify(rule)).toContain('**/*.ts');
    expect(JSON.stringify(rule)).toContain('__init__.ts');
  });

  it.each(['.github/copilot-instructions.md', '.cursorrules'])('are taken without front matter: %s', (name) => {
    expect(parseRuleFile({ name, text: '# Style\n\n- Never commit secrets to git\n' }).rules).toHaveLength(1);
  });

  it('are refused with what to do where gitleaks only extends its own rules', () => {
    const { rules, faults } = parseRuleFile({ name: '.gitleaks.toml', text: '[extend]\nuseDefault = true\n' });
    expect(rules).toEqual([]);
    expect(JSON.stringify(faults)).toContain('extends: [secrets]');
    expect(JSON.stringify(faults)).not.toContain('not readable');
  });

  it.each(['tasks:\n  - id: 1\n    title: x\n  - id: 2\n    title: y\n', '{"tasks": [{"id": 1}, {"id": 2}]}'])(
    'are refused with what to do where they list several tasks: %j',
    (text) => {
      expect(readSpec(text)).toEqual({ ok: false, why: [expect.stringContaining('## Task 1:')] });
    },
  );
});
