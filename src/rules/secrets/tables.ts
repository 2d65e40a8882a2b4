import type { FoundSecret } from './found-secret.ts';
import { isPasswordLike } from './values.ts';

/** Cells below a head that says password, in tables of Markdown and of comma-separated values. */
export function secretsInTables(text: string): readonly FoundSecret[] {
  if (!HEAD.test(text)) return [];
  const found: FoundSecret[] = [];
  let columns: Columns | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const head = headOf(line);
    if (head !== undefined) columns = head;
    else if (columns !== undefined && !line.includes(columns.sign)) columns = undefined;
    else if (columns !== undefined) found.push(...secretsInRow(line, at, columns));
    at += line.length + 1;
  }
  return found;
}

interface Columns {
  /** What parts the cells of a line. */
  readonly sign: string;
  readonly count: number;
  readonly secret: readonly number[];
}

const HEAD =
  /(?:^|[|,;\t])[ "*]{0,4}(?:\w{0,20}[ _-]?)?(?:password|passwd|pwd|secret|token|api[ _-]?key|passwort|kennwort)[ "*]{0,4}(?:[|,;\t]|\r?$)/im;
const NAME = /^(?:[\w]{0,20}[ _-]?)?(?:password|passwd|pwd|secret|token|api[ _-]?key|passwort|kennwort)$/i;

function headOf(line: string): Columns | undefined {
  if (line.length > LONGEST || !HEAD.test(line)) return undefined;
  for (const sign of ['|', ',', ';', '\t']) {
    const cells = line.split(sign).map(bare);
    const secret = cells.flatMap((cell, column) => (NAME.test(cell) ? [column] : []));
    const isHead = cells.every((cell) => /^[\p{L}\p{N} _.()-]{0,40}$/u.test(cell));
    if (cells.length > 1 && secret.length > 0 && isHead) return { sign, count: cells.length, secret };
  }
  return undefined;
}

function secretsInRow(line: string, at: number, { sign, count, secret }: Columns): readonly FoundSecret[] {
  if (line.length > LONGEST) return [];
  const cells = line.split(sign);
  if (cells.length !== count) return [];
  return secret.flatMap((column) => {
    const value = bare(cells[column] ?? '');
    const start =
      at + cells.slice(0, column).join(sign).length + (cells[column] ?? '').indexOf(value) + (column > 0 ? 1 : 0);
    return isPasswordLike(value) ? [{ start, end: start + value.length, what: 'a password in a table' }] : [];
  });
}

const bare = (cell: string): string => cell.trim().replace(/^["'`*]+|["'`*]+$/g, '');
const LONGEST = 2000;
