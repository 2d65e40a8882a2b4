import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import { selectConcerned, loadJournal } from '../../../../src/line/readers/journal-reader.ts';
import type { WrittenEntry } from '../../../../src/line/journal/journal.ts';
import { AT, admitted, moved, started } from '../../../support/records.ts';

/** A journal as it is read at once. */
const rows = (...parts: readonly (readonly [taskId: string, entry: JournalEntry])[]): readonly WrittenEntry[] =>
  parts.map(([taskId, entry], at) => ({ seq: at + 1, taskId, entry, glance: entry }));

const merged = moved('pass', 'review_complete', 'merged');
const told: JournalEntry = { kind: 'notified', at: AT, key: 'merged:1', channel: 'command' };

describe('what of a journal concerns a digest', () => {
  const journal = rows(
    ['OVER-1', admitted()],
    ['OVER-1', merged],
    ['OVER-1', told],
    ['OPEN-2', admitted()],
    ['(line)', { kind: 'paused', at: AT, by: 'me' }],
    ['AGAIN-3', merged],
    ['AGAIN-3', admitted()],
    ['TORN-4', merged],
    ['TORN-4', { kind: 'unreadable', at: AT, seq: 9, why: 'x' }],
    ['NEW-5', admitted()],
    ['NEW-5', merged],
    ['OPEN-2', started()],
  );

  it('is every task that is open or has news, and the line as a whole; nothing that had ended before', () => {
    const ids = (since: number): readonly string[] => [
      ...new Set(selectConcerned(journal, since).map(({ taskId }) => taskId)),
    ];
    expect(ids(9)).toEqual(['OPEN-2', '(line)', 'AGAIN-3', 'TORN-4', 'NEW-5']);
    expect(ids(12)).toEqual(['OPEN-2', '(line)', 'AGAIN-3', 'TORN-4']);
    expect(ids(0)).toEqual(['OVER-1', 'OPEN-2', '(line)', 'AGAIN-3', 'TORN-4', 'NEW-5']);
  });

  it('is all that is asked of it task by task; of the others it knows the names', () => {
    const atHand = loadJournal(journal, selectConcerned(journal, 12));
    expect(atHand.entries('OPEN-2').map(({ kind }) => kind)).toEqual(['admitted', 'started']);
    expect(atHand.entries('(line)')).toHaveLength(1);
    expect(atHand.entries('OVER-1')).toEqual([]);
    expect([atHand.taskIds(), atHand.head()]).toEqual([['OVER-1', 'OPEN-2', 'AGAIN-3', 'TORN-4', 'NEW-5'], 12]);
  });
});
