import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openJournal } from '../../../../src/line/journal/sqlite-journal.ts';
import { foldJournal } from '../../../../src/line/core/fold-journal.ts';
import { aChange, admitted, called, moved, started } from '../../../support/records.ts';

let file: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(folder, 'journal.sqlite');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const STORY = [
  admitted(),
  started(),
  called(),
  moved('code_written', 'pending_implementer', 'pending_local_review', { change: aChange({ notes: 'ü\u0000\u2028' }) }),
];
const open = (options?: { readOnly: boolean }) => {
  const journal = openJournal(file, options);
  onTestFinished(() => {
    try {
      journal.close();
    } catch {
      // The test has closed it itself.
    }
  });
  return journal;
};
const tamper = (sql: string): void => {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
};

describe('the journal', () => {
  it('gives back what was written, in order, to whoever opens it next', () => {
    const journal = open();
    expect(journal.append('DOC-001', STORY).seq).toBe(4);
    journal.close();
    const again = openJournal(file);
    expect(again.entries('DOC-001')).toEqual(STORY);
    expect(foldJournal(again.entries('DOC-001'))).toEqual(foldJournal(STORY));
    expect(again.append('DOC-001', [called()]).seq).toBe(5);
    expect(again.verify()).toBeUndefined();
    again.close();
    expect(openJournal(file).entries('DOC-001')).toHaveLength(5);
  });

  it('keeps tasks apart, and lists them by who came first', () => {
    const journal = open();
    journal.append('B', [admitted()]);
    journal.append('A', [admitted(), started()]);
    journal.append('B', [started()]);
    expect(journal.taskIds()).toEqual(['B', 'A']);
    expect(journal.entries('A').map(({ kind }) => kind)).toEqual(['admitted', 'started']);
    expect(journal.entries('C')).toEqual([]);
    expect(journal.since(2).map(({ seq, taskId }) => [seq, taskId])).toEqual([
      [3, 'A'],
      [4, 'B'],
    ]);
  });

  it('reads on from what it knows, and anew when somebody else has written', () => {
    const journal = open();
    journal.append('A', [admitted()]);
    expect(journal.entries('A')).toHaveLength(1);
    expect(journal.taskIds()).toEqual(['A']);
    journal.append('B', [admitted()]);
    journal.append('A', [started(), called()]);
    expect(journal.entries('A').map(({ kind }) => kind)).toEqual(['admitted', 'started', 'called']);
    expect(journal.entries('B')).toHaveLength(1);
    expect(journal.taskIds()).toEqual(['A', 'B']);
    tamper(`UPDATE entries SET task_id = 'C' WHERE seq = 2`);
    expect(journal.entries('B')).toEqual([]);
    expect(journal.entries('C')).toHaveLength(1);
    expect(journal.taskIds()).toEqual(['A', 'C']);
    tamper('DELETE FROM entries WHERE seq = 4');
    expect(journal.entries('A')).toHaveLength(2);
  });

  it('gives everything in one reading, up to where somebody else has written', () => {
    const journal = open();
    expect(journal.readOn()).toMatchObject({ entries: [], brokenAt: undefined });
    journal.append('A', [admitted()]);
    journal.append('B', [admitted(), started()]);
    const { entries, brokenAt } = journal.readOn() ?? { entries: [] };
    expect(brokenAt).toBeUndefined();
    expect(entries.map(({ seq, taskId, entry }) => [seq, taskId, entry.kind])).toEqual([
      [1, 'A', 'admitted'],
      [2, 'B', 'admitted'],
      [3, 'B', 'started'],
    ]);
    tamper(`UPDATE entries SET body = replace(body, 'qwen', 'gwen') WHERE seq = 3`);
    expect(journal.readOn()).toMatchObject({ entries: [{ seq: 1 }, { seq: 2 }], brokenAt: 3 });
  });

  it('is a chain: every hash depends on all that was before', () => {
    const one = open();
    const first = one.append('A', [admitted()]);
    const second = one.append('A', [started()]);
    expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(second.hash).not.toBe(first.hash);
    expect(one.verify()).toBeUndefined();
  });

  it.each([
    ['a changed entry', `UPDATE entries SET body = replace(body, 'qwen', 'gwen') WHERE seq = 2`, 2],
    ['a changed task', `UPDATE entries SET task_id = 'OTHER' WHERE seq = 3`, 3],
    ['a removed entry', 'DELETE FROM entries WHERE seq = 2', 2],
    ['a removed beginning', 'DELETE FROM entries WHERE seq = 1', 1],
    ['a changed hash', `UPDATE entries SET hash = '${'0'.repeat(64)}' WHERE seq = 4`, 4],
    [
      'two entries in each other’s place',
      'UPDATE entries SET seq = 99 WHERE seq = 2; UPDATE entries SET seq = 2 WHERE seq = 3; UPDATE entries SET seq = 3 WHERE seq = 99',
      2,
    ],
  ])('notices %s', (_, sql, seq) => {
    const journal = open();
    journal.append('DOC-001', STORY);
    journal.close();
    tamper(sql);
    expect(openJournal(file).verify()).toBe(seq);
  });

  it('takes entries all or none', () => {
    const journal = open();
    journal.append('A', [admitted()]);
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => journal.append('A', [started(), { ...admitted(), document: circle }])).toThrow();
    expect(journal.entries('A')).toHaveLength(1);
    expect(journal.append('A', [started()]).seq).toBe(2);
    expect(journal.verify()).toBeUndefined();
  });

  it('writes no entry that it could not read again', () => {
    const journal = open();
    journal.append('A', [admitted()]);
    expect(() => journal.append('A', [started(), { ...admitted(), at: 'yesterday' }])).toThrow(
      'cannot be written into the journal: at: ',
    );
    expect(journal.entries('A')).toHaveLength(1);
    expect(journal.append('A', [started()]).seq).toBe(2);
  });

  it('has one writer: the second one to write since stops, and nothing of it is kept', () => {
    const one = open();
    one.append('A', [admitted()]);
    const two = open();
    two.append('A', [started()]);
    expect(() => one.append('A', [called()])).toThrow('another andon has written');
    expect(() => one.append('A', [called()])).toThrow('another andon has written');
    expect(two.append('A', [called()]).seq).toBe(3);
    expect(two.verify()).toBeUndefined();
  });

  it('can be read while somebody writes, and not be written by a reader', () => {
    const writer = open();
    writer.append('A', [admitted()]);
    const reader = open({ readOnly: true });
    writer.append('A', [started()]);
    expect(reader.entries('A')).toHaveLength(2);
    expect(() => reader.append('A', [called()])).toThrow('reading only');
    expect(() => openJournal(join(file, '..', 'none.sqlite'), { readOnly: true })).toThrow();
  });
});
