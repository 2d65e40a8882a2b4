import { describe, expect, it } from 'vitest';
import { describeQueueWait } from '../../../../src/line/order/describe-queue-wait.ts';
import { moveTo, computeTurns, type Begun, type Floor, type Queued } from '../../../../src/line/order/queued-turn.ts';
import type { SpecPart } from '../../../../src/line/order/find-earlier-parts.ts';
import { queued } from '../../../support/queued.ts';
import * as fc from '../../../support/properties.ts';

const login = (part = 0): { readonly spec: SpecPart } => ({ spec: { name: 'login', part } });
const floor = (begun: Readonly<Record<string, readonly [Begun, SpecPart]>> = {}): Floor => ({
  now: '2026-11-23T22:00:00.000Z',
  tasks: new Map(Object.entries(begun).map(([task, [is]]) => [task, is])),
  parts: new Map(Object.entries(begun).map(([task, [, spec]]) => [task, spec])),
});
const ids = (waiting: readonly Queued[], known = floor()) => computeTurns(waiting, known).map(({ one }) => one.taskId);
const whyOf = (task: string, waiting: readonly Queued[], known = floor()): string =>
  describeQueueWait(computeTurns(waiting, known).find(({ one }) => one.taskId === task)?.waits ?? [], 'the line');

describe('parts of one spec', () => {
  it('begin in the order of their numbers, whatever their priorities and whenever they were dropped', () => {
    const waiting = [
      queued('C', { ...login(3), priority: 9 }),
      queued('X', { priority: 5 }),
      queued('B', login(2)),
      queued('A', login(1)),
    ];
    expect(ids(waiting)).toEqual(['A', 'B', 'C', 'X']);
    expect(whyOf('A', waiting)).toBe('is next');
    expect(whyOf('C', waiting)).toBe('waits for B, which comes before it, an earlier part of login');
  });

  it('without numbers begin as they were dropped, what lies in the place last', () => {
    expect(ids([queued('B', { ...login(), goesFirst: true }), queued('A', login())])).toEqual(['B', 'A']);
    expect(whyOf('B', [queued('B', { ...login(), goesFirst: true }), queued('A', login())])).toContain('waits for A');
    expect(ids([queued('A', login()), queued('B', { ...login(), priority: 3 })])).toEqual(['A', 'B']);
  });

  it('wait for an earlier one that is at work or halted, not for a later one, nor for one that has ended', () => {
    const halted: Begun = { is: 'halted', by: 'paradox' };
    const begun = (is: Begun, part: number) => floor({ A: [is, login(part).spec] });
    const waiting = [queued('B', login(2))];
    expect(whyOf('B', waiting, begun(halted, 1))).toBe(
      'waits for A, which is halted and needs you, an earlier part of login',
    );
    expect(whyOf('B', waiting, begun({ is: 'under way' }, 2))).toContain('which is under way');
    expect(whyOf('B', waiting, begun(halted, 3))).toBe('is next');
    for (const is of ['merged', 'abandoned'] as const) expect(whyOf('B', waiting, begun({ is }, 1))).toBe('is next');
  });

  it("keep nobody else back, and parts of another spec are nobody's business", () => {
    const waiting = [queued('B', login(2)), queued('X'), queued('Y', { spec: { name: 'search', part: 1 } })];
    const known = floor({ A: [{ is: 'halted', by: 'paradox' }, login(1).spec] });
    expect(whyOf('X', waiting, known)).toBe('is next');
    expect(whyOf('Y', waiting, known)).toBe('waits for its turn, behind X');
  });

  it('go by `after` where that says it the other way round', () => {
    const waiting = [queued('A', { ...login(1), after: ['B'] }), queued('B', login(2))];
    expect(ids(waiting)).toEqual(['B', 'A']);
    expect(whyOf('B', waiting)).toBe('is next');
  });

  it('cannot be put before an earlier one by hand', () => {
    const turns = computeTurns([queued('A', login(1)), queued('B', login(2))], floor());
    expect(moveTo(turns, 'B', { to: 'before', other: 'A' })).toEqual({
      ok: false,
      why: 'B cannot go before A: it waits for it',
    });
  });
});

describe('whatever is said of parts and of `after`', () => {
  const some = fc.array(
    fc.record({
      spec: fc.option(fc.record({ name: fc.constantFrom('s', 't'), part: fc.nat(3) }), { nil: undefined }),
      after: fc.uniqueArray(
        fc.nat(7).map((n) => `T${n}`),
        { maxLength: 2 },
      ),
      priority: fc.nat(2),
    }),
    { maxLength: 8 },
  );

  it('somebody begins next where `after` alone goes in no circle', () => {
    fc.assert(
      fc.property(some, (said) => {
        const waiting = said.map(({ spec, after, priority }, at) =>
          queued(`T${at}`, {
            ...(spec === undefined ? {} : { spec }),
            after: after.filter((task) => Number(task.slice(1)) < at),
            priority,
          }),
        );
        const turns = computeTurns(waiting.toReversed(), floor());
        expect(turns.filter(({ waits }) => waits.length === 0)).toHaveLength(Math.min(1, waiting.length));
      }),
    );
  });
});
