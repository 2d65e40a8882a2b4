import { groupByTask } from '../digest/repository-night.ts';
import { NO_JOURNAL, findJournalFile, readJournal } from '../journal/open-journal.ts';
import { Problem } from '../../base/problem.ts';
import { TERMINAL } from '../../base/names.ts';
import type { ChainLink, Journal, WrittenEntry } from '../journal/journal.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

export interface ReadJournal {
  readonly entries: readonly WrittenEntry[];
  readonly damage?: { readonly what: string; readonly remedy: string | null };
  /** That its end is missing since an earlier read, in words. */
  readonly cut?: string;
}

/** The whole journal is read again this often, to find changes in entries read before. */
const WHOLE_MS = 10 * 60_000;
/** The newest calls from which usual durations are estimated. */
export const NEWEST_CALLS = 200;

export function readOnce(state: string): ReadJournal {
  const reader = new JournalReader(state);
  try {
    return reader.read();
  } finally {
    reader.close();
  }
}

/**
 * Reads a journal repeatedly, each time only new entries, along the chain. A journal that was cut or replaced is read
 * whole and reported from then on. Keeps one connection open, and locks nothing.
 */
export class JournalReader {
  readonly #place: { readonly state: string };
  readonly #wholeMs: number;
  #journal: Journal | undefined;
  #file: string | undefined;
  #upTo: ChainLink | undefined;
  #entries: readonly WrittenEntry[] = [];
  #forgotten: ReadonlySet<string> = new Set();
  #readWhole = Number.NEGATIVE_INFINITY;
  #cut: string | undefined;

  constructor(state: string, { wholeMs = WHOLE_MS }: { readonly wholeMs?: number } = {}) {
    this.#place = { state };
    this.#wholeMs = wholeMs;
  }

  read(): ReadJournal {
    try {
      const brokenAt = this.#readOn();
      const cut = this.#cut === undefined ? {} : { cut: this.#cut };
      if (brokenAt === undefined) return { entries: this.#entries, ...cut };
      const what = `another program changed its journal, at entry ${brokenAt}`;
      return { entries: [], damage: { what, remedy: 'andon doctor --journal' } };
    } catch (error) {
      this.close();
      const { what, remedy } = describeReadError(error);
      return { entries: [], damage: { what: `its journal cannot be read (${what})`, remedy } };
    }
  }

  /** Drops entries of tasks that had ended before an entry, except their ends and the newest calls. */
  forget(since: number): void {
    const past = listPastTasks(this.#entries, since);
    const called = this.#entries.filter(({ glance }) => glance.kind === 'called').slice(-NEWEST_CALLS);
    const kept = new Set([...called, ...this.#entries.slice(-1)]);
    this.#entries = this.#entries.filter((one) => !past.has(one.taskId) || isEndEntry(one) || kept.has(one));
    this.#forgotten = past;
  }

  close(): void {
    this.#journal?.close();
    this.#journal = undefined;
    this.#file = undefined;
  }

  /** The entry at which the chain breaks; undefined where it is whole. */
  #readOn(): number | undefined {
    const file = findJournalFile(this.#place);
    if (file !== this.#file || file === undefined) this.#open(file);
    const isDue = performance.now() - this.#readWhole > this.#wholeMs;
    const news = isDue || this.#upTo === undefined ? undefined : this.#journal?.readOn(this.#upTo);
    const isForgotten = news?.entries.some(({ taskId }) => this.#forgotten.has(taskId)) === true;
    if (news === undefined || news.brokenAt !== undefined || isForgotten) return this.#readWholeJournal();
    this.#entries = news.entries.length === 0 ? this.#entries : [...this.#entries, ...news.entries];
    this.#upTo = news.upTo;
    return undefined;
  }

  #open(file: string | undefined): void {
    this.close();
    this.#journal = readJournal(this.#place);
    this.#file = this.#journal === undefined ? undefined : file;
  }

  #readWholeJournal(): number | undefined {
    const { entries = [], brokenAt, upTo } = this.#journal?.readOn() ?? {};
    const before = this.#upTo;
    if (before !== undefined && brokenAt === undefined && this.#journal?.readOn(before) === undefined)
      this.#cut = `its journal was cut or replaced by another: ${before.seq} entries were known, ${upTo?.seq ?? 0} are there`;
    this.#entries = brokenAt === undefined ? entries : [];
    this.#upTo = brokenAt === undefined ? upTo : before;
    this.#forgotten = new Set();
    this.#readWhole = brokenAt === undefined ? performance.now() : Number.NEGATIVE_INFINITY;
    return brokenAt;
  }
}

export function describeReadError(error: unknown): { readonly what: string; readonly remedy: string | null } {
  if (error instanceof Problem) return { what: error.message, remedy: error.remedy };
  return { what: getErrorMessage(error), remedy: null };
}

/** Entries that concern a digest: of tasks that are open or have news, and of the line as a whole. */
export function selectConcerned(entries: readonly WrittenEntry[], since: number): readonly WrittenEntry[] {
  const past = listPastTasks(entries, since);
  return entries.filter(({ taskId }) => !past.has(taskId));
}

const listPastTasks = (entries: readonly WrittenEntry[], since: number): ReadonlySet<string> =>
  new Set([...groupByTask(entries)].flatMap(([taskId, own]) => (isPast(own, since) ? [taskId] : [])));

const isEndEntry = ({ glance: { kind, to } }: WrittenEntry): boolean =>
  kind === 'undone' || (kind === 'moved' && TERMINAL.some((status) => status === to));

/** A task that had ended before; an unreadable entry counts as open. */
function isPast(entries: readonly WrittenEntry[], since: number): boolean {
  if ((entries.at(-1)?.seq ?? 0) > since) return false;
  const last = entries.findLast(
    ({ glance: { kind } }) => kind !== 'notified' && kind !== 'undone' && kind !== 'cleaned',
  );
  return last?.glance.kind === 'moved' && TERMINAL.some((status) => status === last.glance.to);
}

/** A journal over entries read before. Of tasks that are not concerned it has only the names and ends. */
export function loadJournal(entries: readonly WrittenEntry[], concerned: readonly WrittenEntry[]): Journal {
  const stories = new Map<string, WrittenEntry[]>();
  for (const one of concerned) {
    const known = stories.get(one.taskId);
    if (known === undefined) stories.set(one.taskId, [one]);
    else known.push(one);
  }
  return {
    ...NO_JOURNAL,
    // The order of the queue needs the end of every task.
    since: (seq) =>
      entries.flatMap((one) =>
        one.seq > seq && (isEndEntry(one) || stories.has(one.taskId))
          ? [{ seq: one.seq, taskId: one.taskId, hash: '', entry: one.entry }]
          : [],
      ),
    entries: (taskId) => (stories.get(taskId) ?? []).map(({ entry }) => entry),
    taskIds: () => [...groupByTask(entries).keys()],
    head: () => entries.at(-1)?.seq ?? 0,
  };
}
