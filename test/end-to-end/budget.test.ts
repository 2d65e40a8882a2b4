import { describe, expect, test } from 'vitest';
import { FAILS, ledger, toldCaps, tokens, usd } from '../support/budgets.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { judges, answerOnce, type Call } from '../support/scenario.ts';
import { resume, write } from '../support/versions.ts';

/** A factory whose judge first turns the change down; a judge costs two cents a call. */
const twoRounds = (first: Call = FAILS): Promise<Factory> =>
  aFactory({ scenario: { implementer: [answerOnce(write(1)), write(2)], judge: [answerOnce(first), judges('PASS')] } });
const calls = (factory: Factory): number => factory.calls().length;

describe('a budget in dollars', () => {
  test('goes up by exactly the sum shown, once; a second answer to the same halt is refused', async () => {
    const factory = await aFactory({
      scenario: { implementer: [answerOnce(write(1)), answerOnce(write(2)), write(3)], judge: [FAILS] },
    });
    const { dog } = await factory.run(usd(0.02));
    const first = await factory.show('DOC-001');
    expect(first.halt).toMatchObject({
      breaker: 'budget',
      reason: expect.stringContaining('$0.0000 of $0.02 is left'),
    });
    expect(ledger(factory)).toContain('Raises the budget of this task by $0.03.'); // two cents, and a quarter on top
    await resume(factory, 1);
    await dog.until(async () => ((await factory.show('DOC-001')).halt?.id ?? first.halt?.id) !== first.halt?.id);
    const { code } = await factory.andon('resume', 'DOC-001', '--path', '1', '--halt', String(first.halt?.id));
    expect(code).not.toBe(0);
    expect((await factory.show('DOC-001')).halt?.reason).toContain('$0.0100 of $0.05 is left');
    expect(toldCaps(factory)).toEqual(['0.0200', '0.0300']);
  });

  test(
    'that cuts a judge off is no unreadable report: it goes up by so much that the next call is made',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({ scenario: { implementer: [write(1)], judge: [judges('PASS')] } });
      const { dog } = await factory.run(usd(0.012));
      expect(factory.breaker()).toBe('budget');
      expect(ledger(factory)).toContain('Raises the budget of this task by $0.06.');
      await resume(factory, 1);
      expect(await factory.end(dog)).toBe('merged');
      expect(toldCaps(factory)).toEqual(['0.0120', '0.0520']);
      expect((await factory.show('DOC-001')).story.filter(({ text }) => text.includes('report'))).toEqual([]);
    },
  );

  test(
    'is used up by a judge who does not tell what it cost: what was reserved for it is gone',
    { tags: 'thorough' },
    async () => {
      const factory = await twoRounds({ ...FAILS, does: ['no-cost'] });
      const { dog, status } = await factory.run(usd(1));
      expect([status, factory.breaker()]).toEqual(['erik_consultation', 'budget']);
      expect(factory.calls('judge')).toHaveLength(1);
      expect(ledger(factory)).toContain('(of 1 call that told no cost, all that was reserved for them)');
      await resume(factory, 1);
      expect(await factory.end(dog)).toBe('merged');
      expect(toldCaps(factory)).toEqual(['1.0000', '1.0000']);
    },
  );

  test(
    'is charged what a judge still tells that Ctrl-C ended, not all that was reserved for it',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({
        scenario: { judge: [answerOnce(judges('PASS', {}, { does: [{ touch: 'at' }, 'silent'] })), judges('PASS')] },
      });
      const dog = await factory.begin(usd(0.5), 'at');
      await dog.stop();
      const again = await factory.watch();
      expect(await factory.end(again)).toBe('merged');
      const cost = (await factory.show('DOC-001')).cost_usd ?? 0;
      expect(cost).toBeGreaterThan(0.02);
      expect(cost).toBeLessThan(0.05);
    },
  );

  test('is that of a critical task where the contract names only that', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    expect((await factory.run(aContract({ complexity: 'critical' }))).status).toBe('merged');
    expect(toldCaps(factory)).toEqual(['5.0000']);
  });
});

describe('a budget in tokens', () => {
  test('stops the line before the call that would pass it', { tags: 'thorough' }, async () => {
    const factory = await twoRounds();
    const { status } = await factory.run(tokens(2000));
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'budget']);
    expect(ledger(factory)).toMatch(/the next call needs about \d+ tokens; \d+ of 2000 are left/);
    expect(calls(factory)).toBe(3);
  });
});
