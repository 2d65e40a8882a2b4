import { fitToWidth, measureWidth } from '../../base/text-width.ts';

/** The columns that a line may take: those of the terminal, or `COLUMNS` where one is set; without end in a pipe. */
export function getColumns(env: NodeJS.ProcessEnv): number {
  const named = Number(env['COLUMNS']);
  if (process.stdout.isTTY && process.stdout.columns > 0) return process.stdout.columns;
  return Number.isInteger(named) && named > 0 ? named : Number.POSITIVE_INFINITY;
}

export function padToColumn(text: string, width: number): string {
  const cut = fitToWidth(text, width);
  return cut + ' '.repeat(Math.max(0, width - measureWidth(cut)));
}
