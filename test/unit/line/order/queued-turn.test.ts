import { describe, expect, it } from 'vitest';
import { findCycles } from '../../../../src/line/order/find-earlier-parts.ts';
import {
  type QueueMove,
  isAwaitingTask,
  isKeptBack,
  findNextOpening,
  computeTurns,
  type Begun,
  type Floor,
  type Queued,
  type QueuedTurn,
  moveTo,
} from '../../../../src/line/order/queued-turn.ts';
import { describeUnmetWait, describeQueueWait } from '../../../../src/line/order/describe-queue-wait.ts';
import { queued } from '../../../support/queued.ts';
import * as fc from '../../../support/properties.ts';

const NOW = '2026-11-23T22:00:00.000Z';
const LATER = '2026-11-24T06:00:00.000Z';

const tasks = (known: Readonly<Record<string, Begun['is']>> = {}): Floor['tasks'] =>
  new Map(
    Object.entries(known).map(([task, is]): [string, Begun] => {
      if (is === 'halted') return [task, { is, by: 'paradox' }];
      return [task, is === 'undone' ? { is, commit: 'c'.repeat(40) } : { is }];
    }),
  );

const floor = (known: Readonly<Record<string, Begun['is']>> = {}, more: Partial<Floor> = {}): Floor => ({
  now: NOW,
  tasks: tasks(known),
  ...more,
});

const ids = (turns: readonly QueuedTurn[]): readonly (string | undefined)[] => turns.map(({ one }) => one.taskId);
const waitsOf = (turns: readonly QueuedTurn[], taskId: string): QueuedTurn['waits'] =>
  turns.find(({ one }) => one.taskId === taskId)?.waits ?? [];
const neverOf = (turns: readonly QueuedTurn[], taskId: string): QueuedTurn['never'] =>
  turns.find(({ one }) => one.taskId === taskId)?.never ?? [];

describe('the order of what waits', () => {
  it('is by priority, the oldest first; the first that nothing keeps back is next, and the others wait behind it', () => {
    const turns = computeTurns(
      [queued('A'), queued('B', { priority: 5 }), queued('C'), queued('D', { priority: 5 })],
      floor(),
    );
    expect(ids(turns)).toEqual(['B', 'D', 'A', 'C']);
    expect(turns.map(({ waits }) => waits)).toEqual([
      [],
      [{ for: 'its turn', behind: 'B' }],
      [{ for: 'its turn', behind: 'D' }],
      [{ for: 'its turn', behind: 'A' }],
    ]);
  });

  it('begins with what lies in the place, whatever the priority of others', () => {
    const place = queued('A', { name: 'TASK_CONTRACT.json', goesFirst: true });
    const others = [queued('B', { priority: 9, waitsFor: 'a place' }), queued('C', { waitsFor: 'a place' })];
    const turns = computeTurns([place, ...others], floor({}, { moves: [{ task: 'C', to: 'first', before: [] }] }));
    expect(ids(turns)).toEqual(['A', 'C', 'B']);
    expect(turns.map(({ waits }) => waits)).toEqual([[], [{ for: 'a place' }], [{ for: 'a place' }]]);
  });

  it('puts what a contract waits for before it, along the whole chain', () => {
    const turns = computeTurns(
      [
        queued('C', { priority: 9, after: ['B'] }),
        queued('X', { priority: 5 }),
        queued('B', { after: ['A'] }),
        queued('A'),
      ],
      floor(),
    );
    expect(ids(turns)).toEqual(['A', 'B', 'C', 'X']);
    expect(waitsOf(turns, 'B')).toEqual([
      { for: 'another task', task: 'A', is: 'waiting' },
      { for: 'its turn', behind: 'A' },
    ]);
    expect(waitsOf(turns, 'X')).toEqual([{ for: 'its turn', behind: 'A' }]);
  });

  it('lets nobody be kept back by one who is kept back himself', () => {
    const turns = computeTurns(
      [queued('A', { priority: 9, after: ['P'] }), queued('B', { priority: 8, notBefore: LATER }), queued('C')],
      floor({ P: 'halted' }),
    );
    expect(turns.map(isKeptBack)).toEqual([true, true, false]);
    expect(waitsOf(turns, 'C')).toEqual([]);
    expect(turns.map(isAwaitingTask)).toEqual([true, false, false]);
  });

  it.each<[Begun['is'] | 'nothing', string]>([
    ['under way', 'waits for P, which is under way'],
    ['halted', 'waits for P, which is halted and needs you'],
    ['abandoned', 'waits for P, which was abandoned (andon resume P --again)'],
    ['undone', 'waits for P, which was merged and taken out again'],
    ['nothing', 'waits for P, which is unknown here'],
  ])('says of one that comes after a task that is %s what it waits for', (is, words) => {
    const turns = computeTurns([queued('A', { after: ['P'] })], floor(is === 'nothing' ? {} : { P: is }));
    expect(describeQueueWait(waitsOf(turns, 'A'), '')).toBe(words);
  });

  it('waits for nothing that is merged, and for a task that was abandoned and lies there again', () => {
    const turns = computeTurns(
      [queued('A', { after: ['P', 'Q'] }), queued('Q')],
      floor({ P: 'merged', Q: 'abandoned' }),
    );
    expect(waitsOf(turns, 'A')[0]).toEqual({ for: 'another task', task: 'Q', is: 'waiting' });
    expect(turns.flatMap(({ never }) => never)).toEqual([]);
  });

  it('opens at the moment that a contract names, and says when the next one does', () => {
    const waiting = [queued('A', { notBefore: LATER }), queued('B', { notBefore: NOW })];
    const turns = computeTurns(waiting, floor());
    expect(waitsOf(turns, 'A')).toEqual([{ for: 'a time', until: LATER }]);
    expect(waitsOf(turns, 'B')).toEqual([]);
    expect(findNextOpening(turns)).toBe(LATER);
    expect(findNextOpening(computeTurns(waiting, { ...floor(), now: LATER }))).toBeUndefined();
  });

  it('has room for other reasons, such as a parked task whose change it would touch', () => {
    const overlap = { for: 'a parked task', task: 'P', paths: ['src/a.ts', 'b', 'c', 'd'] } as const;
    const turns = computeTurns(
      [queued('A'), queued('B')],
      floor({}, { keptBy: ({ taskId }) => (taskId === 'A' ? [overlap] : []) }),
    );
    expect(turns.map(({ waits }) => waits)).toEqual([[overlap], []]);
    const halted = { for: 'another task', task: 'P', is: 'halted', by: 'scope' } as const;
    expect(describeQueueWait([halted, overlap], '')).toBe('waits for P, which is halted and needs you');
    expect(describeQueueWait([overlap], '')).toBe(
      'waits for P, which is set aside with a change in src/a.ts, b, c and 1 more',
    );
  });

  it('keeps back what is refused as it stands, and says so of those that wait for it', () => {
    const turns = computeTurns(
      [queued('P'), queued('A', { after: ['P'] }), queued('B')],
      floor({}, { isRefused: ({ taskId }) => taskId === 'P' }),
    );
    expect(waitsOf(turns, 'P')).toEqual([{ for: 'a correction' }]);
    expect(describeQueueWait(waitsOf(turns, 'A'), '')).toBe('waits for P, whose contract is refused');
    expect(waitsOf(turns, 'B')).toEqual([]);
  });
});

describe('a file that is no contract that can be read', () => {
  it('waits for a correction, and keeps nobody back', () => {
    const turns = computeTurns([queued(undefined), queued('A')], floor());
    expect(turns.map(({ waits }) => waits)).toEqual([[{ for: 'a correction', isUnread: true }], []]);
    expect(describeQueueWait(turns[0]?.waits ?? [], '')).toBe('is no contract that can be read');
  });
});

describe('a contract that can never begin as it stands', () => {
  const never = (waiting: readonly Queued[], known: Readonly<Record<string, Begun['is']>> = {}): QueuedTurn['never'] =>
    neverOf(computeTurns(waiting, floor(known)), 'A');

  it('names a task that nobody knows, with the one that may be meant', () => {
    const [why] = never([queued('A', { after: ['DOC-01'] })]);
    expect(why).toEqual({ key: 'after', at: 0, task: 'DOC-01', is: 'unknown' });
    if (why === undefined) return;
    expect(describeUnmetWait(why, ['DOC-001', 'OTHER']).example).toBe('"DOC-001"');
    expect(describeUnmetWait(why, []).example).toBeUndefined();
  });

  it('comes after one that was abandoned, or taken out again', () => {
    expect(never([queued('A', { after: ['P', 'Q'] })], { P: 'abandoned', Q: 'undone' })).toMatchObject([
      { at: 0, is: 'abandoned' },
      { at: 1, is: 'undone' },
    ]);
  });

  it('waits for itself, by whatever way; one that only waits for those does not', () => {
    const turns = computeTurns(
      [
        queued('A', { after: ['B'] }),
        queued('B', { after: ['C'] }),
        queued('C', { after: ['A'] }),
        queued('D', { after: ['A'] }),
      ],
      floor(),
    );
    expect(['A', 'B', 'C', 'D'].map((task) => neverOf(turns, task).length)).toEqual([1, 1, 1, 0]);
    const [why] = neverOf(turns, 'A');
    expect(why).toMatchObject({ is: 'circle', way: ['A', 'B', 'C', 'A'] });
    if (why !== undefined)
      expect(describeUnmetWait(why, []).expected).toContain('A waits for B waits for C waits for A');
    expect(waitsOf(turns, 'D')[0]).toMatchObject({ task: 'A', is: 'waiting' });
  });

  it('is in no circle with a task that has begun: that one waits for nothing any more', () => {
    const turns = computeTurns(
      [queued('A', { after: ['P'] }), queued('P', { after: ['A'] })],
      floor({ P: 'under way' }),
    );
    expect(neverOf(turns, 'A')).toEqual([]);
    expect(neverOf(turns, 'P')).toEqual([{ key: 'task_id', is: 'under way' }]);
  });

  it('has the id of one that came first, in whatever case, or of a task that is under way', () => {
    const waiting = [queued('doc', { name: 'queue/1.json' }), queued('A', { name: 'queue/2.json' })];
    const same = [...waiting, queued('DOC', { name: 'queue/3.json' })];
    expect(computeTurns(same, floor()).map((turn) => turn.never)).toEqual([
      [],
      [],
      [{ key: 'task_id', is: 'waiting', name: 'queue/1.json' }],
    ]);
    expect(never(waiting, { A: 'halted' })).toEqual([{ key: 'task_id', is: 'halted' }]);
    expect(never([queued('A', { goesFirst: true })], { A: 'halted' })).toEqual([]);
  });
});

describe('what is put somewhere by hand', () => {
  const waiting = [queued('A', { priority: 5 }), queued('B', { priority: 3 }), queued('C'), queued('D')];
  const put = (task: string, to: string, moves: readonly QueueMove[] = []): readonly QueueMove[] => {
    const turns = computeTurns(waiting, floor({}, { moves }));
    const moved = moveTo(turns, task, to === 'first' || to === 'last' ? { to } : { to: 'before', other: to });
    if (!moved.ok) throw new Error(moved.why);
    return [...moves, moved.value];
  };
  const order = (moves: readonly QueueMove[], all: readonly Queued[] = waiting): readonly (string | undefined)[] =>
    ids(computeTurns(all, floor({}, { moves })));

  it('goes before all others, behind them, or before one of them', () => {
    expect(order(put('C', 'first'))).toEqual(['C', 'A', 'B', 'D']);
    expect(order(put('A', 'last'))).toEqual(['B', 'C', 'D', 'A']);
    expect(order(put('D', 'B'))).toEqual(['A', 'D', 'B', 'C']);
    expect(order(put('A', 'C'))).toEqual(['B', 'A', 'C', 'D']);
  });

  it('stays there when others come, by their own priority, and when the one it was put before has begun', () => {
    const moves = put('D', 'B');
    expect(order(moves, [...waiting, queued('N', { priority: 4 })])).toEqual(['A', 'N', 'D', 'B', 'C']);
    expect(
      order(
        moves,
        waiting.filter(({ taskId }) => taskId !== 'B'),
      ),
    ).toEqual(['A', 'D', 'C']);
    expect(order(put('D', 'first'), [...waiting, queued('N', { priority: 99 })])).toEqual(['D', 'N', 'A', 'B', 'C']);
  });

  it('is moved again by a later hand', () => {
    expect(order(put('C', 'first', put('D', 'first')))).toEqual(['C', 'D', 'A', 'B']);
    expect(order(put('D', 'last', put('D', 'first')))).toEqual(['A', 'B', 'C', 'D']);
  });

  it('takes what it waits for along, and cannot go before it', () => {
    const chain = [queued('A'), queued('P'), queued('B', { after: ['P'] })];
    const turns = computeTurns(chain, floor());
    expect(moveTo(turns, 'B', { to: 'before', other: 'P' })).toEqual({
      ok: false,
      why: 'B cannot go before P: it waits for it',
    });
    expect(moveTo(turns, 'B', { to: 'before', other: 'B' }).ok).toBe(false);
    expect(order([{ task: 'B', to: 'first', before: [] }], chain)).toEqual(['P', 'B', 'A']);
  });
});

/** Contracts whose ids are a few letters, so that they wait for each other, for themselves in the end, and for strangers. */
const NAMES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
const aQueue = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({
          taskId: fc.constant(name),
          priority: fc.integer({ min: -1, max: 2 }),
          after: fc.uniqueArray(fc.constantFrom(...NAMES.filter((other) => other !== name), 'STRANGER'), {
            maxLength: 3,
          }),
          notBefore: fc.constantFrom(undefined, undefined, NOW, LATER),
        }),
      ),
    ),
  )
  .map((all) => all.map(({ taskId, ...said }) => queued(taskId, said)));
const someMoves = fc.array(
  fc.record({
    task: fc.constantFrom(...NAMES),
    to: fc.constantFrom('first', 'last', 'before'),
    before: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 4 }),
  }),
  { maxLength: 5 },
);

/** Whether a task leads back to itself, asked in the plainest way. */
function isInCircle(task: string, waiting: readonly Queued[]): boolean {
  const seen = new Set<string>();
  const visit = (one: string): boolean =>
    (waiting.find(({ taskId }) => taskId === one)?.after ?? []).some((other) => {
      if (other === task) return true;
      if (seen.has(other)) return false;
      seen.add(other);
      return visit(other);
    });
  return visit(task);
}

describe('whatever waits', () => {
  it('is all there, what comes before stands before, and at most one is next: the first that nothing keeps back', () => {
    fc.assert(
      fc.property(aQueue, someMoves, (waiting, moves) => {
        const turns = computeTurns(waiting, floor({}, { moves }));
        expect(new Set(turns.map(({ one }) => one))).toEqual(new Set(waiting));
        expect(turns).toHaveLength(waiting.length);
        const next = turns.filter(({ waits }) => waits.length === 0);
        expect(next).toEqual(turns.filter((turn) => !isKeptBack(turn)).slice(0, 1));
        for (const [at, { one }] of turns.entries())
          for (const other of turns.slice(at + 1))
            if (one.after.includes(other.one.taskId ?? ''))
              expect(isInCircle(one.taskId ?? '', waiting) || leadsToCircle(one, waiting)).toBe(true);
      }),
    );
  });

  it('shows every circle, and no other', () => {
    fc.assert(
      fc.property(aQueue, (waiting) => {
        const turns = computeTurns(waiting, floor());
        for (const { one, never } of turns) {
          const way = never.flatMap((why) => (why.is === 'circle' ? [why.way] : []))[0];
          expect(way !== undefined).toBe(isInCircle(one.taskId ?? '', waiting));
          for (const [at, task] of (way ?? []).slice(0, -1).entries())
            expect(waiting.find(({ taskId }) => taskId === task)?.after).toContain(way?.[at + 1]);
        }
      }),
    );
  });

  it('begins once its time has come and what it waits for is merged: nothing starves, and a merge always unblocks', () => {
    fc.assert(
      fc.property(aQueue, someMoves, (waiting, moves) => {
        const known: Record<string, Begun['is']> = {};
        const began: string[] = [];
        let left = waiting;
        let now = NOW;
        for (;;) {
          const turns = computeTurns(left, floor(known, { now, moves }));
          const next = turns.find(({ waits }) => waits.length === 0);
          const opens = findNextOpening(turns);
          if (next === undefined && opens === undefined) break;
          if (next === undefined) now = opens ?? now;
          else {
            const { taskId = '', after } = next.one;
            expect(after.every((task) => began.includes(task))).toBe(true);
            began.push(taskId);
            known[taskId] = 'merged';
            left = left.filter((one) => one !== next.one);
          }
        }
        const stuck = waiting.filter((one) => leadsToCircle(one, waiting) || leadsToStranger(one, waiting));
        expect(began.toSorted()).toEqual(
          waiting.flatMap((one) => (stuck.includes(one) ? [] : [one.taskId ?? ''])).toSorted(),
        );
      }),
    );
  });

  it('stands where it was put by hand, with nothing before it that it does not wait for', () => {
    fc.assert(
      fc.property(aQueue, someMoves, fc.nat(), (waiting, before, at) => {
        const { taskId = '' } = waiting[at % waiting.length] ?? {};
        const turns = computeTurns(
          waiting,
          floor({}, { moves: [...before, { task: taskId, to: 'first', before: [] }] }),
        );
        const ahead = ids(turns).slice(0, ids(turns).indexOf(taskId));
        for (const other of ahead) expect(leadsTo(taskId, other ?? '', waiting)).toBe(true);
      }),
    );
  });
});

function reach(task: string, waiting: readonly Queued[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [task];
  for (let one = open.pop(); one !== undefined; one = open.pop())
    for (const other of waiting.find(({ taskId }) => taskId === one)?.after ?? [])
      if (!found.has(other)) {
        found.add(other);
        open.push(other);
      }
  return found;
}

const leadsTo = (task: string, other: string, waiting: readonly Queued[]): boolean => reach(task, waiting).has(other);
const leadsToCircle = ({ taskId = '' }: Queued, waiting: readonly Queued[]): boolean =>
  [taskId, ...reach(taskId, waiting)].some((one) => isInCircle(one, waiting));
const leadsToStranger = ({ taskId = '' }: Queued, waiting: readonly Queued[]): boolean =>
  [...reach(taskId, waiting)].some((one) => waiting.every((other) => other.taskId !== one));

describe('a very long queue', () => {
  const chain = Array.from({ length: 20_000 }, (_, at) => queued(`T${at}`, { after: at === 0 ? [] : [`T${at - 1}`] }));

  it('is put in order without running out of stack', () => {
    expect(ids(computeTurns(chain.toReversed(), floor())).slice(0, 3)).toEqual(['T0', 'T1', 'T2']);
  });

  it('shows a circle at its far end', () => {
    const after = new Map(chain.map(({ taskId, after: those }) => [taskId ?? '', those]));
    after.set('T0', ['T1']);
    expect([...findCycles(after).keys()].toSorted()).toEqual(['T0', 'T1']);
  });
});
