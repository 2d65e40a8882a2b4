/** @module-tag thorough */
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FAILS, ledger, minutes, toldCaps, tokens, usd } from '../support/budgets.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { judges, answerOnce, createReply } from '../support/scenario.ts';
import { resume, write } from '../support/versions.ts';

const calls = (factory: Factory): number => factory.calls().length;

describe('a budget in dollars', () => {
  test('is charged once with the reserve of a call that a kill -9 broke off, over any number of restarts', async () => {
    const factory = await aFactory({
      apart: true,
      scenario: { judge: [answerOnce(judges('PASS', {}, { does: [{ touch: 'at' }, 'silent'] })), judges('PASS')] },
    });
    const dog = await factory.begin(usd(0.5), 'at');
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

  test('is told of when four fifths of it are used, once, also over a restart', async () => {
    const factory = await aFactory({
      apart: true,
      scenario: {
        implementer: [answerOnce(write(1)), createReply('', { does: [{ touch: 'at' }, { 'wait-for': 'go' }] })],
        judge: [answerOnce(FAILS), judges('PASS')],
      },
    });
    const dog = await factory.begin(usd(0.025), 'at');
    expect(dog.output()).toContain('80 % of the budget is used: $0.0200 of $0.0250');
    await dog.kill9();
    const again = await factory.watch();
    await again.until('going on');
    expect(again.output()).not.toContain('of the budget is used');
    const told = (await factory.show('DOC-001')).story.filter(({ text }) => text.includes('of the budget is used'));
    expect(told).toHaveLength(1);
  });
});

describe('a budget in minutes', () => {
  test('ends the call that reaches it and makes no other; raised by what is shown, the line goes on', async () => {
    const factory = await aFactory({
      scenario: { implementer: [answerOnce({ ...write(1), after_ms: 60_000 }), write(2)] },
    });
    const { dog, status } = await factory.run(minutes(0.12));
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'budget']);
    expect(calls(factory)).toBe(1);
    expect(ledger(factory)).toContain('Raises the budget of this task by 0.12 minutes.');
    await resume(factory, 1);
    expect(await factory.end(dog)).toBe('merged');
  });

  test('counts a call that kill -9 cut until its last sign of life', async () => {
    const factory = await aFactory({
      apart: true,
      scenario: { implementer: [answerOnce({ ...write(1), does: [{ touch: 'at' }, 'silent'] }), write(2)] },
    });
    const dog = await factory.begin(minutes(0.5), 'at');
    await dog.kill9();
    const seen = new Date(Date.now() + 60_000); // longer than all minutes that there are
    utimesSync(join(stateOf(factory), 'daemon.lock'), seen, seen);
    const again = await factory.watch();
    expect(await factory.end(again)).toBe('erik_consultation');
    expect(factory.breaker()).toBe('budget');
    expect(factory.calls('implementer')).toHaveLength(1);
  });
});

describe('a budget in tokens', () => {
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
