import type { FoundSecret } from './found-secret.ts';
import { isPassword, isPasswordLike } from './values.ts';

/** Cells below a head that says password, in tables of Markdown and of comma-separated values. */
export function findTableSecrets(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [...insertedSecrets(text)];
  if (!HEAD.test(text)) return found;
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

const INSERT =
  /\binsert\s{1,4}(?:ignore\s{1,4})?into\s{1,4}[^\s(]{1,100}\s{0,4}\((?<heads>[^()]{1,2000})\)\s{0,40}values\s{0,40}(?=\()/gi;
const TUPLE = /,?\s{0,40}\((?<cells>(?:[^()'"]|'(?:[^'\n\\]|''|\\.){0,2000}'|"[^"\n]{0,2000}"){1,4000})\)/y;
const CELL = /\s*(?:N?'(?<value>(?:[^'\n\\]|''|\\.)*)'|[^,]*)\s*(?:,|$)/gy;

/** Values that SQL inserts into a column that says password. */
function insertedSecrets(text: string): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const insert of text.matchAll(INSERT)) {
    const secret = (insert.groups?.['heads'] ?? '')
      .split(',')
      .flatMap((head, column) => (NAME.test(bare(head)) ? [column] : []));
    if (secret.length === 0) continue;
    TUPLE.lastIndex = insert.index + insert[0].length;
    for (let tuple = TUPLE.exec(text); tuple !== null; tuple = TUPLE.exec(text)) {
      const cells = tuple.groups?.['cells'] ?? '';
      const from = tuple.index + tuple[0].length - 1 - cells.length;
      for (const [column, cell] of [...cells.matchAll(CELL)].entries()) {
        const value = cell.groups?.['value'] ?? '';
        if (!secret.includes(column) || !isPassword(value)) continue;
        const start = from + cell.index + cell[0].indexOf(value);
        found.push({ start, end: start + value.length, what: 'a password in a table' });
      }
    }
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
