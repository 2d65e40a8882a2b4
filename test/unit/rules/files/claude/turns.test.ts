import { expect, it } from 'vitest';
import { countTurns, type TurnRow } from '../../../../../src/rules/files/claude/turns.ts';

const row = (change: Partial<TurnRow>): TurnRow => ({
  at: '2026-11-23T12:00:00.000Z',
  turn: 's1 p1 ',
  event: 'Stop',
  root: '/repositories/a',
  back: null,
  warned: false,
  ...change,
});

it('counts a turn once however often it went back, guard by guard, and only those of this repository', () => {
  const rows = [
    row({ back: 'ResponseValidator' }),
    row({ back: 'ReviewGate' }),
    row({ back: 'ResponseValidator' }),
    row({ warned: true }),
    row({ turn: 's1 p2 ' }),
    row({ turn: 's2 p1 ', root: '/repositories/b', back: 'Rules' }),
  ];
  expect(countTurns(rows, (root) => root === '/repositories/a')).toEqual({
    turns: 2,
    sentBack: 3,
    by: { ResponseValidator: 2, ReviewGate: 1 },
    warned: 1,
  });
});

it('that nothing was noted of is nothing', () => {
  expect(countTurns([], () => true)).toEqual({ turns: 0, sentBack: 0, by: {}, warned: 0 });
});
