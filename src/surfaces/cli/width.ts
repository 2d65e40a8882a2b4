import truncated from 'fast-string-truncated-width';

/** The columns that a line may take: those of the terminal, or `COLUMNS` where one is set; without end in a pipe. */
export function columns(env: NodeJS.ProcessEnv): number {
  const named = Number(env['COLUMNS']);
  if (process.stdout.isTTY && process.stdout.columns > 0) return process.stdout.columns;
  return Number.isInteger(named) && named > 0 ? named : Number.POSITIVE_INFINITY;
}

/** A text cut to so many columns, wide characters counted as they are shown; what is cut off is said by `…`. */
export function fitted(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  const { index, ellipsed } = truncated(text, { limit: Math.max(1, width), ellipsis: '…', ellipsisWidth: 1 });
  return ellipsed ? `${text.slice(0, index)}…` : text;
}

/** The same, filled up with spaces to exactly that width. */
export function inColumn(text: string, width: number): string {
  const cut = fitted(text, width);
  return cut + ' '.repeat(Math.max(0, width - shownWidth(cut)));
}

/** How many columns a text takes. */
export const shownWidth = (text: string): number => truncated(text).width;
