/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { briefs, expectAbandoned, haltedBy, nextHalt, take } from '../support/halts.ts';
import {
  FINAL,
  issue,
  judges,
  answerOnce,
  createReply,
  answerTimes,
  writes,
  type Stations,
} from '../support/scenario.ts';
import { PATH, version, write } from '../support/versions.ts';

const versions = [answerOnce(write(1)), answerOnce(write(2)), answerOnce(write(3)), answerOnce(write(4)), write(5)];
const refuses = judges('FAIL', { blocking_issues: [issue('four is wrong')] });
const absent = judges('FAIL', { blocking_issues: [issue('the file is broken', { file: 'docs/nowhere.md' })] });

/** A halt, the path that grants something, and the halt that follows when it is used up. */
interface Granted {
  readonly breaker: string;
  readonly scenario: Stations;
  readonly contract?: object;
  readonly path: 1 | 2;
  readonly promise: string;
  readonly next: string;
  /** In the second prompt of the implementer. */
  readonly told?: string;
  readonly calls: { readonly implementer: number; readonly judge: number };
}
const GRANTED: readonly Granted[] = [
  {
    breaker: 'destructive_action',
    scenario: { implementer: versions, judge: [refuses] },
    contract: { 'constraints.max_diff_size': 3 },
    path: 1,
    promise: 'A different change of this task over the limits halts again.',
    next: 'destructive_action: ',
    told: 'Put right: four is wrong',
    calls: { implementer: 2, judge: 1 },
  },
  {
    breaker: 'stalled',
    scenario: { implementer: [createReply('', { does: ['empty'] })] },
    path: 1,
    promise: 'one more try, and learns why the last one failed',
    next: 'stalled: implementer: 3 failures in a row',
    calls: { implementer: 3, judge: 0 },
  },
  {
    breaker: 'rebuttal_limit',
    scenario: { implementer: versions, judge: [absent] },
    contract: { 'limits.max_rebuttals': 0 },
    path: 2,
    promise: 'One more rebuttal halts again.',
    next: 'rebuttal_limit: 2 rebuttals, more than the 0 allowed: the floor manager contradicts the judge',
    told: 'Put right: the file is broken',
    calls: { implementer: 2, judge: 2 },
  },
  {
    breaker: 'review_cycle_limit',
    scenario: { implementer: versions, judge: [refuses] },
    contract: { 'limits.max_review_cycles': 0 },
    path: 2,
    promise: 'The implementer gets two more rounds with the open findings.',
    next: 'review_cycle_limit: 3 review cycles, more than the 2 allowed',
    told: 'Put right: four is wrong',
    calls: { implementer: 3, judge: 3 },
  },
  {
    breaker: 'unreadable_report',
    scenario: { judge: [judges('PASS', { evidence: [] })] },
    path: 1,
    promise: 'The judge gets one more try.',
    next: 'unreadable_report: 4 reports could not be accepted',
    calls: { implementer: 1, judge: 4 },
  },
];

test.each(GRANTED)(
  'path $path of $breaker grants what it promises, and the line halts again when that is used up',
  async ({ breaker, scenario, contract, path, promise, next, told = '', calls }) => {
    const line = await haltedBy(breaker, { scenario }, contract);
    await take(line, path, promise);
    expect(await nextHalt(line, 2)).toContain(next);
    expect(briefs(line).at(1) ?? '').toContain(told);
    const called = { implementer: briefs(line).length, judge: line.factory.calls('judge').length };
    expect(called).toEqual(calls);
  },
);

describe('destructive_action after four answers that cut a file', () => {
  const LONG = 'A line of the guide.\n'.repeat(60);
  const halted = () =>
    haltedBy(
      'destructive_action',
      { files: { [PATH]: LONG }, scenario: { implementer: [writes({ [PATH]: FINAL })] } },
      { 'breaker.max_delete_ratio': 1 },
    );

  test('path 1 lets the file lose most of its lines', async () => {
    const line = await halted();
    expect(line.factory.paper('ERIK_HALT.md')).toContain('**andon, about the last answer**: ');
    expect(briefs(line)[0]).toContain('no file of 10 lines or more may lose more than half of them');
    await take(line, 1, 'as if the contract had allow_shrink');
    await line.dog.until(() => line.factory.isMerged());
    expect(line.factory.read(PATH)).toBe(FINAL);
    expect(briefs(line)[4]).not.toContain('no file of 10 lines or more may lose more than half of them');
  });

  test('path 2 asks once more, is suggested, and halts again at the same answer', async () => {
    const line = await halted();
    await take(line, 2, 'andon suggests this path: the limits of the contract still hold');
    expect(await nextHalt(line, 2)).toContain('cuts more than half of a file');
    expect(briefs(line)[4]).toContain('No file of 10 lines or more may lose more than half of them');
  });
});

test('path 2 of stalled gives one more try with twice the time after a silence', async () => {
  const slow = createReply('', { does: ['silent'] });
  const line = await haltedBy(
    'stalled',
    { scenario: { implementer: [answerOnce(slow), { ...write(1), after_ms: 1700 }] } },
    { 'limits.timeout_minutes': 0.02 },
  );
  await take(line, 2, 'may be silent for 0.04 minutes instead of 0.02');
  await line.dog.until(() => line.factory.isMerged());
  expect(briefs(line)).toHaveLength(2);
});

test('path 1 of scope widens it by exactly these files, and by no other', async () => {
  const both = writes({ [PATH]: FINAL, 'README.md': 'mine now\n' });
  const third = writes({ [PATH]: FINAL, 'TODO.md': 'mine too\n' });
  const line = await haltedBy('scope', {
    scenario: { implementer: [answerTimes(2, both), answerOnce(third), both] },
  });
  await take(line, 1, 'The implementer may change README.md as well');
  expect(await nextHalt(line, 2)).toContain('TODO.md');
  await take(line, 2, 'The scope stays');
  await line.dog.until(() => line.factory.isMerged());
  expect(line.factory.read('README.md')).toBe('mine now\n');
  expect(line.factory.read('TODO.md')).not.toContain('mine too');
});

test('path 2 of merge_blocked by a conflict leaves the merge to you, and its command works', async () => {
  const judge = [answerOnce(judges('PASS', {}, { does: [{ touch: 'at' }, { 'wait-for': 'go' }] })), judges('PASS')];
  const factory = await aFactory({ scenario: { judge, implementer: versions } });
  const dog = await factory.begin(aContract(), 'at');
  factory.write(PATH, 'Another document with the same name.\n');
  factory.git('add', '--all');
  factory.git('commit', '--quiet', '--message=By hand');
  factory.signal.give('go');
  expect([await factory.end(dog), factory.breaker()]).toEqual(['erik_consultation', 'merge_blocked']);
  await take({ factory, dog }, 2, 'git merge task/DOC-001');
  await expectAbandoned({ factory, dog }, 1);
  expect(() => factory.git('merge', '--strategy-option=theirs', '--no-edit', 'task/DOC-001')).not.toThrow();
  expect(factory.read(PATH)).toBe(version(1));
});

describe('contract_tampered', () => {
  const EDITED = `Say it in Latin, as https://erik:${['hunter', '22a7'].join('')}@example.org says`;
  const halted = async () => {
    const judge = [answerOnce(judges('PASS', {}, { does: [{ touch: 'at' }, { 'wait-for': 'go' }] })), judges('PASS')];
    const factory = await aFactory({ scenario: { implementer: versions, judge } });
    const dog = await factory.begin(aContract(), 'at');
    const file = join(factory.handoff, 'TASK_CONTRACT.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Merge both documents into one', EDITED));
    expect([await factory.end(dog), factory.breaker()]).toEqual(['erik_consultation', 'contract_tampered']);
    factory.signal.give('go');
    return { factory, dog };
  };

  test('is shown by the lines that differ; both versions are kept whole', async () => {
    const { factory } = await halted();
    const report = factory.paper('ERIK_HALT.md') ?? '';
    const conflict = report.slice(report.indexOf('## The Conflict'), report.indexOf('## The State'));
    expect(conflict).toContain('Say it in Latin');
    expect(conflict).toContain('Merge both documents into one');
    const kept = [...conflict.matchAll(/^Full text: `_handoff\/(\S+)`$/gm)].map(([, name = '']) => factory.paper(name));
    expect(kept.map((text) => text?.includes('Say it in Latin'))).toEqual([true, false]);
    expect(kept[1]).toContain('"requirements"');
    expect(report).toContain('https://erik:***@example.org');
  });

  test('path 1 keeps what is said with it, and takes no other limits', async () => {
    const line = await halted();
    const resume = (...more: string[]) => line.factory.andon('resume', 'DOC-001', '--path', '1', ...more);
    const refused = await resume('--max-diff-size', '900');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('limits of the edited contract alone')]);
    expect((await resume('--say', 'Keep the links.', '--reason', 'a better text')).code).toBe(0);
    await line.dog.until(() => line.factory.isMerged());
    expect(briefs(line)[1]).toContain('Keep the links.');
    expect(line.factory.paper('archive/DOC-001/TASK_CONTRACT.json')).toContain(EDITED); // as it was written
    expect((await line.factory.andon('show', 'DOC-001')).stdout).toContain('because: a better text');
  });
});
