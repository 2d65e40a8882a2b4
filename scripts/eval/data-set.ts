import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One number that a set yields. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** A share is shown as a percentage. */
  readonly isShare?: boolean;
  /** Absent: the figure is only told. */
  readonly goal?: { readonly must: 'at least' | 'at most'; readonly limit: number };
  /** What a simpler way reaches on this kind of data, in words. */
  readonly baseline?: string;
}

/** A row of the file. */
export type Row = Readonly<Record<string, unknown>>;

/** What a set came to: its figures, and the rows that came out otherwise than expected. */
export interface Measured {
  readonly rows: number;
  readonly figures: readonly Figure[];
  readonly misses: readonly string[];
}

/**
 * One kind of data set. To add one: a file in `sets/` with its name (`<name>.jsonl`, in the folder or in its `outside/`)
 * and how it is measured, and a line in `sets/index.ts`. What is made by code (`made`) is asked with no rows.
 */
export interface DataSet {
  readonly name: string;
  /** A name under which several sets are measured together. */
  readonly group?: string;
  /** Its rows are made from templates, and lie in no file. */
  readonly made?: true;
  readonly measure: (rows: readonly Row[], file: string) => Promise<Measured> | Measured;
}

/** The path of a set in a folder; undefined if it is absent. */
export function findSet(folder: string, name: string): string | undefined {
  return [join(folder, `${name}.jsonl`), join(folder, 'outside', `${name}.jsonl`)].find(existsSync);
}

/** The rows of a JSON Lines file, at least one: a share of nothing reaches every goal. */
export function readRows(file: string): readonly Row[] {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [rowOf(line, `${file}:${at + 1}`)]));
  if (rows.length === 0) throw new WrongData(`${file} holds no rows: write one JSON object per line`);
  return rows;
}

/** An invalid data set: an error of its author. */
export class WrongData extends Error {}

function rowOf(line: string, place: string): Row {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row === 'object' && row !== null) return row as Row;
  } catch {
    // Said below.
  }
  throw new WrongData(`${place}: expected one JSON object per line`);
}

/** A field of a row that must be a text. */
export function textOf(row: Row, key: string, file: string): string {
  const value = row[key];
  if (typeof value !== 'string') throw new WrongData(`${file}: row ${JSON.stringify(row['id'])} has no text "${key}"`);
  return value;
}

/** A share of a whole; a share of nothing is 1 for what should be high. */
export const share = (part: number, whole: number, ofNothing = 1): number => (whole === 0 ? ofNothing : part / whole);
