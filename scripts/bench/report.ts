import type { Bound } from './bounds.ts';
import { median } from './figures.ts';

/** One side of a comparison, as it was measured. */
export interface Side {
  readonly label: string;
  readonly unit: string;
  readonly values: readonly number[];
}

/** A figure that is held to the bound with the same key; without such a bound it is only told. */
export interface Figure {
  readonly key: string;
  readonly label: string;
  readonly value: number;
}

/** What a run found out. */
export interface Measured {
  readonly name: string;
  readonly notes: readonly string[];
  readonly sides: readonly Side[];
  readonly figures: readonly Figure[];
}

export interface Verdict {
  readonly figure: Figure;
  readonly bound: Bound | undefined;
  readonly kept: boolean;
}

/** Holds every figure to its bound. A figure that is no number keeps none. */
export function judgeFigures(measured: Measured, bounds: readonly Bound[]): readonly Verdict[] {
  return measured.figures.map((figure) => {
    const bound = bounds.find(({ key }) => key === figure.key);
    const kept =
      bound === undefined || (bound.must === 'at most' ? figure.value <= bound.limit : figure.value >= bound.limit);
    return { figure, bound, kept };
  });
}

/** The table for people. */
export function renderTable(measured: Measured, verdicts: readonly Verdict[]): string {
  const sides = measured.sides.map(({ label, unit, values }) => [
    label,
    `${round(median(values))} ${unit}`,
    values.length === 1
      ? ''
      : `median of ${values.length}; ${round(Math.min(...values))} to ${round(Math.max(...values))}`,
  ]);
  const goals = verdicts.map(({ figure, bound, kept }) => [
    bound?.id ?? '',
    bound?.goal ?? figure.label,
    `${round(figure.value)}${bound?.unit ? ` ${bound.unit}` : ''}`,
    bound === undefined
      ? 'no bound'
      : `${bound.must} ${bound.limit}${bound.unit ? ` ${bound.unit}` : ''}: ${kept ? 'kept' : 'BROKEN'}`,
  ]);
  return [
    `bench ${measured.name}`,
    ...measured.notes.map((note) => `  ${note}`),
    '',
    ...columns(sides),
    '',
    ...columns(goals),
    '',
  ].join('\n');
}

/** The same for programs, with every raw value. */
export function renderJson(measured: Measured, verdicts: readonly Verdict[]): string {
  const figures = verdicts.map(({ figure, bound, kept }) => ({
    ...figure,
    id: bound?.id ?? null,
    must: bound?.must ?? null,
    limit: bound?.limit ?? null,
    kept,
  }));
  return `${JSON.stringify({ ...measured, sides: measured.sides.map((side) => ({ ...side, median: median(side.values) })), figures }, null, 2)}\n`;
}

const round = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(value < 10 ? 2 : 1);

function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd());
}
