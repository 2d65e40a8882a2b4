import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import type { Factory } from '../support/factory.ts';
import { issue, judges, once, says } from '../support/scenario.ts';
import type { Call } from '../support/scenario.ts';
import { resume, write } from '../support/versions.ts';

const FAILS = judges('FAIL', { blocking_issues: [issue('the second document is not in it')] });
const usd = (limit: number) => aContract({ 'limits.budget': { usd: limit } });
const minutes = (limit: number) => aContract({ 'limits.budget': { minutes: limit } });
const tokens = (limit: number) => aContract({ 'limits.budget': { tokens: limit } });

/** A factory whose judge first turns the change down; a judge costs two cents a call. */
const twoRounds = (first: Call = FAILS): Promise<Factory> =>
  aFactory({ scenario: { implementer: [once(write(1)), write(2)], judge: [once(first), judges('PASS')] } });
const toldCaps = (factory: Factory): readonly (string | undefined)[] =>
  factory.calls('judge').map(({ argv }) => argv[argv.indexOf('--max-budget-usd') + 1]);
const ledger = (factory: Factory): string => (factory.paper('ERIK_HALT.md') ?? '').replaceAll('\\', '');
const calls = (factory: Factory): number => factory.calls().length;

describe('a ceiling of dollars', () => {
  test('goes up by exactly the sum shown, once; a second answer to the same halt is refused', async () => {
    const factory = await aFactory({
      scenario: { implementer: [once(write(1)), once(write(2)), write(3)], judge: [FAILS] },
    });
    const { dog } = await factory.run(usd(0.02));
    const first = await factory.show('DOC-001');
    expect(first.halt).toMatchObject({
      breaker: 'budget',
      reason: expect.stringContaining('$0.0000 of $0.02 is left'),
    });
    expect(ledger(factory)).toContain('Allows $0.02 more for this task, once.');
    await resume(factory, 1);
    await dog.until(async () => ((await factory.show('DOC-001')).halt?.id ?? first.halt?.id) !== first.halt?.id);
    const { code } = await factory.andon('resume', 'DOC-001', '--path', '1', '--halt', String(first.halt?.id));
    expect(code).not.toBe(0);
    expect((await factory.show('DOC-001')).halt?.reason).toContain('$0.0000 of $0.04 is left');
    expect(toldCaps(factory)).toEqual(['0.0200', '0.0200']);
  });

  test('that leaves exactly a cent is enough for one more call, whatever fractions make of it', async () => {
    const factory = await twoRounds();
    await factory.run(usd(0.03));
    expect((await factory.show('DOC-001')).halt?.reason).toContain('$0.0400 spent'); // by a call that kept to no cap
    expect(toldCaps(factory)).toEqual(['0.0300', '0.0100']);
  });

  test('that was overspent goes up by so much that the next call is made', async () => {
    const factory = await twoRounds();
    const { dog } = await factory.run(usd(0.012));
    expect(ledger(factory)).toContain('Allows $0.02 more for this task, once.');
    await resume(factory, 1);
    await dog.until(() => factory.calls('judge').length === 2);
    expect(toldCaps(factory)).toEqual(['0.0120', '0.0120']);
  });

  test('is used up by a judge who does not tell what it cost: what was reserved for it is gone', async () => {
    const factory = await twoRounds({ ...FAILS, does: ['no-cost'] });
    const { dog, status } = await factory.run(usd(1));
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'budget']);
    expect(factory.calls('judge')).toHaveLength(1);
    expect(ledger(factory)).toContain('(of 1 call that told no cost, all that was reserved for them)');
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
    expect(toldCaps(factory)).toEqual(['1.0000', '1.0000']);
  });

  test('that is not there stops nobody; the cost is then shown as unknown, never as nothing', async () => {
    const factory = await twoRounds({ ...FAILS, does: ['no-cost'] });
    expect((await factory.run(aContract())).status).toBe('merged');
    expect((await factory.show('DOC-001')).cost_usd).toBeNull();
  });

  test('is charged once with the reserve of a call that a kill -9 broke off, over any number of restarts', async () => {
    const factory = await aFactory({
      apart: true,
      scenario: { judge: [once(judges('PASS', {}, { does: [{ touch: 'at' }, 'silent'] })), judges('PASS')] },
    });
    const dog = await factory.watch();
    factory.drop(usd(0.5));
    await dog.until(() => factory.signal.has('at'));
    await dog.kill9();
    let again = await factory.watch();
    expect(await factory.end(again)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('budget');
    for (const _ of [1, 2]) {
      await again.kill9();
      again = await factory.watch();
      expect((await factory.show('DOC-001')).cost_usd).toBe(0.5);
    }
    expect(factory.calls('judge')).toHaveLength(1);
    await resume(factory, 1);
    expect(await factory.end(again)).toBe('merged');
    expect(toldCaps(factory)).toEqual(['0.5000', '0.5000']);
    expect((await factory.show('DOC-001')).cost_usd).toBe(0.52);
  });

  test('is charged what a judge still tells that Ctrl-C ended, not all that was reserved for it', async () => {
    const factory = await aFactory({
      scenario: { judge: [once(judges('PASS', {}, { does: [{ touch: 'at' }, 'silent'] })), judges('PASS')] },
    });
    const dog = await factory.watch();
    factory.drop(usd(0.5));
    await dog.until(() => factory.signal.has('at'));
    await dog.stop();
    const again = await factory.watch();
    expect(await factory.end(again)).toBe('merged');
    const cost = (await factory.show('DOC-001')).cost_usd ?? 0;
    expect(cost).toBeGreaterThan(0.02);
    expect(cost).toBeLessThan(0.05);
  });

  test('is told of when four fifths of it are used, once, also over a restart', async () => {
    const factory = await aFactory({
      apart: true,
      scenario: {
        implementer: [once(write(1)), says('', { does: [{ touch: 'at' }, { 'wait-for': 'go' }] })],
        judge: [once(FAILS), judges('PASS')],
      },
    });
    const dog = await factory.watch();
    factory.drop(usd(0.025));
    await dog.until(() => factory.signal.has('at'));
    expect(dog.output()).toContain('80 % of the budget is used: $0.0200 of $0.0250');
    await dog.kill9();
    const again = await factory.watch();
    await again.until('going on');
    expect(again.output()).not.toContain('of the budget is used');
    const told = (await factory.show('DOC-001')).story.filter(({ text }) => text.includes('of the budget is used'));
    expect(told).toHaveLength(1);
  });

  test('is not told of below that', async () => {
    const factory = await aFactory();
    const { dog } = await factory.run(usd(0.0251));
    expect(dog.output()).not.toContain('of the budget is used');
  });

  test.each([
    ['trivial', '0.2500'],
    ['minor', '0.5000'],
    ['major', '2.0000'],
    ['critical', '5.0000'],
  ])('is that of a %s task where the contract names only that', async (complexity, cap) => {
    const factory = await aFactory();
    expect((await factory.run(aContract({ complexity }))).status).toBe('merged');
    expect(toldCaps(factory)).toEqual([cap]);
  });
});

describe('a ceiling of minutes', () => {
  test('ends the call that reaches it and makes no other; raised by what is shown, the line goes on', async () => {
    const factory = await aFactory({
      scenario: { implementer: [once({ ...write(1), after_ms: 60_000 }), write(2)] },
    });
    const { dog, status } = await factory.run(minutes(0.12));
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'budget']);
    expect(calls(factory)).toBe(1);
    expect(ledger(factory)).toContain('Allows 0.12 minutes more for this task, once.');
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
  });

  test('is not refilled by kill -9: the time until the restart counts', async () => {
    const factory = await aFactory({
      apart: true,
      scenario: { implementer: [once({ ...write(1), does: [{ touch: 'at' }, 'silent'] }), write(2)] },
    });
    const dog = await factory.watch();
    factory.drop(minutes(0.08));
    await dog.until(() => factory.signal.has('at'));
    await dog.kill9();
    await new Promise((done) => {
      setTimeout(done, 4900); // longer than the minutes that there are
    });
    const again = await factory.watch();
    expect(await factory.end(again)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('budget');
    expect(calls(factory)).toBe(1);
  });
});

describe('a ceiling of tokens', () => {
  test('stops the line before the call that would pass it', async () => {
    const factory = await twoRounds();
    const { status } = await factory.run(tokens(2000));
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'budget']);
    expect(ledger(factory)).toMatch(/the next call needs about \d+ tokens; \d+ of 2000 are left/);
    expect(calls(factory)).toBe(3);
  });

  test('is charged for a call that kill -9 broke off: the third try does not fit any more', async () => {
    const factory = await aFactory({
      apart: true,
      scenario: { implementer: [{ ...write(1), does: [{ touch: 'at' }, 'silent'] }] },
    });
    const [first] = await promptTokens();
    let dog = await factory.watch();
    factory.drop(tokens(Math.floor(first * 2.5)));
    for (const _ of [1, 2]) {
      await dog.until(() => factory.signal.has('at'));
      await dog.kill9();
      factory.signal.take('at');
      dog = await factory.watch();
    }
    expect(await factory.end(dog)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('budget');
    expect(factory.calls('implementer')).toHaveLength(2);
  });
});

/** What andon sets aside for the first call of the sample contract: its prompt and the room for an answer. */
async function promptTokens(): Promise<readonly [number]> {
  const factory = await aFactory({ apart: true });
  await factory.run(tokens(50));
  return [Number(/needs about (\d+) tokens/.exec(ledger(factory))?.[1])];
}
