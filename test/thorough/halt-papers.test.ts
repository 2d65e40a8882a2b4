/** @module-tag thorough */
import { describeNextStep } from '../../src/line/words/describe-line.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { judges } from '../support/scenario.ts';
import { aHalt, answer, choose, decide, headOf } from '../support/answers.ts';

describe('the papers of a halt', () => {
  test.each(['ERIK_HALT.md', 'TASK_CONTRACT.json.lock'])('%s is written again when it is deleted', async (name) => {
    const { factory, dog } = await aHalt();
    const whole = factory.paper(name);
    rmSync(join(factory.handoff, name));
    await dog.until(() => factory.paper(name) === whole);
    await dog.until(`_handoff/${name} was missing; it is written again`);
    await dog.stop();
    rmSync(join(factory.handoff, name));
    const again = await factory.watch();
    await again.until(() => factory.paper(name) === whole);
    choose(factory, 1);
    await again.until(() => factory.isMerged());
  });
});

describe('a lock that andon did not write', () => {
  test.each([
    ['names no task', '{"task_id":"OLD"}\n'],
    ['is no JSON', 'halted by hand\n'],
    ['is empty', ''],
    ['is the contract of another task', JSON.stringify(aContract({ task_id: 'OLD-001' }))],
  ])('is kept in the archive when a task halts: it %s', async (_, older) => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(older, 'TASK_CONTRACT.json.lock');
    factory.drop(aContract({ 'constraints.max_diff_size': 3 }));
    await dog.until(() => factory.isHalted() && factory.paper('TASK_CONTRACT.json.lock')?.includes('DOC-001') === true);
    expect(factory.paper('archive/DOC-001/foreign.TASK_CONTRACT.json.lock')).toBe(older);
    expect(dog.output()).toContain(
      '_handoff/TASK_CONTRACT.json.lock is not the lock of DOC-001; it is kept as _handoff/archive/DOC-001/foreign.TASK_CONTRACT.json.lock',
    );
  });

  test('is kept with its report at a start, under a name that is free', async () => {
    const factory = await aFactory();
    for (const [text, prefix] of [
      ['first', ''],
      ['second', '2.'],
    ]) {
      factory.drop(`the report of the ${text}`, 'ERIK_HALT.md');
      factory.drop(text ?? '', 'TASK_CONTRACT.json.lock');
      const dog = await factory.watch();
      const kept = `archive/unknown/${prefix}TASK_CONTRACT.json.lock`;
      await dog.until(`_handoff/TASK_CONTRACT.json.lock is no contract; it is kept as _handoff/${kept}`);
      expect(factory.paper(kept)).toBe(text);
      expect(factory.paper(`archive/unknown/${prefix}ERIK_HALT.md`)).toBe(`the report of the ${text}`);
      await dog.stop();
    }
    expect((await factory.andon('status')).stdout).not.toContain('does not know');
  });
});

describe('an answer through the folder that does not count', () => {
  test('is told by status and logs while the halt stands, once', async () => {
    const { factory, dog } = await aHalt();
    decide(factory, answer(factory, { halt: 'DOC-001-99' }));
    await dog.until('_handoff/DECISION.json does not count');
    const why = '_handoff/DECISION.json does not count: that answer was given for halt DOC-001-99';
    expect((await factory.andon('status')).stdout).toContain(why);
    expect(JSON.parse((await factory.andon('status', '--json')).stdout)).toMatchObject({
      task: { halt: { refused: expect.stringContaining(why) } },
    });
    decide(factory, { ...answer(factory, { halt: 'DOC-001-99' }), reason: 'again' });
    await dog.until(() => dog.output().split(why).length === 3);
    expect((await factory.andon('logs')).stdout.split(why)).toHaveLength(2);
    decide(factory, answer(factory));
    await dog.until(() => factory.isMerged());
    expect((await factory.andon('show', 'DOC-001', '--json')).stdout).not.toContain('"refused":');
  });
});

test('a path that ends the task says so, and its papers go to the archive also without a daemon', async () => {
  const factory = await aFactory({ scenario: { judge: [judges('CRITICAL_HALT')] } });
  const { dog } = await factory.run(aContract());
  expect(factory.breaker()).toBe('judge_halt');
  await dog.stop();
  const [, one = ''] = (factory.paper('ERIK_HALT.md') ?? '').split(/^### Path [12]: /m);
  const path = one.includes(describeNextStep({ to: 'abandoned' })) ? '1' : '2';
  const halt = headOf(factory, 'halt');
  const { stdout } = await factory.andon('resume', 'DOC-001', '--path', path, '--confirm', 'DOC-001', '--reason', 'no');
  expect(stdout).toBe('DOC-001 is abandoned.\n');
  expect(factory.paper('ERIK_HALT.md')).toBeUndefined();
  expect(factory.paper(`archive/DOC-001/${halt}.ERIK_HALT.md`)).toMatch(
    new RegExp(
      `^# .+\n\n> Answered with path ${path} by .+\\. What came then: \`andon show DOC-001\`\\. The report as it was:\n`,
    ),
  );
});
