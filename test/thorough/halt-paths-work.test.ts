/** @module-tag thorough */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { attempt, briefs, expectAbandoned, haltedBy, merged, nextHalt, parentOf, take } from '../support/halts.ts';
import { FINAL, issue, judges, answerOnce, createReply, answerTimes, writes } from '../support/scenario.ts';
import { PATH, version, write } from '../support/versions.ts';

const versions = [answerOnce(write(1)), answerOnce(write(2)), answerOnce(write(3)), write(4)];
const refuses = judges('FAIL', { blocking_issues: [issue('four is wrong')] });
const main = (factory: Factory): string => factory.git('rev-parse', 'main');

describe('destructive_action', () => {
  const halted = () =>
    haltedBy('destructive_action', { scenario: { implementer: versions } }, { 'constraints.max_diff_size': 3 });

  test('path 1 lets exactly this tree pass; gates, review and judge still look at it', async () => {
    const line = await halted();
    await take(
      line,
      1,
      'Gates, review and judge still decide on it. A different change of this task over the limits halts again.',
    );
    await line.dog.until(() => line.factory.isMerged());
    expect(merged(line)).toEqual({ task: attempt(line, 1), byHuman: false });
    const called = (['implementer', 'reviewer', 'judge'] as const).map((who) => line.factory.calls(who).length);
    expect(called).toEqual([1, 1, 1]);
  });

  test('path 1 lets no other tree pass', async () => {
    const line = await haltedBy(
      'destructive_action',
      { scenario: { implementer: versions, judge: [refuses] } },
      { 'constraints.max_diff_size': 3 },
    );
    await take(line, 1, 'A different change of this task over the limits halts again.');
    expect(await nextHalt(line, 2)).toContain('destructive_action');
    expect(line.factory.calls('implementer')).toHaveLength(2);
  });

  test('path 2 starts from the target again, with the limit spelt out; the attempt stays', async () => {
    const line = await halted();
    const first = attempt(line, 1);
    await take(line, 2, 'The implementer starts again from the target branch and knows the limits.');
    await nextHalt(line, 2);
    expect(briefs(line)[1]).toContain('the limit is 3 (max_diff_size)');
    expect(parentOf(line, attempt(line, 2))).toBe(main(line.factory));
    expect(attempt(line, 1)).toBe(first);
  });
});

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

describe('stalled', () => {
  const nothing = createReply('', { does: ['empty'] });
  const failing = () => haltedBy('stalled', { scenario: { implementer: [nothing] } });
  const silent = createReply('', { does: ['silent'] });
  const LIMIT = { 'limits.timeout_minutes': 0.02 };

  test('path 1 after failures gives one more try, with the reason, and no second one', async () => {
    const line = await failing();
    await take(line, 1, 'one more try, and learns why the last one failed');
    expect(await nextHalt(line, 2)).toContain('stalled: implementer: 3 failures in a row');
    expect(briefs(line)).toHaveLength(3);
  });

  test('path 1 after a silence gives one more try within the same limit', async () => {
    const line = await haltedBy('stalled', { scenario: { implementer: [silent] } }, LIMIT);
    await take(line, 1, 'one more try');
    expect(await nextHalt(line, 2)).toContain('(stalled 2 times; 1 retry is allowed)');
    expect(briefs(line)).toHaveLength(2);
  });

  test('path 2 after a silence gives one more try with twice the time', async () => {
    const slow = createReply('', { does: ['silent'] });
    const line = await haltedBy(
      'stalled',
      { scenario: { implementer: [answerOnce(slow), { ...write(1), after_ms: 1700 }] } },
      LIMIT,
    );
    await take(line, 2, 'may be silent for 0.04 minutes instead of 0.02');
    await line.dog.until(() => line.factory.isMerged());
    expect(briefs(line)).toHaveLength(2);
  });
});

describe('budget', () => {
  const halted = () =>
    haltedBy('budget', { scenario: { implementer: versions, judge: [refuses] } }, { 'limits.budget': { usd: 0.02 } });

  test('path 1 raises the budget by the sum shown, once', async () => {
    const line = await halted();
    await take(line, 1, 'Allows $0.03 more for this task, once.');
    expect(await nextHalt(line, 2)).toContain('$0.0100 of $0.05 is left');
    expect(line.factory.calls('judge')).toHaveLength(2);
    expect((await line.factory.show('DOC-001')).cost_usd).toBeCloseTo(0.04);
  });
});

describe('scope', () => {
  const both = writes({ [PATH]: FINAL, 'README.md': 'mine now\n' });
  const third = writes({ [PATH]: FINAL, 'TODO.md': 'mine too\n' });

  test('path 1 widens the scope by exactly these files, and by no other', async () => {
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

  test('path 2 leaves the scope as it is, says so once more, and halts at the next try', async () => {
    const line = await haltedBy('scope', { scenario: { implementer: [both] } });
    await take(line, 2, 'The scope stays; the implementer is reminded to stay inside it.');
    expect(await nextHalt(line, 2)).toContain('scope: 3 answers wanted');
    expect(briefs(line)).toHaveLength(3);
    expect(briefs(line)[2]).toContain('You may not change README.md');
    expect(line.factory.read('README.md')).toBe('# Project A\n');
  });
});

describe('fault', () => {
  const halted = () =>
    haltedBy('fault', { projectConfig: { gates: [{ name: 'checks', run: `test ! -e ${PATH} || ./checks.sh` }] } });

  test('path 1 runs the same step again, not the implementer; unrepaired it halts again', async () => {
    const line = await halted();
    await take(line, 1, 'The same step runs once more.');
    expect(await nextHalt(line, 2)).toContain('fault');
    expect(briefs(line)).toHaveLength(1);
  });

  test('path 2 leaves everything as it is in git', async () => {
    const line = await halted();
    await take(line, 2, '(task/DOC-001, refs/andon/DOC-001/) stay in git. andon merges nothing.');
    await expectAbandoned(line, 1);
  });
});

describe('contract_tampered', () => {
  const EDITED = `Say it in Latin, as https://erik:${['hunter', '22a7'].join('')}@example.org says`;
  const halted = async () => {
    const judge = [answerOnce(judges('PASS', {}, { does: [{ touch: 'at' }, { 'wait-for': 'go' }] })), judges('PASS')];
    const factory = await aFactory({ scenario: { implementer: versions, judge } });
    const dog = await factory.watch();
    factory.drop(aContract());
    await dog.until(() => factory.signal.has('at'));
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

  test('path 1 takes the edited version and starts again from the target', async () => {
    const line = await halted();
    await take(line, 1, 'the task starts again from the target branch');
    await line.dog.until(() => line.factory.isMerged());
    expect(briefs(line)[1]).toContain('Say it in Latin');
    expect(line.factory.read(PATH)).toBe(version(2));
    expect(line.factory.paper('archive/DOC-001/TASK_CONTRACT.json')).toContain(EDITED); // as it was written
  });

  test('path 1 keeps what is said with it, and takes no other limits', async () => {
    const line = await halted();
    const resume = (...more: string[]) => line.factory.andon('resume', 'DOC-001', '--path', '1', ...more);
    const refused = await resume('--max-diff', '900');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('limits of the edited contract alone')]);
    expect((await resume('--say', 'Keep the links.', '--reason', 'a better text')).code).toBe(0);
    await line.dog.until(() => line.factory.isMerged());
    expect(briefs(line)[1]).toContain('Keep the links.');
    expect((await line.factory.andon('show', 'DOC-001')).stdout).toContain('because: a better text');
  });

  test("path 2 restores andon's version and goes on where it stood", async () => {
    const line = await halted();
    await take(line, 2, 'the task continues');
    await line.dog.until(() => line.factory.isMerged());
    expect(briefs(line)).toHaveLength(1);
    expect(line.factory.paper('archive/DOC-001/TASK_CONTRACT.json')).not.toContain('Say it in Latin');
    expect(merged(line)).toEqual({ task: attempt(line, 1), byHuman: false });
  });
});

describe('unavailable, the implementer', () => {
  const halted = async () => {
    const factory = await aFactory({ projectConfig: { hold: { leash_hours: 0 } } });
    const server = (runs: boolean): void => {
      const file = join(factory.folder, 'agents/scenario.json');
      writeFileSync(
        file,
        JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ollama_server: runs }),
      );
    };
    server(false);
    const { dog } = await factory.run(aContract());
    expect(factory.breaker()).toBe('unavailable');
    return { factory, dog, server };
  };

  test('path 1 tries the same call again; while it is out of reach the line halts again', async () => {
    const line = await halted();
    await take(line, 1, 'The call is repeated now');
    expect(await nextHalt(line, 2)).toContain('unavailable');
    line.server(true);
    await take(line, 1, 'The call is repeated now');
    await line.dog.until(() => line.factory.isMerged());
    expect((await line.factory.show('DOC-001')).attempt).toBe(1);
  });
});

describe('cord', () => {
  const halted = async () => {
    const slow = { ...write(1), does: [{ touch: 'at' }, { 'wait-for': 'go' }] };
    const factory = await aFactory({ scenario: { implementer: [answerOnce(slow), write(2)] } });
    const dog = await factory.watch();
    factory.drop(aContract());
    await dog.until(() => factory.signal.has('at'));
    expect((await factory.andon('halt', 'DOC-001', '--reason', 'wrong file')).code).toBe(0);
    await dog.until(factory.isHalted);
    return { factory, dog };
  };

  test('path 1 runs the step that was stopped again; that is no failure', async () => {
    const line = await halted();
    await take(line, 1, 'is paid for, but is no failure of its agent');
    await line.dog.until(() => line.factory.isMerged());
    expect(line.factory.read(PATH)).toBe(version(2));
    expect((await line.factory.show('DOC-001')).attempt).toBe(2);
    expect((await line.factory.show('DOC-001')).story.map(({ text }) => text).join('\n')).not.toContain('strike');
  });
});
