import { describe, expect, it } from 'vitest';
import type { CeilingUse, NightFacts } from '../../../../src/agents/budget/night-facts.ts';
import { formatPlan, planNight, type PlannedTask } from '../../../../src/agents/budget/night-plan.ts';
import * as fc from '../../../support/properties.ts';

const NIGHT = { from: '2026-01-16T22:00:00.000Z', until: '2026-01-17T07:00:00.000Z' };
const asked = (usd?: number, tokens?: number) => ({ ...NIGHT, usd, tokens });

const task = (changes: Partial<PlannedTask> = {}): PlannedTask => ({
  repository: '/home/me/shop',
  task_id: 'DOC-001',
  file: '_handoff/queue/DOC-001.json',
  state: 'waits',
  why: 'is next',
  usd: 2,
  tokens: 50_000,
  minutes: null,
  step_minutes: 62.5,
  begins_by: '2026-01-17T05:57:30.000Z',
  hours: null,
  blocked: null,
  ...changes,
});

const ceiling = (changes: Partial<CeilingUse> = {}): CeilingUse => ({
  ceiling: 'per night',
  period: 'night',
  account: null,
  of: 'usd',
  from: NIGHT.from,
  until: NIGHT.until,
  used: 1,
  at_least: 1,
  set_aside: 0,
  limit: 5,
  ...changes,
});
const limits = (...ceilings: readonly CeilingUse[]): NightFacts => ({ night: null, hours: null, ceilings });

describe('the most that a night can come to', () => {
  it('is the sum of what its tasks may use, said with what that leaves out', () => {
    const plan = planNight([task(), task({ task_id: 'DOC-002', usd: 1.5, tokens: 10_000 })], asked(), null);
    expect(plan.at_most).toEqual({ usd: 3.5, tokens: 60_000 });
    expect(plan.bounded_by.usd).toContain('what is submitted meanwhile comes on top');
  });

  it('is bounded by nothing where a task has no ceiling, and says what names one', () => {
    const plan = planNight([task(), task({ usd: null })], asked(), null);
    expect([plan.at_most.usd, plan.bounded_by.usd]).toEqual([null, null]);
    expect(formatPlan(plan).at(-1)).toContain('no limit on dollars (set: --usd, `ceilings` or contracts)');
  });

  it('leaves out an approved proposal, whose contracts enter the queue first', () => {
    const proposal = { repository: '/home/me/shop', why: '_handoff/PROPOSAL_FINAL.md is approved', begins: true };
    expect(formatPlan(planNight([], asked(), null, [proposal])).slice(0, 2)).toEqual([
      `no contract waits yet; one that is submitted before ${NIGHT.until} runs`,
      'shop: _handoff/PROPOSAL_FINAL.md is approved',
    ]);
    const halted = task({ state: 'halted' });
    expect(planNight([halted], asked(), null, [proposal]).nothing_begins).toBeNull();
    expect(planNight([halted], asked(), null, [{ ...proposal, begins: false }]).nothing_begins).not.toBeNull();
  });

  it('is not known from its tasks where there is none: something may be submitted', () => {
    expect(planNight([], asked(), null).at_most).toEqual({ usd: null, tokens: null });
    expect(formatPlan(planNight([], asked(3), null))).toEqual([
      `no contract would run now; one that is submitted before ${NIGHT.until} runs`,
      'at most: $3.00 (--usd); no limit on tokens (set: --tokens, `ceilings` or contracts)',
    ]);
  });

  it('is what is asked for, or what a ceiling over all has left, where that is less', () => {
    expect(planNight([task()], asked(1), null)).toMatchObject({ at_most: { usd: 1 }, bounded_by: { usd: '--usd' } });
    expect(planNight([task()], asked(), limits(ceiling({ at_least: 4.5 })))).toMatchObject({
      at_most: { usd: 0.5 },
      bounded_by: { usd: 'the ceiling per night' },
    });
    expect(planNight([task()], asked(), limits(ceiling({ at_least: 9 }))).at_most.usd).toBe(0);
  });

  it('is not lowered by a ceiling of one account, which bounds only its calls', () => {
    expect(
      planNight([task()], asked(), limits(ceiling({ ceiling: 'per day of claude', account: 'claude', limit: 1 })))
        .at_most.usd,
    ).toBe(2);
  });

  it('counts a ceiling once more for every reset before the end', () => {
    const day = ceiling({ ceiling: 'per day', period: 'day', until: '2026-01-17T00:00:00.000Z', at_least: 4 });
    const midnight = new Date(2026, 0, 17).toISOString();
    const plan = planNight(
      [],
      { ...asked(), until: new Date(2026, 0, 18, 7).toISOString() },
      limits({ ...day, until: midnight }),
    );
    expect(plan).toMatchObject({
      at_most: { usd: 11 },
      bounded_by: { usd: 'the ceiling per day, which resets 2 times before that' },
    });
  });

  it('is not bounded by a night that ends before it', () => {
    const before = ceiling({ ceiling: 'of this night', period: 'this night', until: '2026-01-17T01:00:00.000Z' });
    expect(planNight([], asked(), limits(before)).at_most.usd).toBeNull();
  });

  it('says of a task that its hours are too short for it, and that nothing runs while they stay closed', () => {
    const never = { reason: 'no time of `hours` is as long as the next step may take (63 minutes)', until: null };
    expect(formatPlan(planNight([task({ hours: never })], asked(), null))[1]).toMatch(
      /up to 63 minutes, so not in this night: no time of `hours` is as long as the next step may take \(63 minutes\)$/,
    );
    const closed = { ...limits(), hours: { open: false, changes: null } };
    expect(formatPlan(planNight([], asked(), closed)).slice(0, 2)).toEqual([
      'no contract would run now',
      'hours: never open',
    ]);
    const opens = { ...limits(), hours: { open: false, changes: '2026-01-16T23:00:00.000Z' } };
    expect(formatPlan(planNight([], asked(), opens)).slice(0, 2)).toEqual([
      `no contract would run now; one that is submitted before ${NIGHT.until} runs`,
      'hours: closed until 2026-01-16T23:00:00.000Z',
    ]);
  });

  it('counts neither a halted task nor a refused one: they do not run as they are', () => {
    const plan = planNight(
      [task(), task({ state: 'halted', usd: null }), task({ state: 'refused', usd: 7 })],
      asked(),
      null,
    );
    expect(plan.at_most.usd).toBe(2);
    expect(formatPlan(plan)).toEqual([
      `1 of 3 tasks can run until ${NIGHT.until}, in this order in each repository:`,
      '1. shop: DOC-001  is next; at most $2.00, 50000 tokens; its next step takes up to 63 minutes, and begins by 2026-01-17T05:57:30.000Z',
      '2. shop: DOC-001  is halted: it waits for you',
      '3. shop: DOC-001  is refused: it waits for your correction',
      expect.stringMatching(/^at most: \$2\.00 /),
    ]);
  });

  it('is never more than any bound, whatever there is', () => {
    const amount = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 4 }), amount, amount, (usd, wanted, limit) => {
        const left = limit === null ? null : limits(ceiling({ at_least: 0, limit }));
        const { at_most: most } = planNight(
          usd.map((one) => task({ usd: one })),
          asked(wanted ?? undefined),
          left,
        );
        const isKnown = usd.length > 0 && usd.every((one) => one !== null);
        const sum = isKnown ? usd.reduce<number>((all, one) => all + (one ?? 0), 0) : null;
        const bounds = [sum, wanted, limit].filter((one) => one !== null);
        expect(most.usd).toBe(bounds.length === 0 ? null : Math.min(...bounds));
      }),
    );
  });
});

describe('a night in which nothing can begin', () => {
  const plan = (...tasks: readonly PlannedTask[]) => planNight(tasks, asked(), null).nothing_begins;
  const long = (step: number) => task({ step_minutes: step });

  it('says why, and the earliest end that would do, by the shortest step', () => {
    expect(plan(long(700), long(600))).toEqual({
      reason: 'the night ends at 2026-01-17T07:00:00.000Z, and the shortest next step takes up to 600 minutes',
      earliest: '2026-01-17T08:02:00.000Z',
      is_too_long: true,
    });
    expect(plan(long(700), long(540))).toBeNull();
  });

  it.each([
    ['nothing waits at all', [], null],
    ['every task waits for you', [task({ state: 'halted' })], 'the only task waits for you'],
    ['the line is paused', [task({ blocked: 'shop: paused by me' })], 'shop: paused by me'],
    [
      '`hours` never open',
      [task({ hours: { reason: '`hours` are never open', until: null } })],
      '`hours` are never open',
    ],
    [
      'hours open too late',
      [task({ hours: { reason: '`hours` are closed', until: '2026-01-17T06:30:00.000Z' } })],
      '(`hours` are closed)',
    ],
  ])('is told where %s', (_, tasks, reason) => {
    if (reason === null) expect(plan(...tasks)).toBeNull();
    else expect(plan(...tasks)?.reason).toContain(reason);
  });

  it('is one whose ceiling of calls is used up', () => {
    const full = limits(ceiling({ of: 'calls', at_least: 3, used: 3, limit: 3 }));
    expect(planNight([task()], asked(), full).nothing_begins?.reason).toContain('a ceiling is used up: per night');
  });
});
