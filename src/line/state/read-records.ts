import type { TaskRecord } from '../record/task-record.ts';
import { foldJournal } from '../core/fold-journal.ts';
import type { Journal } from './journal.ts';

/** Every task's record, oldest first. */
export const readRecords = (journal: Journal | undefined): readonly TaskRecord[] =>
  (journal?.taskIds() ?? [])
    .map((id) => foldJournal(journal?.entries(id) ?? []))
    .filter((record) => record !== undefined);
