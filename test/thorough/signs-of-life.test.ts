/** @module-tag thorough */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { FINAL, judges, answerOnce, createReply, writes, type Call, type Stations } from '../support/scenario.ts';

/** A little over a second of silence; five seconds in all. */
const LIMITS = { 'limits.timeout_minutes': 0.02, 'limits.hard_limit_minutes': 0.08 };
const WORK = writes({ 'docs/auth_final.md': FINAL });

async function halted(scenario: Stations, limits: object = LIMITS): Promise<{ factory: Factory; report: string }> {
  const factory = await aFactory({ scenario });
  const { status } = await factory.run(aContract({ ...limits }));
  expect([status, factory.breaker()]).toEqual(['erik_consultation', 'stalled']);
  return { factory, report: (factory.paper('STALL_REPORT.md') ?? '').replaceAll('\\', '') };
}

describe('an agent that prints nothing', () => {
  test('and does nothing is ended at the stall limit; the report says what was last seen of it, and when', async () => {
    const { report } = await halted({ implementer: [createReply('', { does: ['silent'] })] });
    expect(report).toMatch(/no sign of life for too long, ended after \d+ s; the last sign of life was .+, at 20\d\d-/);
  });

  test.each([
    ['but uses CPU time', 'busy', /the last sign of life was \d+\.\d s of CPU time, at 20\d\d-/],
    ['but writes files', 'writes', /the last sign of life was (?:a file changed in its folder|\d.+), at 20\d\d-/],
  ])('%s is left alone up to the hard limit, and no longer', async (_, does, sign) => {
    const { report, factory } = await halted({ implementer: [createReply('', { does: ['silent', does] })] });
    expect(report).toMatch(/still running at the hard limit, ended after (?:[4-9]|1\d) s/);
    expect(report).toMatch(sign);
    expect(factory.calls('implementer')).toHaveLength(1);
  });

  test('for longer than the stall limit, but computes, is waited for: its answer counts', async () => {
    const slow: Call = { ...WORK, after_ms: 3500, does: ['busy'] };
    const factory = await aFactory({ scenario: { implementer: [slow] } });
    expect((await factory.run(aContract({ 'limits.timeout_minutes': 0.02 }))).status).toBe('merged');
    expect((await factory.show('DOC-001')).attempt).toBe(1);
  });

  test('twice, where a contract allows one stall: the report holds both attempts and the ways on', async () => {
    const { report } = await halted(
      {
        implementer: [answerOnce(createReply('', { does: ['silent'] })), createReply('', { does: ['silent', 'busy'] })],
      },
      { ...LIMITS, 'limits.max_stalls': 1 },
    );
    expect(report).toMatch(/^1\. implementer, stall: no sign of life/m);
    expect(report).toMatch(/^2\. implementer, stall: still running at the hard limit/m);
    expect(report).toContain('## Alternatives');
  });
});

describe('a server that works while `ollama run` says nothing', () => {
  const slow: Call = { ...WORK, after_ms: 4000 };
  test('is waited for as long as `ollama ps` lists the model, up to the hard limit', async () => {
    const factory = await aFactory({ scenario: { implementer: [slow] } });
    expect((await factory.run(aContract({ 'limits.timeout_minutes': 0.02 }))).status).toBe('merged');
    expect(factory.calls('implementer')).toHaveLength(1);

    const { report } = await halted({ implementer: [createReply('', { after_ms: 60_000 })] });
    expect(report).toContain('still running at the hard limit');
    expect(report).toContain('the last sign of life was `ollama ps`, which lists qwen2.5-coder, at 20');
  });
});

describe('a machine that sleeps', () => {
  const LIMIT = { 'limits.timeout_minutes': 0.05 }; // three seconds
  const waits = { judge: [judges('PASS', {}, { does: [{ touch: 'at' }, { 'wait-for': 'go' }] })] };
  const send = (factory: Factory, signal: NodeJS.Signals, which: RegExp): void => {
    for (const { pid, command } of factory.processes()) if (which.test(command)) process.kill(pid, signal);
  };

  test('stalls nobody: andon and agent stand still for longer than the limit, and go on', async () => {
    const factory = await aFactory({ apart: true, scenario: waits });
    const dog = await factory.begin(aContract(LIMIT), 'at');
    send(factory, 'SIGSTOP', /./);
    await sleep(4500);
    send(factory, 'SIGCONT', /./);
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(1);
  });

  test('is not what an agent is that alone stands still', async () => {
    const factory = await aFactory({ scenario: waits });
    const dog = await factory.begin(aContract(LIMIT), 'at');
    send(factory, 'SIGSTOP', /claude\.mjs/);
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('stalled');
    await eventually(() => factory.processes().every(({ command }) => !command.includes('claude.mjs')), 'it is gone');
  });
});
