import type { TaskRecord } from '../record/task-record.ts';
import { TERMINAL } from '../../base/names.ts';
import { foldJournal } from '../core/fold-journal.ts';
import type { Journal } from './journal.ts';

/** Every task's record, oldest first. */
export const readRecords = (journal: Journal | undefined): readonly TaskRecord[] =>
  (journal?.taskIds() ?? [])
    .map((id) => foldJournal(journal?.entries(id) ?? []))
    .filter((record) => record !== undefined);

/** The record of the task that has not ended and is not parked. */
export const findActiveRecord = (records: readonly TaskRecord[]): TaskRecord | undefined =>
  records.findLast(({ status, parked }) => !TERMINAL.includes(status) && parked === undefined);
