import { expect, it } from 'vitest';
import { computeCost, computeCostsByDay, sum } from '../../../../src/line/core/cost.ts';
import { called, started } from '../../../support/records.ts';

const at = (day: number): { readonly at: string } => ({ at: `2026-01-1${day}T23:59:59.000Z` });
const ENTRIES = [
  started({ ...at(5) }),
  called({ ...at(5), usd: 0.5 }),
  started({ ...at(5), call: 2 }), // over midnight
  called({ ...at(6), call: 2, usd: 0.25 }),
  started({ ...at(8), call: 3 }),
  called({ ...at(8), call: 3, usd: 1 }),
];

it('puts every call on the day on which it ended, and leaves out days without one', () => {
  expect(computeCostsByDay(ENTRIES).map(({ day, usd, calls }) => [day, usd, calls])).toEqual([
    ['2026-01-15', 0.5, 1],
    ['2026-01-16', 0.25, 1],
    ['2026-01-18', 1, 1],
  ]);
});

it('comes to the same over all days as the task has cost', () => {
  expect(sum(computeCostsByDay(ENTRIES))).toEqual(computeCost(ENTRIES).total);
  expect(computeCostsByDay([])).toEqual([]);
});
