/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { briefs, expectAbandoned, haltedBy, nextHalt, take, type Halted } from '../support/halts.ts';
import { issue, judges, answerOnce } from '../support/scenario.ts';
import { PATH, version, write } from '../support/versions.ts';

const versions = [answerOnce(write(1)), answerOnce(write(2)), answerOnce(write(3)), answerOnce(write(4)), write(5)];
const refuses = judges('FAIL', { blocking_issues: [issue('four is wrong')] });

describe('rebuttal_limit', () => {
  const absent = judges('FAIL', { blocking_issues: [issue('the file is broken', { file: 'docs/nowhere.md' })] });
  const halted = () =>
    haltedBy('rebuttal_limit', { scenario: { implementer: versions, judge: [absent] } }, { 'limits.max_rebuttals': 0 });

  test("path 2 gives the judge's fixes to the implementer, and a further rebuttal halts again", async () => {
    const line = await halted();
    await take(line, 2, 'One more rebuttal halts again.');
    expect(await nextHalt(line, 2)).toBe(
      'rebuttal_limit: 2 rebuttals; 0 are allowed: the floor manager contradicts the judge',
    );
    expect(briefs(line)[1]).toContain('Put right: the file is broken');
    expect([line.factory.calls('implementer').length, line.factory.calls('judge').length]).toEqual([2, 2]);
  });
});

describe('review_cycle_limit', () => {
  const halted = () =>
    haltedBy(
      'review_cycle_limit',
      { scenario: { implementer: versions, judge: [refuses] } },
      { 'limits.max_review_cycles': 0 },
    );

  test('path 2 gives two more cycles, and no third', async () => {
    const line = await halted();
    await take(line, 2, 'The implementer gets two more rounds with the open findings.');
    expect(await nextHalt(line, 2)).toBe('review_cycle_limit: 3 review cycles used; 2 are allowed');
    expect(briefs(line)).toHaveLength(3);
    expect(briefs(line)[1]).toContain('Put right: four is wrong');
  });
});

describe('unreadable_report', () => {
  const unproven = judges('PASS', { evidence: [] });
  const halted = () => haltedBy('unreadable_report', { scenario: { judge: [unproven] } });

  test('path 1 asks the judge once more, and no second time', async () => {
    const line = await halted();
    await take(line, 1, 'The judge gets one more try.');
    expect(await nextHalt(line, 2)).toContain('unreadable_report: 4 reports could not be accepted');
    expect(line.factory.calls('judge')).toHaveLength(4);
  });
});

describe('merge_blocked', () => {
  const judge = [answerOnce(judges('PASS', {}, { does: [{ touch: 'at' }, { 'wait-for': 'go' }] })), judges('PASS')];
  const conflict = async (): Promise<Halted> => {
    const factory = await aFactory({ scenario: { judge, implementer: versions } });
    const dog = await factory.watch();
    factory.drop(aContract());
    await dog.until(() => factory.signal.has('at'));
    factory.write(PATH, 'Another document with the same name.\n');
    factory.git('add', '--all');
    factory.git('commit', '--quiet', '--message=By hand');
    factory.signal.give('go');
    expect([await factory.end(dog), factory.breaker()]).toEqual(['erik_consultation', 'merge_blocked']);
    return { factory, dog };
  };

  test('by a conflict: path 2 leaves the merge to you, and its command works', async () => {
    const line = await conflict();
    await take(line, 2, 'git merge task/DOC-001');
    await expectAbandoned(line, 1);
    expect(() => line.factory.git('merge', '--strategy-option=theirs', '--no-edit', 'task/DOC-001')).not.toThrow();
    expect(line.factory.read(PATH)).toBe(version(1));
  });
});
