/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { resume, write } from '../support/versions.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { createReply, answerTimes, writes } from '../support/scenario.ts';

describe('an implementer', () => {
  test('that answers in prose twice stops the line with a stall report', async () => {
    const bad = createReply('I would merge the two files and then look at the result. Shall I go on?');
    const factory = await aFactory({ scenario: { implementer: [answerTimes(2, bad), write(1)] } });
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('stalled');
    const report = factory.paper('STALL_REPORT.md') ?? '';
    for (const part of ['1. implementer', '2. implementer', '## Hypothesis', '## Alternatives'])
      expect(report).toContain(part);
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
  });

  test('may never write what belongs to andon or git, whatever the scope', async () => {
    const factory = await aFactory({
      scenario: { implementer: [writes({ '_handoff/TASK_CONTRACT.json': '{}\n', '.git/hooks/pre-commit': 'boo\n' })] },
    });
    const { status } = await factory.run(aContract({ 'constraints.allowed_paths': ['**'] }));
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('scope');
    expect(factory.has('.git/hooks/pre-commit')).toBe(false);
  });
});

describe('the budget', () => {
  test('of nothing makes no call of the judge', async () => {
    const factory = await aFactory();
    expect((await factory.run(aContract({ 'limits.cost_ceiling_usd': 0 }))).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('budget');
    expect(factory.calls('judge')).toEqual([]);
  });
});
