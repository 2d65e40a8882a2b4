import { TASK_ID } from '../../base/names.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import type { LineFacts } from '../line-facts.ts';
import { foldEntry } from '../record.ts';
import type { NotKnown } from './digest.ts';

/** One entry of a journal, in its place. */
export interface Told {
  readonly seq: number;
  readonly taskId: string;
  readonly entry: JournalEntry;
}

/** The entries of each task, oldest first; not those of the line as a whole, its rules and its notices. */
export function byTask<One extends { readonly taskId: string }>(
  told: readonly One[],
): ReadonlyMap<string, readonly One[]> {
  const tasks = new Map<string, One[]>();
  for (const one of told) {
    const known = tasks.get(one.taskId);
    if (known !== undefined) known.push(one);
    else if (TASK_ID.test(one.taskId)) tasks.set(one.taskId, [one]);
  }
  return tasks;
}

/** Everything that is known of one repository: what its journal tells, and what was looked at beside it. */
export interface Night {
  readonly name: string;
  readonly root: string;
  /** Every entry, in the order in which they were written. */
  readonly told: readonly Told[];
  /** What comes behind this entry is news. */
  readonly since: number;
  /** Where the line stands; undefined where nobody could look. */
  readonly line: LineFacts | undefined;
  /** Why nothing of its journal is believed, in words. */
  readonly damage: string | undefined;
  readonly judgeIsOutside: boolean;
  /** Merges that their targets were asked for, and whether they hold them. */
  readonly held: ReadonlyMap<string, boolean>;
  /** What could not be read. */
  readonly notKnown: readonly NotKnown[];
}

/** The story of one task: where it stands, and what is new of it. */
export interface Story {
  readonly taskId: string;
  readonly record: LineRecord;
  readonly entries: readonly JournalEntry[];
  readonly news: readonly News[];
}

/** A new entry, and the record as it was before it. */
export interface News {
  readonly entry: JournalEntry;
  readonly before: LineRecord | undefined;
}

/** Every task that the journal knows, oldest first; nothing is assumed of how many are open. */
export function storiesOf({ told, since }: Pick<Night, 'told' | 'since'>): readonly Story[] {
  return [...byTask(told)].flatMap(([taskId, entries]) => storyOf(taskId, entries, since) ?? []);
}

function storyOf(taskId: string, told: readonly Told[], since: number): Story | undefined {
  const news: News[] = [];
  let record: LineRecord | undefined;
  for (const { seq, entry } of told) {
    if (seq > since) news.push({ entry, before: record });
    record = foldEntry(record, entry);
  }
  return record === undefined ? undefined : { taskId, record, entries: told.map(({ entry }) => entry), news };
}

/** Text from outside as a digest holds it: one line, nothing that could steer a terminal, no secret. */
export const said = (text: string, width = 300): string => inOneTerminalLine(withoutSecrets(text), width);
