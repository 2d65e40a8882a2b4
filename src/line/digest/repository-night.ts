import { TASK_ID } from '../../base/names.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import type { LineFacts } from '../words/line-facts.ts';
import { foldEntry } from '../core/fold-journal.ts';
import type { PlacedEntry } from '../journal/journal.ts';
import type { DataGap } from './digest.ts';

/** The entries of each task, oldest first, without those of the line as a whole, rules and notices. */
export function groupByTask<One extends { readonly taskId: string }>(
  all: readonly One[],
): ReadonlyMap<string, readonly One[]> {
  const tasks = new Map<string, One[]>();
  for (const one of all) {
    const known = tasks.get(one.taskId);
    if (known !== undefined) known.push(one);
    else if (TASK_ID.test(one.taskId)) tasks.set(one.taskId, [one]);
  }
  return tasks;
}

export interface RepositoryNight {
  readonly name: string;
  readonly root: string;
  /** Every entry, in the order of writing. */
  readonly entries: readonly PlacedEntry[];
  /** Entries after this one are new. */
  readonly since: number;
  /** The state of the line; undefined where it is unknown. */
  readonly line: LineFacts | undefined;
  /** Why its journal is not trusted, in words. */
  readonly damage: string | undefined;
  /** Merges that were looked up in their targets, with the result. */
  readonly held: ReadonlyMap<string, boolean>;
  /** What could not be read. */
  readonly notKnown: readonly DataGap[];
}

export interface TaskStory {
  readonly taskId: string;
  readonly record: TaskRecord;
  readonly entries: readonly JournalEntry[];
  readonly news: readonly RecordChange[];
}

export interface RecordChange {
  readonly entry: JournalEntry;
  readonly before: TaskRecord | undefined;
}

/** Every task in the journal, oldest first, any number of them open. */
export function listStories({ entries, since }: Pick<RepositoryNight, 'entries' | 'since'>): readonly TaskStory[] {
  return [...groupByTask(entries)].flatMap(([taskId, own]) => storyOf(taskId, own, since) ?? []);
}

function storyOf(taskId: string, all: readonly PlacedEntry[], since: number): TaskStory | undefined {
  const news: RecordChange[] = [];
  let record: TaskRecord | undefined;
  for (const { seq, entry } of all) {
    if (seq > since) news.push({ entry, before: record });
    record = foldEntry(record, entry);
  }
  return record === undefined ? undefined : { taskId, record, entries: all.map(({ entry }) => entry), news };
}

/** External text for a digest: one line, without terminal control or secrets. */
export const toDigestLine = (text: string, width = 300): string => toTerminalLine(withoutSecrets(text), width);
