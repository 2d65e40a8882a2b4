import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/project/config/read-settings.ts';
import type { Ceilings } from '../../../../src/project/config/night-settings.ts';
import { NOTHING_USED } from '../../../../src/agents/ledger/no-ledger.ts';
import { allowReserve, explainExhausted, type CallReserve } from '../../../../src/agents/budget/ceilings.ts';
import { listBoundsAt, findNight, explainNotNow, explainNightStop } from '../../../../src/agents/budget/night-facts.ts';
import type { NightRun, Sums } from '../../../../src/agents/ledger.ts';
import * as fc from '../../../support/properties.ts';

const NOW = '2026-01-16T23:00:00.000Z';

function ceilings(text: string): Ceilings {
  const read = readSettings({ name: 'project', text: undefined }, { name: 'config.yaml', text }, '/project');
  if (!read.ok) throw new Error(read.why.join('\n'));
  return read.value.ceilings;
}

const used = (sums: Partial<Sums>) => (): Sums => ({ ...NOTHING_USED, ...sums });

/** A judge's call that costs money, of a task without a ceiling. */
const A_CALL: CallReserve = {
  account: 'claude',
  isFree: false,
  usd: undefined,
  tokens: undefined,
  window: undefined,
  minutes: 60,
  least: { usd: 0.01, tokens: 1000, minutes: 1 },
};
const FREE: CallReserve = { ...A_CALL, account: 'ollama', isFree: true, tokens: 8000 };

const aNight = (changes: Partial<NightRun> = {}): NightRun => ({
  id: 1,
  from: '2026-01-16T22:00:00.000Z',
  until: '2026-01-17T07:00:00.000Z',
  usd: 10,
  tokens: null,
  owner: { pid: 1, startTime: '1', boot: 'b' },
  ended: null,
  how: null,
  ...changes,
});

describe('a call', () => {
  it('sets aside nothing that nobody holds it to', () => {
    expect(allowReserve(A_CALL, [], {}, used({}))).toEqual({
      ok: true,
      value: { usd: null, tokens: null, minutes: 60 },
    });
  });

  it('sets aside what every ceiling has left, the lowest counting', () => {
    const bounds = listBoundsAt(
      ceilings('ceilings: {day: {usd: 5}, night: {usd: 3}, accounts: {claude: {day: {minutes: 40}}}}'),
      undefined,
      NOW,
    );
    expect(allowReserve(A_CALL, bounds, {}, used({ usd: 1 }))).toEqual({
      ok: true,
      value: { usd: 2, tokens: null, minutes: 40 },
    });
  });

  it('sets aside no more than one call may, so that others can go on beside it', () => {
    const set = ceilings('ceilings: {call: {usd: 0.5}, night: {usd: 10}}');
    expect(allowReserve(A_CALL, listBoundsAt(set, undefined, NOW), set.call, used({}))).toMatchObject({
      value: { usd: 0.5 },
    });
  });

  it('waits for the end of the night when its ceiling is reached, and the reason names it', () => {
    const bounds = listBoundsAt(ceilings('ceilings: {night: {usd: 10}}'), undefined, NOW);
    const refused = allowReserve(A_CALL, bounds, {}, used({ usd: 9.995 }));
    expect(refused).toEqual({
      ok: false,
      why: { own: 'ceiling', reason: 'the ceiling per night of $10.00 is reached: $9.99 used', until: bounds[0]?.to },
    });
  });

  it('waits without an end known where a call under way holds what is missing', () => {
    const bounds = listBoundsAt(ceilings('ceilings: {night: {usd: 10}}'), undefined, NOW);
    const open = { calls: 1, usd: 9, tokens: 0, minutes: 60 };
    expect(allowReserve(A_CALL, bounds, {}, used({ usd: 10, open }))).toEqual({
      ok: false,
      why: {
        own: 'ceiling',
        reason:
          'the ceiling per night of $10.00 has too little left: $10.00 used, $9.00 of it set aside for 1 call under way',
        until: null,
      },
    });
  });

  it('that no ceiling is high enough for is told so, and what it may take; a night lets it go on when it is over', () => {
    const low = listBoundsAt(ceilings('ceilings: {day: {tokens: 500}}'), undefined, NOW);
    expect(allowReserve(A_CALL, low, {}, used({}))).toEqual({
      ok: false,
      why: {
        own: 'ceiling',
        reason: 'the ceiling per day of 500 tokens is less than the next call may take: 1000 tokens',
        until: null,
      },
    });
    const night = aNight({ usd: null, tokens: 500 });
    expect(allowReserve(A_CALL, listBoundsAt(ceilings(''), night, NOW), {}, used({}))).toMatchObject({
      why: { own: 'night', until: night.until },
    });
  });

  it('that costs nothing goes on when the money is used up', () => {
    const bounds = listBoundsAt(ceilings('ceilings: {day: {usd: 5}}'), undefined, NOW);
    expect(allowReserve(FREE, bounds, {}, used({ usd: 5 }))).toEqual({
      ok: true,
      value: { usd: 0, tokens: 8000, minutes: 60 },
    });
  });

  it('without a known price counts in calls and tokens', () => {
    const bounds = listBoundsAt(ceilings('ceilings: {day: {calls: 3, tokens: 10000}}'), undefined, NOW);
    expect(allowReserve(A_CALL, bounds, {}, used({ calls: 2, unknownUsd: 2, tokens: 4000 }))).toMatchObject({
      value: { tokens: 6000 },
    });
    expect(allowReserve(A_CALL, bounds, {}, used({ calls: 3, unknownUsd: 3 }))).toMatchObject({ ok: false });
    expect(allowReserve(A_CALL, bounds, {}, used({ calls: 2, tokens: 9500 }))).toMatchObject({ ok: false });
  });

  it('of one account is not held by the ceiling of another', () => {
    const bounds = listBoundsAt(ceilings('ceilings: {accounts: {claude: {day: {calls: 1}}}}'), undefined, NOW);
    expect(allowReserve(A_CALL, bounds, {}, used({ calls: 1 }))).toMatchObject({ ok: false });
    expect(allowReserve(FREE, bounds, {}, used({ calls: 1 }))).toMatchObject({ ok: true });
  });

  it('never sets aside more than any ceiling has left', () => {
    const amounts = fc.record(
      {
        usd: fc.double({ min: 0.01, max: 100, noNaN: true }),
        tokens: fc.integer({ min: 1, max: 1e6 }),
        calls: fc.integer({ min: 1, max: 50 }),
      },
      { requiredKeys: [] },
    );
    const sums = fc.record({
      usd: fc.double({ min: 0, max: 100, noNaN: true }),
      tokens: fc.nat(1e6),
      calls: fc.nat(50),
    });
    fc.assert(
      fc.property(amounts, amounts, sums, (day, night, spent) => {
        const bounds = listBoundsAt(ceilings(JSON.stringify({ ceilings: { day, night } })), undefined, NOW);
        const allowed = allowReserve(A_CALL, bounds, {}, used(spent));
        for (const { limit } of bounds) {
          if (!allowed.ok) continue;
          if (limit.usd !== undefined)
            expect((allowed.value.usd ?? Infinity) + spent.usd).toBeLessThanOrEqual(limit.usd + 1e-5);
          if (limit.tokens !== undefined)
            expect((allowed.value.tokens ?? Infinity) + spent.tokens).toBeLessThanOrEqual(limit.tokens);
          if (limit.calls !== undefined) expect(spent.calls + 1).toBeLessThanOrEqual(limit.calls);
        }
      }),
    );
  });
});

describe('a night that was opened', () => {
  it('holds every call to its own ceiling, beside those that are configured', () => {
    const bounds = listBoundsAt(ceilings('ceilings: {night: {usd: 20}}'), aNight(), NOW);
    expect(allowReserve(A_CALL, bounds, {}, used({ usd: 7 }))).toMatchObject({ value: { usd: 3 } });
    expect(allowReserve(A_CALL, bounds, {}, used({ usd: 10 }))).toMatchObject({
      why: {
        own: 'night',
        reason: 'the ceiling of this night of $10.00 is reached: $10.00 used',
        until: '2026-01-17T07:00:00.000Z',
      },
    });
  });

  it('is over at its time, or when it was ended early', () => {
    expect(findNight([aNight()], NOW)).toMatchObject({ id: 1 });
    expect(findNight([aNight()], '2026-01-17T07:00:00.000Z')).toBeUndefined();
    expect(findNight([aNight({ ended: '2026-01-16T22:30:00.000Z', how: 'stopped' })], NOW)).toBeUndefined();
  });

  it('is open and pays for nothing while the clock shows a time before it was opened', () => {
    const before = '2026-01-16T21:00:00.000Z';
    const night = findNight([aNight()], before);
    expect(night).toMatchObject({ id: 1 });
    expect(explainNotNow({ hours: { open: [], closed: [] }, night }, before, 0)).toEqual({
      own: 'night',
      reason: 'the clock was set back to before the night was opened',
      until: aNight().from,
    });
  });

  it('lets nothing begin once it is over for whoever ends with it, though no night is open any more', () => {
    const ends = aNight().until;
    const limits = { hours: { open: [], closed: [] }, night: undefined, ends };
    expect(explainNotNow(limits, '2026-01-17T09:00:00.000Z', 0)).toEqual({
      own: 'night',
      reason: `the night ended at ${ends}`,
      until: null,
    });
    expect(explainNotNow(limits, '2026-01-17T05:00:00.000Z', 0)).toBeUndefined();
  });

  it('that was ended stays so when the clock is set back', () => {
    const ended = aNight({ ended: '2026-01-16T23:30:00.000Z', how: 'stopped' });
    expect(findNight([ended], NOW)).toBeUndefined();
  });

  it('lets no step begin that could not end in time', () => {
    const limits = { hours: { open: [], closed: [] }, night: aNight() };
    expect(explainNotNow(limits, '2026-01-17T06:00:00.000Z', 60)).toBeUndefined();
    expect(explainNotNow(limits, '2026-01-17T06:00:01.000Z', 60)).toEqual({
      own: 'night',
      reason: 'the night ends at 2026-01-17T07:00:00.000Z, and the next step may take 60 minutes',
      until: '2026-01-17T07:00:00.000Z',
    });
  });
});

describe('a contract that waits', () => {
  it('is not begun when a ceiling over everything is used up', () => {
    const bounds = listBoundsAt(ceilings('ceilings: {day: {calls: 4}}'), undefined, NOW);
    expect(explainExhausted(bounds, used({ calls: 3 }))).toBeUndefined();
    expect(explainExhausted(bounds, used({ calls: 4 }))).toMatchObject({
      reason: 'the ceiling per day of 4 calls is reached: 4 calls used',
    });
  });
});

describe('a call whose price nobody will tell', () => {
  const UNPRICED = { ...A_CALL, isUnpriced: true };

  it('sets aside no money, and is made while there is some left', () => {
    const bounds = listBoundsAt(ceilings('ceilings: {day: {usd: 5, tokens: 5000}}'), undefined, NOW);
    expect(allowReserve(UNPRICED, bounds, {}, used({ usd: 1 }))).toEqual({
      ok: true,
      value: { usd: null, tokens: 5000, minutes: 60 },
    });
    expect(allowReserve(UNPRICED, bounds, {}, used({ usd: 5 }))).toMatchObject({ ok: false });
  });
});

describe('a call that is known to take more than one call may', () => {
  it('is not made: it would be cut off', () => {
    const dear = { ...A_CALL, isFree: false, least: { ...A_CALL.least, usd: 0.5 } };
    expect(allowReserve(dear, [], { usd: 0.2 }, used({}))).toMatchObject({
      why: {
        own: 'ceiling',
        reason: 'the ceiling per call of $0.20 is less than the next call takes: $0.50',
        until: null,
      },
    });
    expect(allowReserve(dear, [], { usd: 0.5 }, used({}))).toMatchObject({ ok: true });
  });
});

describe('after a night that was ended early', () => {
  const night = { id: 3, from: '', until: '', usd: 5, tokens: null, owner: { pid: 1, startTime: '', boot: '' } };
  const stopped = { ...night, ended: '2026-01-17T03:00:00.000Z', how: 'stopped' } as const;

  it('nothing begins where somebody watched when it was stopped', () => {
    expect(explainNightStop(stopped, { stopBefore: 0 })).toMatchObject({
      own: 'night',
      reason: expect.stringContaining('the night was stopped at 2026-01-17T03:00:00.000Z'),
    });
    expect(explainNightStop(stopped, { ownNight: 3 })).toMatchObject({ reason: 'the night was stopped' });
  });

  it.each([
    ['who began to watch after it', stopped, { stopBefore: 3 }],
    ['a command that somebody types', stopped, {}],
    ['who was told to go on', { ...stopped, how: 'watched on' as const }, { stopBefore: 0 }],
    ['who watches while it is open', { ...night, ended: null, how: null }, { stopBefore: 0, ownNight: 3 }],
  ])('everything may begin for %s', (_, last, who) => {
    expect(explainNightStop(last, who)).toBeUndefined();
  });

  it('the andon of that night begins nothing, also when others were told to go on', () => {
    expect(explainNightStop({ ...stopped, how: 'watched on' }, { ownNight: 3 })).toBeDefined();
  });
});
