import type { TaskRecord } from '../record/task-record.ts';
import { foldJournal } from '../core/fold-journal.ts';
import type { Journal } from './journal.ts';

/** The record of one task; undefined where it was never admitted. */
export const readRecord = (journal: Journal | undefined, taskId: string): TaskRecord | undefined =>
  foldJournal(journal?.entries(taskId) ?? []);

/** Every task's record, oldest first. */
export const readRecords = (journal: Journal | undefined): readonly TaskRecord[] =>
  (journal?.taskIds() ?? []).flatMap((id) => readRecord(journal, id) ?? []);
