import { readDiff, type DiffRow } from '../../../base/read-diff.ts';

/** One file of a diff in a report; the figures count the shown rows. */
export interface ShownDiff {
  readonly name: string;
  readonly rows: readonly DiffRow[];
  readonly added: number;
  readonly deleted: number;
}

/** Longer rows are cut: a minified file is one row. */
const ROW_WIDTH = 600;

/** Splits a patch into its files, up to `limit` rows in all, and counts the rest. */
export function limitDiff(
  patch: string,
  limit: number,
): { readonly files: readonly ShownDiff[]; readonly hidden: number } {
  const all = patch.replace(/\n$/, '').split('\n');
  const files = readDiff(all.slice(0, limit).join('\n')).map(({ path, rows }) => ({
    name: path,
    rows: rows.map((row) => ({ ...row, text: shorten(row.text) })),
    added: rows.filter(({ kind }) => kind === 'added').length,
    deleted: rows.filter(({ kind }) => kind === 'removed').length,
  }));
  return { files, hidden: Math.max(0, all.length - limit) };
}

const shorten = (text: string): string =>
  text.length > ROW_WIDTH ? `${text.slice(0, ROW_WIDTH)}… (${text.length - ROW_WIDTH} more characters)` : text;
