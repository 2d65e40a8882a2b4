import { basename, join } from 'node:path';
import { openDir } from '../../base/system/safe-fs.ts';
import { fileIdentity, followEvents } from './follow-events.ts';
import { openJournal } from './sqlite-journal.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { maskKnownEntry } from '../record/read-entry.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import type { Journal } from './journal.ts';
import { Problem } from '../../base/problem.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** A journal in which nothing was ever written; for commands that only look. */
export const NO_JOURNAL: Journal = {
  append: () => ({ seq: 0, hash: '' }),
  entries: () => [],
  since: () => [],
  readOn: () => ({ entries: [], brokenAt: undefined, upTo: { seq: 0, hash: '' } }),
  head: () => 0,
  taskIds: () => [],
  verify: () => undefined,
  verifyOnDisk: () => undefined,
  close: () => {},
};

/** The journal for reading; undefined when no task was ever admitted here (or a first daemon is just making it). */
export function readJournal(place: Pick<Workspace, 'state'>): Journal | undefined {
  const file = findJournal(place);
  if (openDir(place.state).stat(basename(file)) === undefined) return undefined;
  try {
    return openJournal(file, { readOnly: true });
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such table')) return undefined;
    throw error;
  }
}

/** Opens the journal for reading while `work` runs. */
export async function usingJournal<Value>(
  place: Pick<Workspace, 'state'>,
  work: (journal: Journal | undefined) => Promise<Value> | Value,
): Promise<Value> {
  const journal = readJournal(place);
  try {
    return await work(journal);
  } finally {
    journal?.close();
  }
}

/** The entries of one task; none without a journal. */
export function readEntries(place: Pick<Workspace, 'state'>, taskId: string): readonly JournalEntry[] {
  const journal = readJournal(place);
  try {
    return journal?.entries(taskId) ?? [];
  } finally {
    journal?.close();
  }
}

/** The identity of the journal file, for readers that keep it open; undefined while it does not exist. */
export const findJournalFile = (place: Pick<Workspace, 'state'>): string | undefined =>
  fileIdentity(findJournal(place));

/** Opens the journal for writing. Refused if its chain is broken, because new entries would extend it. */
export function openWritableJournal(place: Workspace): Journal {
  const { state } = place;
  const journal = openJournal(findJournal(place));
  const damage = damageOf(journal, state);
  if (damage === undefined)
    return { ...journal, append: (taskId, entries) => journal.append(taskId, entries.map(maskKnownEntry)) };
  journal.close();
  throw new Problem(
    'journal-damaged',
    damage,
    `restore it from a backup; nothing was changed. Or start again without it: mv ${join(state, 'journal.sqlite')}* somewhere else; git and ${HANDOFF}/${FILES.archive}/ keep all work; merged work is not merged again; costs and halts are forgotten`,
    1,
  );
}

function damageOf(journal: Journal, state: string): string | undefined {
  try {
    const at = journal.verify();
    return at === undefined ? undefined : `the journal in ${state} is damaged at entry ${at}`;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    return `the journal in ${state} cannot be read: ${getErrorMessage(error)}`;
  }
}

/** The path of the journal. A link is refused: SQLite would follow it and make a journal there. */
export function findJournal({ state }: Pick<Workspace, 'state'>): string {
  const door = openDir(state);
  for (const beside of ['-wal', '-shm']) door.plain(`journal.sqlite${beside}`);
  return door.plain('journal.sqlite');
}

/** What happens in the repository of a place, for logs and boards; nothing is held or locked for it. */
export const openEvents = (place: Pick<Workspace, 'state'>) =>
  followEvents(findJournal(place), () => readJournal(place));
