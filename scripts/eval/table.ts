import type { Figure, Measured } from './data-set.ts';

/** A measured set and its name. */
export interface Outcome {
  readonly name: string;
  readonly measured: Measured;
}

/** Whether a figure reaches its goal; one that is no number reaches none. */
export function isReached({ value, goal }: Figure): boolean {
  if (goal === undefined) return true;
  return goal.must === 'at least' ? value >= goal.limit : value <= goal.limit;
}

/** The outcomes as a Markdown table that is also legible as plain text. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ name, measured }) =>
    measured.figures.map((figure) => [
      name,
      String(measured.rows),
      figure.name,
      `${shown(figure, figure.value)}${isReached(figure) ? '' : ' MISSED'}`,
      figure.goal === undefined
        ? ''
        : `${figure.goal.must === 'at least' ? '≥' : '≤'} ${shown(figure, figure.goal.limit)}`,
      figure.baseline ?? '',
    ]),
  );
  const all = [['set', 'rows', 'figure', 'andon', 'goal', 'baseline'], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return `${lines.join('\n')}\n`;
}

const shown = ({ isShare }: Figure, value: number): string =>
  isShare === true ? `${(value * 100).toFixed(1)} %` : value.toFixed(3);
