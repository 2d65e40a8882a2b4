import { describe, expect, it } from 'vitest';
import type { RuleFinding, Subject } from '../../../src/rule-model/inspection.ts';
import type { Rule } from '../../../src/rule-model/rule.ts';
import { checkRule } from '../../../src/rules/check-rule.ts';
import { findingsOf } from '../../../src/rules/enforce/findings-of.ts';
import { aResult } from '../../support/inspections.ts';
import { CONTEXT, aFile, aRule, aRuleWith, aSubject } from '../../support/rules.ts';

const EVAL = aRule({ match: { on: 'added_lines', mode: 'forbid', pattern: '\\beval\\(' } });
const SECRETS = aRuleWith({ type: 'secrets' });
/** Invented, and put together so that no scanner takes this file for a leak. */
const KEY = ['k3Jd', '8sWq0Zx'].join('');

async function found(rule: Rule, subject: Subject): Promise<readonly RuleFinding[]> {
  const layers = await checkRule(rule, subject, { context: CONTEXT });
  return findingsOf(rule, aResult({ status: layers[0]?.status ?? 'PASS', layers }), CONTEXT);
}

const prints = async (rule: Rule, text: string): Promise<readonly string[]> =>
  (await found(rule, aSubject([aFile('a.ts', text)]))).map(({ fingerprint }) => fingerprint);

describe('a violation is known again', () => {
  it('by the whole text of its line, not by what the pattern matched', async () => {
    const [before] = await prints(EVAL, 'const a = eval("1+1");\n');
    const [after] = await prints(EVAL, 'return eval(text);\n');
    expect(after).not.toBe(before);
  });

  it('when its line has moved or was indented anew', async () => {
    const before = await prints(EVAL, 'const a = eval("1+1");\n');
    expect(await prints(EVAL, '\n\n\t  const a  = eval("1+1");  \r\n')).toEqual(before);
  });

  it('by all lines that it lies on', async () => {
    const rule = aRule({ match: { on: 'added_lines', mode: 'forbid', pattern: 'a\\(\\s+b' } });
    const [one] = await prints(rule, 'a(\n  b, true);\n');
    const [other] = await prints(rule, 'a(\n  b, false);\n');
    expect(other).not.toBe(one);
    expect(await prints(rule, '  a(\n      b, true);\n')).toEqual([one]);
  });

  it('also when it is a secret, and not when something else stands in its line', async () => {
    const before = await prints(SECRETS, `const password = '${KEY}';\n`);
    expect(before).toHaveLength(1);
    expect(await prints(SECRETS, `\n  const password = '${KEY}';\n`)).toEqual(before);
    expect(await prints(SECRETS, `send(url); const password = '${KEY}';\n`)).not.toEqual(before);
  });

  it('in the output of tests also when they took another time', async () => {
    const rule = aRule({ match: { on: 'test_output', mode: 'forbid', pattern: 'skipped' } });
    const of = async (testOutput: string) =>
      (await found(rule, { files: [], testOutput })).map((one) => one.fingerprint);
    expect(await of('login skipped (12 ms)')).toEqual(await of('login skipped (7 ms)'));
    expect(await of('login skipped (12 ms)')).not.toEqual(await of('logout skipped (12 ms)'));
  });
});

describe('what a human lets stand once', () => {
  it('is a function as long as it was, and not one that has grown', async () => {
    const rule = aRuleWith({ type: 'metric', metric: 'function_lines', max: 3 });
    const [one] = await prints(rule, 'function f() {\n  a();\n  b();\n}\n');
    const [other] = await prints(rule, 'function f() {\n  a();\n  b();\n  c();\n}\n');
    expect(other).not.toBe(one);
  });
});
