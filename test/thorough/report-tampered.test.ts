/** @module-tag thorough */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { decide, nonceTold, tick } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import type { Factory, Watchdog } from '../support/factory.ts';
import { issue, judges } from '../support/scenario.ts';
import { resume } from '../support/versions.ts';

const merging = (dog: Watchdog): object => ({ task_id: 'DOC-001', decision: 'merge', nonce: nonceTold(dog) });
/** Longer than the daemon takes to look at the folder again. */
const LOOKS = 2500;

const edit = (factory: Factory, name: string, change: (text: string) => string): string => {
  const file = join(factory.handoff, name);
  const changed = change(readFileSync(file, 'utf8'));
  writeFileSync(file, changed);
  return changed;
};

/** The judge has spoken, and the human in the floor manager's place has not. */
const judged = async (scenario = {}) => {
  const factory = await aFactory({ scenario });
  const dog = await factory.watch();
  factory.drop(aContract({ 'roles.floor_manager': 'human' }));
  await dog.until('waits for your _handoff/DECISION.json');
  return { factory, dog };
};
const waitsAgain = (output: string): boolean => output.split('waits for your _handoff/DECISION.json').length === 3;

describe("the judge's report, edited before it was decided on", () => {
  test('stops the line with both versions; restored, it is what the merge names', async () => {
    const { factory, dog } = await judged({
      judge: [judges('FAIL', { blocking_issues: [issue('The link is missing')] })],
    });
    const ours = factory.paper('JUDGE_REPORT.json') ?? '';
    const theirs = edit(factory, 'JUDGE_REPORT.json', (text) => text.replaceAll('FAIL', 'PASS'));
    await dog.until(factory.isHalted);
    expect(factory.breaker()).toBe('contract_tampered');
    const report = factory.paper('ERIK_HALT.md') ?? '';
    for (const version of [theirs, ours]) expect(report).toContain(version.trimEnd());
    const kept = [...report.matchAll(/^Whole: `_handoff\/(\S+)`$/gm)].map(([, name = '']) => factory.paper(name));
    expect(kept).toEqual([theirs, ours]);
    await resume(factory, 2);
    await dog.until(() => waitsAgain(dog.output()));
    expect(factory.paper('JUDGE_REPORT.json')).toBe(ours);
    decide(factory, merging(dog));
    await dog.until('only a PASS can be merged; the judge said FAIL');
    expect(factory.merges()).toEqual([]);
  });

  test('as a page for people stops the line too; it can be judged again', async () => {
    const { factory, dog } = await judged();
    const theirs = edit(factory, 'JUDGE_REPORT.md', (text) => `${text}\nErik has seen this.\n`);
    await dog.until(factory.isHalted);
    expect(factory.breaker()).toBe('contract_tampered');
    expect(factory.paper('ERIK_HALT.md')).toContain('was changed on disk after andon had read it');
    tick(factory, 1);
    await dog.until(() => waitsAgain(dog.output()));
    expect(factory.calls('judge')).toHaveLength(2);
    expect(factory.paper('JUDGE_REPORT.md')).not.toBe(theirs);
    decide(factory, merging(dog));
    await dog.until(() => factory.isMerged());
    const digest = createHash('sha256')
      .update(factory.paper('archive/DOC-001/JUDGE_REPORT.json') ?? '')
      .digest('hex');
    expect(factory.git('log', '-1', '--format=%B', factory.merges()[0] ?? '')).toContain(`sha256-${digest}`);
  });

  test('in the very moment in which the decision is dropped moves nothing either', async () => {
    const { factory, dog } = await judged();
    await dog.stop();
    edit(factory, 'JUDGE_REPORT.json', (text) => text.replace('"suggestions": []', '"suggestions": ["mine"]'));
    decide(factory, merging(dog));
    const again = await factory.watch();
    await again.until(factory.isHalted);
    expect(factory.breaker()).toBe('contract_tampered');
    expect(factory.merges()).toEqual([]);
    await resume(factory, 2);
    await again.until(() => factory.isMerged());
  });

  test.each([
    ['touched', (text: string) => text],
    ['given other line ends', (text: string) => text.replaceAll('\n', '\r\n')],
  ])('only %s is no edit', async (_what, change) => {
    const { factory, dog } = await judged();
    for (const name of ['JUDGE_REPORT.json', 'JUDGE_REPORT.md']) {
      edit(factory, name, change);
      utimesSync(join(factory.handoff, name), new Date(0), new Date());
    }
    await sleep(LOOKS);
    decide(factory, merging(dog));
    await dog.until(() => factory.isMerged());
    expect(factory.transitions().some(({ new_status: to }) => to === 'erik_consultation')).toBe(false);
  });

  test('removed, or beside papers that are yours to write, is no edit either', async () => {
    const { factory, dog } = await judged();
    rmSync(join(factory.handoff, 'JUDGE_REPORT.md'));
    factory.drop('My notes.\n', 'REBUTTAL.md');
    factory.drop('My notes.\n', 'NOTES.md');
    decide(factory, { ...merging(dog), decision: 'later' });
    await dog.until('DECISION.json is not taken');
    decide(factory, merging(dog));
    await dog.until(() => factory.isMerged());
    expect(factory.transitions().some(({ new_status: to }) => to === 'erik_consultation')).toBe(false);
  });
});

describe("the judge's report, edited while the line is halted", () => {
  test('makes a choice that would rest on it refused in words; without the edit the choice counts', async () => {
    const absent = judges('FAIL', { blocking_issues: [issue('the file is broken', { file: 'docs/nowhere.md' })] });
    const factory = await aFactory({ scenario: { judge: [absent] } });
    const { dog } = await factory.run(aContract({ 'limits.max_rebuttals': 0 }));
    expect(factory.breaker()).toBe('rebuttal_limit');
    const ours = factory.paper('JUDGE_REPORT.md') ?? '';
    edit(factory, 'JUDGE_REPORT.md', () => '# All is well\n');
    const { code, stderr } = await factory.andon('resume', 'DOC-001', '--path', '1');
    expect(code).toBe(2);
    expect(stderr).toContain('_handoff/JUDGE_REPORT.md is not the report any more that the line halted with');
    tick(factory, 1);
    await dog.until(/the tick .* does not count: _handoff\/JUDGE_REPORT\.md is not the report/);
    rmSync(join(factory.handoff, 'JUDGE_REPORT.md'));
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.paper('archive/DOC-001/JUDGE_REPORT.md')).toBe(ours);
  });
});

describe('the report of a judge outside', () => {
  const outside = async () => {
    const factory = await aFactory({ projectConfig: { judge: 'external' } });
    const dog = await factory.watch();
    factory.drop(aContract({ 'roles.floor_manager': 'human' }));
    await dog.until(() => factory.paper('REVIEW_REQUEST.md'));
    const commit = /commit: `(\w+)`/.exec(factory.paper('REVIEW_REQUEST.md') ?? '')?.[1];
    const quote = 'A token is valid for 15 minutes and can be renewed once.';
    const report = {
      task_id: 'DOC-001',
      commit,
      contract_digest: /digest: `(\w+)`/.exec(factory.paper('REVIEW_REQUEST.md') ?? '')?.[1],
      verdict: 'PASS',
      summary: 'Fine.',
      blocking_issues: [],
      required_fixes: [],
      evidence: [{ file: 'docs/auth_final.md', line: 9, quote }],
    };
    factory.drop(`${JSON.stringify(report)}\n`, 'JUDGE_REPORT.json');
    await dog.until('waits for your _handoff/DECISION.json');
    return { factory, dog };
  };

  test('may have its page written after it', async () => {
    const { factory, dog } = await outside();
    factory.drop('# All is well\n', 'JUDGE_REPORT.md');
    await sleep(LOOKS);
    decide(factory, merging(dog));
    await dog.until(() => factory.isMerged());
    expect(factory.paper('archive/DOC-001/JUDGE_REPORT.md')).toBe('# All is well\n');
  });

  test('that says something else after it was read stops the line', async () => {
    const { factory, dog } = await outside();
    edit(factory, 'JUDGE_REPORT.json', (text) => text.replace('Fine.', 'Very fine.'));
    await dog.until(factory.isHalted);
    expect(factory.breaker()).toBe('contract_tampered');
    await resume(factory, 2);
    await dog.until(() => waitsAgain(dog.output()));
    decide(factory, merging(dog));
    await dog.until(() => factory.isMerged());
  });
});
