/** @module-tag thorough */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { attempt, briefs, expectAbandoned, haltedBy, merged, nextHalt, take, type Halted } from '../support/halts.ts';
import { FINAL, issue, judges, answerOnce, reviewPasses, answerTimes } from '../support/scenario.ts';
import { PATH, version, write } from '../support/versions.ts';

const versions = [answerOnce(write(1)), answerOnce(write(2)), answerOnce(write(3)), answerOnce(write(4)), write(5)];
const refuses = judges('FAIL', { blocking_issues: [issue('four is wrong')] });

describe('rebuttal_limit', () => {
  const absent = judges('FAIL', { blocking_issues: [issue('the file is broken', { file: 'docs/nowhere.md' })] });
  const halted = () =>
    haltedBy('rebuttal_limit', { scenario: { implementer: versions, judge: [absent] } }, { 'limits.max_rebuttals': 0 });

  test('path 1 merges exactly the judged tree, in the name of a human', async () => {
    const line = await halted();
    await take(line, 1, 'The judged change is merged although the judge said no.');
    await line.dog.until(() => line.factory.isMerged());
    expect(merged(line)).toEqual({ task: attempt(line, 1), byHuman: true });
    expect([line.factory.calls('implementer').length, line.factory.calls('judge').length]).toEqual([1, 1]);
  });

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

describe('paradox', () => {
  const flaw = (critical: boolean) =>
    reviewPasses({
      structured: {
        verdict: critical ? 'FAIL' : 'PASS',
        critical_security_flaw: critical,
        findings: critical
          ? [
              {
                severity: 'critical',
                category: 'security',
                file: PATH,
                line: 5,
                description: 'A password',
                evidence: '',
              },
            ]
          : [],
      },
    });
  const halted = () =>
    haltedBy('paradox', { scenario: { implementer: versions, reviewer: [answerOnce(flaw(true)), flaw(false)] } });

  test('path 1 gives the flaw to the implementer', async () => {
    const line = await halted();
    await take(line, 1, 'The flaw goes back to the implementer as a required fix.');
    await line.dog.until(() => line.factory.isMerged());
    expect(briefs(line)[1]).toContain('A password');
    expect(merged(line)).toEqual({ task: attempt(line, 2), byHuman: false });
  });

  test('path 2, confirmed, merges exactly the judged tree in the name of a human', async () => {
    const line = await halted();
    await take(line, 2, 'The judged change is merged, and this finding is ignored.', '--confirm', 'DOC-001');
    await line.dog.until(() => line.factory.isMerged());
    expect(merged(line)).toEqual({ task: attempt(line, 1), byHuman: true });
  });
});

describe('gpt_energy', () => {
  const nit = (description: string) => issue(description, { category: 'style' });
  const taste = (...words: readonly string[]) => judges('FAIL', { blocking_issues: words.map(nit) });
  const judge = [
    answerOnce(taste('Rename the heading to something more descriptive', 'Prefer sentence case here')),
    answerOnce(taste('The wording could be nicer', 'A blank line is missing')),
    taste('Use a dash here', 'Indent the list by two spaces'),
  ];
  const halted = () => haltedBy('gpt_energy', { scenario: { implementer: versions, judge } });

  test('path 1 merges exactly the judged tree and keeps the findings in the archive', async () => {
    const line = await halted();
    await take(line, 1, 'the findings are kept as notes in the archive');
    await line.dog.until(() => line.factory.isMerged());
    expect(merged(line)).toEqual({ task: attempt(line, 2), byHuman: true });
    expect(line.factory.paper('archive/DOC-001/JUDGE_REPORT.md')).toContain('The wording could be nicer');
  });

  test('path 2 gives one more round; the next one of taste alone halts again', async () => {
    const line = await halted();
    await take(line, 2, 'The next round of taste alone halts the task again');
    expect(await nextHalt(line, 2)).toContain('gpt_energy: the judge blocks on 2 matters of taste');
    expect(briefs(line)[2]).toContain('The wording could be nicer');
    expect(line.factory.calls('judge')).toHaveLength(3);
  });
});

describe('review_cycle_limit', () => {
  const halted = () =>
    haltedBy(
      'review_cycle_limit',
      { scenario: { implementer: versions, judge: [refuses] } },
      { 'limits.max_review_cycles': 0 },
    );

  test('path 1 merges the last judged tree', async () => {
    const line = await halted();
    await take(line, 1, 'Its findings are kept as notes.');
    await line.dog.until(() => line.factory.isMerged());
    expect(merged(line)).toEqual({ task: attempt(line, 1), byHuman: true });
  });

  test('path 2 gives two more cycles, and no third', async () => {
    const line = await halted();
    await take(line, 2, 'The implementer gets two more rounds with the open findings.');
    expect(await nextHalt(line, 2)).toBe('review_cycle_limit: 3 review cycles; 2 are allowed');
    expect(briefs(line)).toHaveLength(3);
    expect(briefs(line)[1]).toContain('Put right: four is wrong');
  });

  describe('where no tree was judged', () => {
    const red = () =>
      haltedBy(
        'review_cycle_limit',
        {
          scenario: { implementer: versions },
          projectConfig: { gates: [{ name: 'no', run: 'test ! -e docs/auth_final.md' }] },
        },
        { 'limits.max_review_cycles': 0 },
      );

    test('path 1 gives two more cycles, and no third', async () => {
      const line = await red();
      await take(line, 1, 'The implementer gets two more rounds with the open findings.');
      expect(await nextHalt(line, 2)).toBe('review_cycle_limit: 3 review cycles; 2 are allowed; red: no');
      expect(line.factory.calls('judge')).toEqual([]);
    });

    test('path 2 ends the task', async () => {
      const line = await red();
      await take(line, 2, 'No change of this round was judged, so none could be merged.');
      await expectAbandoned(line, 1);
    });
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

  test('path 2 waits for a human to judge, held to the same proofs', async () => {
    const line = await halted();
    await take(line, 2, 'A human or another tool renames it to');
    await judgeByHand(line);
    expect(line.factory.calls('judge')).toHaveLength(3);
    expect(merged(line)).toEqual({ task: attempt(line, 1), byHuman: false });
  });
});

describe('judge_halt', () => {
  const stops = judges('CRITICAL_HALT', { summary: 'This leaks keys.', blocking_issues: [issue('the keys')] });
  const halted = () =>
    haltedBy('judge_halt', { scenario: { implementer: versions, judge: [answerOnce(stops), judges('PASS')] } });

  test('path 1 gives what the judge names to the implementer', async () => {
    const line = await halted();
    await take(line, 1, 'The implementer gets what the judge says below as required fixes.');
    await line.dog.until(() => line.factory.isMerged());
    expect(briefs(line)[1]).toMatch(/Required by the judge: [^]*the keys/);
    expect(merged(line)).toEqual({ task: attempt(line, 2), byHuman: false });
  });

  test('path 2 ends the task; nothing is merged and everything stays in git', async () => {
    const line = await halted();
    await take(line, 2, 'so that you can look at them. andon merges nothing.');
    await expectAbandoned(line, 1);
  });
});

describe('unavailable, the judge', () => {
  const limited = {
    does: [{ 'usage-limit': { text: 'resets', resets_at: Math.floor(Date.now() / 1000) + 3 * 86_400 } }],
  };
  const halted = () => haltedBy('unavailable', { scenario: { judge: [answerTimes(1, limited), judges('PASS')] } });

  test('path 1 asks the same judge again', async () => {
    const line = await halted();
    await take(line, 1, 'The call is repeated now');
    await line.dog.until(() => line.factory.isMerged());
    expect(line.factory.calls('implementer')).toHaveLength(1);
    expect(merged(line)).toEqual({ task: attempt(line, 1), byHuman: false });
  });

  test('path 2 lets somebody else judge', async () => {
    const line = await halted();
    await take(line, 2, 'A human or another tool renames it to');
    await judgeByHand(line);
    expect(line.factory.calls('judge')).toHaveLength(1);
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

  test('by a conflict: path 1 makes the change again on the target as it is now', async () => {
    const line = await conflict();
    const moved = line.factory.git('rev-parse', 'main');
    const first = attempt(line, 1);
    await take(line, 1, 'The implementer starts again from the current target branch.');
    await line.dog.until(() => line.factory.isMerged());
    expect(line.factory.git('rev-parse', `${attempt(line, 2)}^`)).toBe(moved);
    expect(attempt(line, 1)).toBe(first);
    expect(line.factory.read(PATH)).toBe(version(2));
  });

  test('by a conflict: path 2 leaves the merge to you, and its command works', async () => {
    const line = await conflict();
    await take(line, 2, 'git merge task/DOC-001');
    await expectAbandoned(line, 1);
    expect(() => line.factory.git('merge', '--strategy-option=theirs', '--no-edit', 'task/DOC-001')).not.toThrow();
    expect(line.factory.read(PATH)).toBe(version(1));
  });

  test('by your own edits: path 1 merges once they are gone, and halts again while they are there', async () => {
    const factory = await aFactory();
    factory.write(PATH, 'my own unfinished version\n');
    const { dog } = await factory.run(aContract());
    const line = { factory, dog };
    await take(line, 1, 'The judged tree is merged if that is clean now; otherwise it halts again.');
    expect(await nextHalt(line, 2)).toContain('merge_blocked');
    expect(factory.read(PATH)).toBe('my own unfinished version\n');
    factory.git('stash', '--quiet', '--include-untracked', '--', 'docs');
    await take(line, 1, 'The judged tree is merged');
    await dog.until(() => factory.isMerged());
    expect(factory.read(PATH)).toBe(FINAL);
    expect(factory.calls('judge')).toHaveLength(1);
  });
});

/** A human takes the request, reads, and writes a report. */
async function judgeByHand({ factory, dog }: Halted): Promise<void> {
  await dog.until(() => factory.paper('REVIEW_REQUEST.md') !== undefined);
  renameSync(join(factory.handoff, 'REVIEW_REQUEST.md'), join(factory.handoff, 'REVIEW_IN_PROGRESS.md'));
  const evidence = [{ file: PATH, line: 9, quote: 'A token is valid for 15 minutes' }];
  const read = { verdict: 'PASS', summary: 'Read by a human', blocking_issues: [], required_fixes: [], evidence };
  factory.drop({ task_id: 'DOC-001', ...read }, 'JUDGE_REPORT.json');
  await dog.until(() => factory.isMerged());
}
