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
    ['create --file a', 'new --file a'],
    ['resume FIX-1 --max-diff=9', 'resume FIX-1 --max-diff-size=9'],
    ['resume FIX-1 --say --max-diff-9', 'resume FIX-1 --say --max-diff-9'],
    ['judge --watch', 'agents judge --watch'],
    ['help verify', 'doctor --journal --help'],
    ['help new', 'new --help'],
    ['help', '--help'],
    ['show diff', 'show diff'],
    ['__proto__', '__proto__'],
    ['', ''],
  ])('replaces `%s` by `%s`', (typed, expected) => {
    expect(expandAlias(typed.split(' ')).join(' ')).toBe(expected);
  });
});
