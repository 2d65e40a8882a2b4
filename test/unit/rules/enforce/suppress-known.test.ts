import { describe, expect, it } from 'vitest';
import type { BaselineEntry, RuleFinding, Subject, SubjectFile } from '../../../../src/rules/model/inspection.ts';
import type { Rule } from '../../../../src/rules/model/rule.ts';
import { checkRule } from '../../../../src/rules/run-rules.ts';
import { findingsOf } from '../../../../src/rules/enforce/findings-of.ts';
import { Baseline, NO_SUPPRESSIONS, suppress } from '../../../../src/rules/enforce/suppress.ts';
import { aResult } from '../../../support/inspections.ts';
import { CONTEXT, aFile, aRule, aRuleWith, aSubject } from '../../../support/rules.ts';

const EVAL = aRule({ match: { on: 'added_lines', mode: 'forbid', pattern: '\\beval\\(' } });
const SECRETS = aRuleWith({ type: 'secrets' });
/** Invented, and put together so that no scanner takes this file for a leak. */
const KEY = ['k3Jd', '8sWq0Zx'].join('');

async function found(rule: Rule, subject: Subject): Promise<readonly RuleFinding[]> {
  const layers = await checkRule(rule, subject, { context: CONTEXT });
  return findingsOf(rule, aResult({ status: layers[0]?.status ?? 'PASS', layers }), { surface: 'ci' });
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
      (await found(rule, { files: [], test_output: testOutput })).map((one) => one.fingerprint);
    expect(await of('login skipped (12 ms)')).toEqual(await of('login skipped (7 ms)'));
    expect(await of('login skipped (12 ms)')).not.toEqual(await of('logout skipped (12 ms)'));
  });
});

const taken = (findings: readonly RuleFinding[], subject: Subject): readonly BaselineEntry[] =>
  findings.map((finding) => new Baseline([], subject, findings).newEntry(finding));

/** What a baseline of one file, looked at whole, makes of the file as a change leaves it. */
async function against(rule: Rule, before: string, after: SubjectFile): Promise<readonly boolean[]> {
  const whole = aSubject([aFile(after.path, before, { change: 'whole' })]);
  const baseline = taken(await found(rule, whole), whole);
  const subject = aSubject([after]);
  const { findings } = suppress(await found(rule, subject), subject, { ...NO_SUPPRESSIONS, baseline }, CONTEXT.now);
  return findings.map(({ suppressed }) => suppressed !== undefined);
}

describe('a baseline', () => {
  const old = 'export const a = eval("1+1");\n';

  it('does not hold a new violation in a file that it knows', async () => {
    expect(await against(EVAL, old, aFile('a.ts', `${old}eval(req.body);\n`, { added: [2] }))).toEqual([false]);
  });

  it.each([
    ['below', [2]],
    ['above', [1]],
  ])('does not hold the same line a second time %s', async (_, added) => {
    expect(await against(EVAL, old, aFile('a.ts', old + old, { added }))).toEqual([false]);
  });

  it('holds as many equal lines as it was taken with, also where a change wrote one of them', async () => {
    expect(await against(EVAL, old + old, aFile('a.ts', old + old, { added: [1] }))).toEqual([true]);
    expect(await against(EVAL, old + old, aFile('a.ts', old + old + old, { added: [1] }))).toEqual([false]);
  });

  it('that is taken of a change holds the change, also where it repeats a line', async () => {
    const subject = aSubject([aFile('a.ts', old + old, { added: [1] })]);
    const findings = await found(EVAL, subject);
    const baseline = taken(findings, subject);
    const again = suppress(findings, subject, { ...NO_SUPPRESSIONS, baseline }, CONTEXT.now);
    expect(again.findings.map(({ suppressed }) => suppressed?.by)).toEqual(['baseline']);
  });

  it('counts no equal line twice where a rule looks at whole files', async () => {
    const rule = aRule({ match: { on: 'file', mode: 'forbid', pattern: '\\beval\\(' } });
    expect(await against(rule, old + old, aFile('a.ts', old + old, { added: [2] }))).toEqual([true, true]);
    expect(await against(rule, old, aFile('a.ts', old + old, { added: [2] }))).toEqual([true, false]);
  });

  it('holds its line where it was moved to', async () => {
    expect(await against(EVAL, `${old}b();\n`, aFile('a.ts', `b();\n  ${old}`, { added: [2] }))).toEqual([true]);
  });

  it.each([
    ['is as long as it was', 14, true],
    ['has become shorter', 13, true],
    ['has grown by a line', 15, false],
    ['has grown without limit', 902, false],
  ])('holds a file that %s: %i lines, %s', async (_, lines, isHeld) => {
    const rule = aRuleWith({ type: 'metric', metric: 'file_lines', max: 12 });
    expect(await against(rule, 'x\n'.repeat(14), aFile('a.md', 'x\n'.repeat(lines)))).toEqual([isHeld]);
  });

  const method = (lines: number): string => `  run() {\n${'    x();\n'.repeat(lines - 2)}  }\n`;
  const kept = (...lines: readonly number[]): string =>
    lines.map((count, at) => `class C${at} {\n${method(count)}}\n`).join('');

  it.each([
    ['that has become shorter', [20, 30], [20, 29], 30, [true]],
    ['that has grown', [20, 30], [20, 31], 30, [false]],
    ['that has grown up to the length of another of that name', [30, 20], [30, 30], 40, [false]],
  ] as const)('measures each function against itself: one %s', async (_, before, after, line, expected) => {
    const rule = aRuleWith({ type: 'metric', metric: 'function_lines', max: 10 });
    const file = aFile('a.ts', kept(...after), { added: [line] });
    expect(await against(rule, kept(...before), file)).toEqual(expected);
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
