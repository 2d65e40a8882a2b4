/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { resume, write } from '../support/versions.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { issue, judges, answerOnce, createReply, answerTimes, writes } from '../support/scenario.ts';

describe('an implementer', () => {
  test.each([
    ['prints nothing', createReply('', { does: ['empty'] })],
    ['answers in prose', createReply('I would merge the two files and then look at the result. Shall I go on?')],
    ['crashes', createReply('half an ans', { does: [{ 'cut-after': 5 }] })],
  ])('that %s is asked once more and may do better', async (_, bad) => {
    const factory = await aFactory({ scenario: { implementer: [answerOnce(bad), write(1)] } });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.calls('implementer')).toHaveLength(2);
  });

  test.each([
    ['prints nothing', createReply('', { does: ['empty'] })],
    ['answers in prose', createReply('I would merge the two files and then look at the result. Shall I go on?')],
    ['crashes', createReply('half an ans', { does: [{ 'cut-after': 5 }] })],
  ])('that %s twice stops the line with a stall report', async (_, bad) => {
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

  test('that falls silent is ended at the stall limit, and the first stall halts, as 1.0 says', async () => {
    const factory = await aFactory({
      scenario: { implementer: [createReply('', { does: ['silent', 'grandchild'] })] },
    });
    const { status } = await factory.run(aContract({ 'limits.timeout_minutes': 0.02 }));
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('stalled');
    expect(factory.calls('implementer')).toHaveLength(1);
    expect(factory.paper('STALL_REPORT.md')).toContain('no sign of life');
    await eventually(
      () => factory.processes().every(({ command }) => command.includes('main.js')),
      'nothing but the daemon is left',
    );
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

  test('that deletes a file it may not delete never gets so far', async () => {
    const factory = await aFactory({
      scenario: { implementer: [answerOnce(writes({ 'docs/auth_v1.md': null })), write(1)] },
    });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.has('docs/auth_v1.md')).toBe(true);
  });

  test('that deletes more of the project than it may stops the line', async () => {
    const factory = await aFactory({ scenario: { implementer: [writes({ 'docs/auth_v1.md': null })] } });
    expect((await factory.run(aContract({ 'constraints.allow_deletes': true }))).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('destructive_action');
    expect(factory.paper('ERIK_HALT.md')).toContain('files shrink by');
  });
});

describe('the budget', () => {
  test('that is passed stops the line before the next call; raising it lets the line go on', async () => {
    const factory = await aFactory({
      scenario: {
        implementer: [answerOnce(write(1)), write(2)],
        judge: [answerOnce(judges('FAIL', { blocking_issues: [issue('not yet')] })), judges('PASS')],
      },
    });
    const { dog, status } = await factory.run(aContract({ 'limits.budget': { usd: 0.025 } }));
    expect(status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('budget');
    expect(factory.calls('judge')).toHaveLength(1);
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.calls('judge').map(({ argv }) => argv[argv.indexOf('--max-budget-usd') + 1])).toEqual([
      '0.0250',
      '0.0300',
    ]);
  });

  test('of tokens that the next call does not fit into stops the line before that call', async () => {
    const factory = await aFactory();
    expect((await factory.run(aContract({ 'limits.token_budget': 50 }))).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('budget');
    expect(factory.calls()).toEqual([]);
  });

  test('of nothing makes no call of the judge', async () => {
    const factory = await aFactory();
    expect((await factory.run(aContract({ 'limits.cost_ceiling_usd': 0 }))).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('budget');
    expect(factory.calls('judge')).toEqual([]);
  });
});
