import type { Journal, ChainLink, WrittenEntry } from '../../wiring/open-journal.ts';
import { findJournalFile, readJournal } from '../../wiring/open-journal.ts';
import { listPastTasks, isEndEntry } from './load-journal.ts';
import { Problem } from '../../base/problem.ts';

/** A journal as it was read, or why nothing of it is believed. */
export interface ReadJournal {
  readonly told: readonly WrittenEntry[];
  readonly damage?: { readonly what: string; readonly remedy: string | null };
  /** That an end of it was there before and is not any more, in words. */
  readonly cut?: string;
}

/** What somebody changed in what was read already is found at the next reading of all of it, every so often. */
const WHOLE_MS = 10 * 60_000;
/** So many of the newest calls tell what is usual. */
export const NEWEST_CALLS = 200;

/** Reads a journal once. */
export function readOnce(state: string): ReadJournal {
  const reader = new JournalReader(state);
  try {
    return reader.read();
  } finally {
    reader.close();
  }
}

/**
 * Reads a journal again and again, each time only what was written since, along the chain; a journal that was cut, or
 * replaced by another, is read anew, and that is said from then on. It keeps one connection open, and locks nothing.
 */
export class JournalReader {
  readonly #place: { readonly state: string };
  readonly #wholeMs: number;
  #journal: Journal | undefined;
  #file: string | undefined;
  #upTo: ChainLink | undefined;
  #told: readonly WrittenEntry[] = [];
  #forgotten: ReadonlySet<string> = new Set();
  #readWhole = Number.NEGATIVE_INFINITY;
  #cut: string | undefined;

  constructor(state: string, { wholeMs = WHOLE_MS }: { readonly wholeMs?: number } = {}) {
    this.#place = { state };
    this.#wholeMs = wholeMs;
  }

  /** What there is now; a fault is told and ends nothing. */
  read(): ReadJournal {
    try {
      const brokenAt = this.#readOn();
      const cut = this.#cut === undefined ? {} : { cut: this.#cut };
      if (brokenAt === undefined) return { told: this.#told, ...cut };
      const what = `somebody else changed its journal, at entry ${brokenAt}`;
      return { told: [], damage: { what, remedy: 'andon doctor --journal' } };
    } catch (error) {
      this.close();
      const { what, remedy } = describeReadError(error);
      return { told: [], damage: { what: `its journal cannot be read (${what})`, remedy } };
    }
  }

  /** Lets go of all that was written of tasks which had ended before an entry, but for how they ended and for the newest calls. */
  forget(since: number): void {
    const past = listPastTasks(this.#told, since);
    const called = this.#told.filter(({ glance }) => glance.kind === 'called').slice(-NEWEST_CALLS);
    const kept = new Set([...called, ...this.#told.slice(-1)]);
    this.#told = this.#told.filter((one) => !past.has(one.taskId) || isEndEntry(one) || kept.has(one));
    this.#forgotten = past;
  }

  close(): void {
    this.#journal?.close();
    this.#journal = undefined;
    this.#file = undefined;
  }

  /** Where the chain breaks; undefined where it is whole. */
  #readOn(): number | undefined {
    const file = findJournalFile(this.#place);
    if (file !== this.#file || file === undefined) this.#open(file);
    const isDue = performance.now() - this.#readWhole > this.#wholeMs;
    const news = isDue || this.#upTo === undefined ? undefined : this.#journal?.readOn(this.#upTo);
    const isForgotten = news?.entries.some(({ taskId }) => this.#forgotten.has(taskId)) === true;
    if (news === undefined || news.brokenAt !== undefined || isForgotten) return this.#readAnew();
    this.#told = news.entries.length === 0 ? this.#told : [...this.#told, ...news.entries];
    this.#upTo = news.upTo;
    return undefined;
  }

  #open(file: string | undefined): void {
    this.close();
    this.#journal = readJournal(this.#place);
    this.#file = this.#journal === undefined ? undefined : file;
  }

  #readAnew(): number | undefined {
    const { entries = [], brokenAt, upTo } = this.#journal?.readOn() ?? {};
    const before = this.#upTo;
    if (before !== undefined && brokenAt === undefined && this.#journal?.readOn(before) === undefined)
      this.#cut = `its journal was cut or replaced by another: ${before.seq} entries were known, ${upTo?.seq ?? 0} are there`;
    this.#told = brokenAt === undefined ? entries : [];
    this.#upTo = brokenAt === undefined ? upTo : before;
    this.#forgotten = new Set();
    this.#readWhole = brokenAt === undefined ? performance.now() : Number.NEGATIVE_INFINITY;
    return brokenAt;
  }
}

/** What went wrong, and what to type next where that is known. */
export function describeReadError(error: unknown): { readonly what: string; readonly remedy: string | null } {
  if (error instanceof Problem) return { what: error.message, remedy: error.remedy };
  return { what: error instanceof Error ? error.message : String(error), remedy: null };
}
