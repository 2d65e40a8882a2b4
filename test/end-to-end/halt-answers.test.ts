import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aHalt, answer, choose, decide, editReport } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, writes } from '../support/scenario.ts';
import { PATH, resume } from '../support/versions.ts';

test('a halt: status says why and what to type, resume names it in its hints, and its report is not read', async () => {
  const { factory, dog, id } = await aHalt();
  const { stdout } = await factory.andon('status');
  const commands = ['path 1', 'path 2', 'andon resume DOC-001', '--halt DOC-001-1'];
  for (const part of ['erik_consultation', 'destructive_action', ...commands]) expect(stdout).toContain(part);
  const { halt } = await factory.show('DOC-001');
  expect(halt).toMatchObject({ breaker: 'destructive_action' });
  expect(stdout.split(halt?.reason ?? '').length, 'the reason is shown once').toBe(2);

  const hint = `andon resume DOC-001 --path 1 --halt ${id}  # or --path 2`;
  for (const flags of [[], ['--path', '3'], ['--decision', 'me'], ['--path', '1', '--decision', 'claude']]) {
    const { code, stderr } = await factory.andon('resume', 'DOC-001', ...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(hint)]);
  }
  const { code, stderr } = await factory.andon('show', 'DOC-001', '--prompt', 'abc');
  expect(code).toBe(2);
  expect(stderr).toContain('Invalid value: --prompt abc');
  expect(stderr).toContain('a whole number from 1 to 1');
  expect((await factory.andon('show', 'DOC-001')).stdout).toMatch(/^ {2}1 call, /m);

  expect(factory.paper('ERIK_HALT.md')).toContain('Editing this report has no effect');
  editReport(factory, (text) => `${text.replaceAll('DOC-001-1', 'DOC-001-2')}\n- [x] Take path 2\n`);
  await resume(factory, 1);
  expect((await factory.andon('resume', 'DOC-001')).stderr).toContain('DOC-001 is not halted');
  await dog.until(() => factory.isMerged());
  expect(dog.output()).not.toContain('does not count');
});

test('a DECISION.json that lay there before the halt does not count', { tags: 'thorough' }, async () => {
  const factory = await aFactory({
    scenario: { implementer: [{ ...writes({ [PATH]: FINAL }), does: [{ touch: 'at' }, { 'wait-for': 'go' }] }] },
  });
  const dog = await factory.begin(aContract({ 'constraints.max_diff_size': 3 }), 'at');
  decide(factory, { task_id: 'DOC-001', halt: 'DOC-001-1', path: 1 });
  factory.signal.give('go');
  await dog.until('it names no nonce, so it may have lain there before the halt');
  expect(dog.output()).toContain('copy the JSON that _handoff/ERIK_HALT.md shows');
  expect(factory.merges()).toEqual([]);
  decide(factory, answer(factory));
  await dog.until(() => factory.isMerged());
});

describe('an answer that does not count', { tags: 'thorough' }, () => {
  test('a refusal names the halt that stands in the command to type next', async () => {
    const { factory, dog, id } = await aHalt();
    decide(factory, answer(factory, { halt: 'DOC-001-99' }));
    await dog.until(`the current one is ${id}; read _handoff/ERIK_HALT.md again, then: andon resume DOC-001`);
    expect(dog.output()).toContain(`--path 1 --halt ${id}  # or --path 2`);
  });
});

describe('a DECISION.json about a task that has ended', { tags: 'thorough' }, () => {
  test('is told so without a task on the line, and again at the halt of the next one', async () => {
    const { factory, dog } = await aHalt();
    const late = answer(factory);
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    decide(factory, late);
    const why = '_handoff/DECISION.json does not count: it is about DOC-001, which is abandoned';
    await dog.until(why);
    const idle = '_handoff/DECISION.json has no effect now: no task DOC-001 is on the line';
    expect((await factory.andon('status')).stdout).toContain(idle);
    factory.drop(aContract({ task_id: 'DOC-002', 'constraints.max_diff_size': 3 }));
    expect(await factory.end(dog, 'DOC-002')).toBe('erik_consultation');
    await dog.until(() => dog.output().split(why).length === 3);
    expect((await factory.andon('status')).stdout).toContain(idle);
    expect((await factory.andon('status')).stdout).not.toContain(why);
  });

  test('is told so while the next one runs', async () => {
    const { factory, dog } = await aHalt();
    const late = answer(factory);
    await resume(factory, 2, '--reason', 'no');
    await factory.andon('abandon', 'DOC-001');
    factory.script({ implementer: [{ reply: 'x', does: [{ touch: 'at' }, 'silent'] }] });
    factory.drop(aContract({ task_id: 'DOC-002' }));
    await dog.until(() => factory.signal.has('at'));
    decide(factory, late);
    await dog.until('_handoff/DECISION.json does not count: it is about DOC-001, which is abandoned');
  });
});

describe('a paper that a path would overwrite', { tags: 'thorough' }, () => {
  test('is named before anybody chooses: the edited lock, and a contract beside it', async () => {
    const { factory, dog } = await aHalt();
    const lock = join(factory.handoff, 'TASK_CONTRACT.json.lock');
    const whole = factory.paper('TASK_CONTRACT.json.lock') ?? '';
    const why = '_handoff/TASK_CONTRACT.json.lock was edited during the halt';
    expect((await factory.andon('status')).stdout).not.toContain('was edited');
    writeFileSync(lock, whole.replace('Merge', 'Do not merge'));
    expect((await factory.andon('status')).stdout).toContain(why);
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).stderr).toContain(why);
    expect(factory.isHalted()).toBe(true);
    writeFileSync(lock, whole);
    expect((await factory.andon('status')).stdout).not.toContain('was edited');

    factory.drop(aContract({ 'constraints.max_diff_size': 4000 }));
    expect((await factory.andon('status')).stdout).toContain('_handoff/TASK_CONTRACT.json was edited');
    rmSync(join(factory.handoff, 'TASK_CONTRACT.json'));
    choose(factory, 1);
    await dog.until(() => factory.isMerged());
  });
});
