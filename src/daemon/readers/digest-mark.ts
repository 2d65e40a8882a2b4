import { readJson } from '../../base/json.ts';
import type { WrittenEntry } from '../../ports/journal.ts';
import { openDir } from '../../wiring/files.ts';

/** The end of the last digest: its moment, and the last entry of each journal, by state folder. */
export interface DigestMark {
  readonly at: string;
  readonly heads: Readonly<Record<string, number>>;
  /** The day of a digest that was sent on schedule. */
  readonly day?: string | undefined;
}

const LARGEST = 1024 * 1024;

/** The mark of the last digest; undefined without one, a reason where it cannot be read. */
export function readMark(folder: string, file: string): DigestMark | string | undefined {
  const read = openDir(folder).text(file, LARGEST);
  if (!read.ok) return read.why;
  if (read.value === undefined) return undefined;
  const json = readJson(read.value);
  const { at, heads, day } = Object(json.ok ? json.value.value : undefined) as Partial<
    Record<keyof DigestMark, unknown>
  >;
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at)) || typeof heads !== 'object' || heads === null)
    return 'holds no mark of a digest';
  return { at, heads: heads as DigestMark['heads'], ...(typeof day === 'string' ? { day } : {}) };
}

export const writeMark = (folder: string, file: string, mark: DigestMark): void =>
  void openDir(folder).write(file, `${JSON.stringify(mark)}\n`);

/** The last entry before the news: by its number in the mark, else by the clock. */
export function findNewsStart(told: readonly WrittenEntry[], at: string, head: unknown): number {
  const last = told.at(-1)?.seq ?? 0;
  if (typeof head === 'number' && head <= last) return head;
  const first = told.find(({ glance }) => typeof glance.at === 'string' && glance.at >= at);
  return first === undefined ? last : first.seq - 1;
}
