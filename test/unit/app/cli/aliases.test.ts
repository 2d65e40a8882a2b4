import { describe, expect, it } from 'vitest';
import { expandAlias } from '../../../../src/app/cli/aliases.ts';

describe('expandAlias', () => {
  it.each([
    ['ci --format sarif', 'check --base --format sarif'],
    ['ci --base develop', 'check --base --base develop'],
    ['validate --file PLAN.md --llm', 'check --plan PLAN.md --llm'],
    ['validate --file=PLAN.md', 'check --plan=PLAN.md'],
    ['enforce --mode strict', 'rules enforce --mode strict'],
    ['diff FIX-1', 'show --diff FIX-1'],
    ['cost', 'show --cost'],
    ['judge --watch', 'agents judge --watch'],
    ['init --target develop', 'init --branch develop'],
    ['create --target src/a.ts', 'new --target-file src/a.ts'],
    ['resume FIX-1 --max-diff=9', 'resume FIX-1 --max-diff-size=9'],
    ['resume FIX-1 --say --max-diff-9', 'resume FIX-1 --say --max-diff-9'],
    ['help verify', 'doctor --journal --help'],
    ['help new', 'new --help'],
    ['help', '--help'],
    ['show diff', 'show diff'],
    ['__proto__', '__proto__'],
    ['', ''],
  ])('replaces `%s` by `%s`', (typed, expected) => {
    expect(expandAlias(typed.split(' ')).join(' ')).toBe(expected);
  });

  it('refuses two options that become the same one', () => {
    expect(() => expandAlias(['validate', '--plan', 'x', '--file', 'y'])).toThrow(
      '--plan and --file cannot be combined.',
    );
  });
});
