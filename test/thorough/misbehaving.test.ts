/** @module-tag thorough */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { judges, answerOnce, type Call } from '../support/scenario.ts';

/** A judge that does this once, and its work the next time. */
const aFactoryWhoseJudgeOnce = (does: readonly unknown[], more: Call = {}): Promise<Factory> =>
  aFactory({ apart: true, scenario: { judge: [answerOnce(judges('PASS', {}, { does, ...more })), judges('PASS')] } });

const judgeCalls = async (factory: Factory) =>
  (await factory.show('DOC-001')).calls.filter(({ station }) => station === 'judge');

/** The most memory that a process ever held, in megabytes. */
const mostMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

describe('a judge that cannot be used', () => {
  test('because it is logged out halts the line at once and says what to do', async () => {
    const factory = await aFactoryWhoseJudgeOnce(['not-logged-in']);
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('fault');
    expect((await factory.show('DOC-001')).halt?.reason).toMatch(/run `claude` once and log in/);
    expect(await judgeCalls(factory)).toHaveLength(1);
  });
});

describe('a judge that misbehaves', () => {
  test.each([
    ['prints nothing', ['empty'], /^empty: claude ended well with an empty answer/],
    ['prints 100 MB in one line', [{ megabytes: 100 }], /^unreadable: printed more than andon reads/],
    ['is killed by a signal', [{ signal: 'SIGKILL' }], /^crash: claude was ended from outside by SIGKILL/],
    ['ends with an exit code after a good report', [{ exit: 3 }], /^crash: .*exit code 3/],
  ] as const)('and %s is asked again, and the record says why', async (_, does, why) => {
    const factory = await aFactoryWhoseJudgeOnce(does);
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('merged');
    expect(await judgeCalls(factory)).toMatchObject([
      { ok: false, why: expect.stringMatching(why) as unknown },
      { ok: true },
    ]);
    if (existsSync('/proc')) expect(mostMemory(dog.pid)).toBeLessThan(250);
  });

  test('and spends more than is left of the budget is not asked again', async () => {
    const factory = await aFactoryWhoseJudgeOnce(['budget']);
    expect((await factory.run(aContract({ 'limits.cost_ceiling_usd': 0.5 }))).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('budget');
    expect(await judgeCalls(factory)).toMatchObject([
      { ok: false, why: expect.stringContaining('$0.5000') as unknown },
    ]);
  });
});

describe('a gate that misbehaves', () => {
  const gate = (run: string, more: object = {}): Promise<Factory> =>
    aFactory({ apart: true, projectConfig: { gates: [{ name: 'odd', run, ...more }] } });

  test.runIf(existsSync('/proc'))('and prints without end is red, and takes little memory', async () => {
    const factory = await gate('test ! -f docs/auth_final.md || yes');
    const { dog, status } = await factory.run(aContract({ 'limits.max_review_cycles': 1 }));
    expect(status).toBe('erik_consultation');
    expect(mostMemory(dog.pid)).toBeLessThan(300);
    expect(factory.merges()).toEqual([]);
  });

  test('and leaves a child that holds its output is not waited for, and the child is ended', async () => {
    const factory = await gate('setsid sleep 300 & echo fine');
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('merged');
    await eventually(() => factory.processes().every(({ pid }) => pid === dog.pid), 'only the daemon is left');
  });

  test('and prints what is no UTF-8 is judged by its exit code', async () => {
    const factory = await gate("printf 'a\\377b\\033[2J'");
    expect((await factory.run(aContract())).status).toBe('merged');
  });
});
