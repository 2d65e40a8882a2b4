/** @module-tag thorough */
import { describeNextStep } from '../../src/line/words/describe-line.ts';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aHalt, choose } from '../support/answers.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { FINAL, writes } from '../support/scenario.ts';
import { aSlowGit } from '../support/slow-git.ts';

const waiting = writes({ 'docs/auth_final.md': FINAL }, { does: [{ touch: 'at' }, { 'wait-for': 'go' }] });
const TOO_LARGE = { 'constraints.max_diff_size': 3 };

describe('two at once', () => {
  test('a halt by command while a newer version is being admitted halts that version', async () => {
    const { factory, slowDown, speedUp, isCalled } = await aSlowGit({ scenario: { implementer: [waiting] } });
    const dog = await factory.begin(aContract(), 'at');
    factory.write('README.md', '# Project A, moved\n');
    factory.git('commit', '--quiet', '--all', '--message=Main moves');
    slowDown();
    factory.drop(aContract({ 'specification.requirements': ['the new version'] }));
    await dog.until(isCalled);
    const halted = factory.andon('halt', 'DOC-001', '--reason', 'stop this');
    speedUp();
    expect((await halted).code).toBe(0);
    await dog.until(() => factory.isHalted());
    factory.signal.give('go');
    expect([factory.breaker(), (await factory.show('DOC-001')).status]).toEqual(['cord', 'erik_consultation']);
    expect(factory.paper('TASK_CONTRACT.json.lock')).toContain('the new version');
  });

  test.each([1, 2] as const)(
    'DECISION.json for path 1 and a resume by command for path %i: one counts',
    async (path) => {
      const { factory, slowDown, speedUp, isCalled } = await aSlowGit();
      const { dog } = await factory.run(aContract(TOO_LARGE));
      factory.script({ reviewer: [{ reply: 'x', does: [{ touch: 'at' }, { 'wait-for': 'go' }] }] });
      factory.git('checkout', '--quiet', 'task/DOC-001');
      factory.write('docs/auth_final.md', 'Mine.\n');
      factory.git('commit', '--quiet', '--all', '--message=Mine');
      factory.git('checkout', '--quiet', 'main');
      slowDown();
      choose(factory, 1);
      await dog.until(isCalled);
      const command = factory.andon('resume', 'DOC-001', '--path', String(path), '--reason', 'no');
      speedUp();
      expect((await command).code).not.toBe(0);
      await dog.until(() => factory.signal.has('at'));
      expect([factory.isHalted(), factory.paper('ERIK_HALT.md')]).toEqual([false, undefined]);
      expect(factory.transitions().filter(({ event }) => event === 'resume')).toHaveLength(1);
    },
  );

  test('two commands without a watchdog: one counts, and the later one is told in words what it came to', async () => {
    const { factory, dog } = await aHalt();
    await dog.stop();
    const both = await Promise.all(['1', '2'].map((path) => factory.andon('resume', 'DOC-001', '--path', path)));
    const [late] = both.filter(({ code }) => code !== 0);
    expect(both.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(late?.stderr).toContain('DOC-001 is not halted');
    expect(factory.transitions().filter(({ event }) => event === 'resume')).toHaveLength(1);
  });

  test('two answers that take the edited contract admit it once', async () => {
    const silent = { reply: 'x', does: [{ touch: 'review' }, { 'wait-for': 'never' }] };
    const { factory, slowDown, speedUp, isCalled } = await aSlowGit({ scenario: { reviewer: [silent] } });
    const dog = await factory.begin(aContract(), 'review');
    factory.drop(aContract({ 'specification.requirements': ['the new version'] }));
    expect(await factory.end(dog)).toBe('erik_consultation');
    factory.script({ implementer: [waiting] });
    factory.write('README.md', '# Project A, moved\n');
    factory.git('commit', '--quiet', '--all', '--message=Main moves');
    const before = factory.calls('implementer').length;
    slowDown();
    choose(factory, 1);
    await dog.until(isCalled);
    const command = factory.andon('resume', 'DOC-001', '--path', '1');
    speedUp();
    const { code, stderr } = await command; // what main holds is asked before either counts, so either may be the one
    expect(code === 0 || stderr !== '').toBe(true); // who lost is told
    await dog.until(() => factory.signal.has('at'));
    expect(dog.output().match(/contract admitted: the new version/g)).toHaveLength(1);
    expect(factory.calls('implementer').length - before).toBe(1);
  });
});

describe('the next contract', () => {
  test('waits for a watchdog when a command without one ends a task', async () => {
    const factory = await aFactory({ scenario: { implementer: [waiting] } });
    const dog = await factory.begin(aContract(), 'at');
    await factory.andon('halt', 'DOC-001', '--reason', 'x');
    await dog.until(() => factory.isHalted());
    await dog.stop();
    factory.drop(aContract({ task_id: 'DOC-002' }), 'queue/DOC-002.json');
    const [, one = ''] = (factory.paper('ERIK_HALT.md') ?? '').split(/^### Path [12]: /m);
    const path = one.includes(describeNextStep({ to: 'abandoned' })) ? '1' : '2';
    const ended = await factory.andon('resume', 'DOC-001', '--path', path);
    expect([ended.code, ended.stderr, factory.has('_handoff/queue/DOC-002.json')]).toEqual([0, '', true]);
    expect((await factory.show('DOC-001')).status).toBe('abandoned');
  });

  test('is taken up when it is the one that was given up, dropped again while andon was down', async () => {
    const factory = await aFactory({ scenario: { implementer: [waiting] } });
    const dog = await factory.begin(aContract(), 'at');
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    await dog.until(() => factory.paper('TASK_CONTRACT.json') === undefined);
    await dog.stop();
    factory.signal.give('go');
    factory.drop(aContract());
    const again = await factory.watch();
    await again.until(() => factory.isMerged());
  });

  test('is not hidden by a dangling link in the queue', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    symlinkSync('/nowhere/x.json', join(factory.handoff, 'queue', 'other.json'));
    factory.drop(aContract(), 'queue/DOC-001.json');
    await dog.until(() => factory.isMerged());
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes('queue/other.json'));
  });
});
