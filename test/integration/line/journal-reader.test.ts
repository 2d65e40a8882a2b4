import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openJournal } from '../../../src/line/journal/sqlite-journal.ts';
import { JournalReader, readOnce } from '../../../src/line/readers/journal-reader.ts';
import { admitted, called, moved, started } from '../../support/records.ts';

const MERGE = { commit: '9'.repeat(40), tip: '9'.repeat(40), target: 'refs/heads/main' };
const merged = () => moved('pass', 'review_complete', 'merged', { merge: MERGE });

/** A journal with one task under way, and somebody who reads it again and again. */
function aRead({ wholeMs = Number.POSITIVE_INFINITY }: { readonly wholeMs?: number } = {}) {
  const state = mkdtempSync(join(tmpdir(), 'read-'));
  const file = join(state, 'journal.sqlite');
  const reader = new JournalReader(state, { wholeMs });
  onTestFinished(() => {
    reader.close();
    rmSync(state, { recursive: true, force: true });
  });
  const write = (taskId: string, ...entries: Parameters<ReturnType<typeof openJournal>['append']>[1]): void => {
    const journal = openJournal(file);
    journal.append(taskId, entries);
    journal.close();
  };
  const sql = (text: string): void => {
    const db = new DatabaseSync(file);
    db.exec(text);
    db.close();
  };
  const seqs = (): readonly number[] => reader.read().entries.map(({ seq }) => seq);
  write('A-1', admitted(), started());
  return { state, file, reader, write, sql, seqs };
}

describe('who reads a journal again and again', () => {
  it('reads what was written since, and has at any time what a reading of all of it gives', () => {
    const { state, reader, write, seqs } = aRead();
    expect(seqs()).toEqual([1, 2]);
    write('A-1', called());
    write('B-2', admitted());
    expect(seqs()).toEqual([1, 2, 3, 4]);
    expect(reader.read().entries.map(({ entry }) => entry)).toEqual(readOnce(state).entries.map(({ entry }) => entry));
    expect(seqs()).toEqual([1, 2, 3, 4]);
  });

  it('reads nothing a second time, and finds a changed entry at the next reading of the whole', () => {
    const often = aRead();
    const whole = aRead({ wholeMs: 0 });
    for (const { reader, sql, write } of [often, whole]) {
      reader.read();
      sql(`UPDATE entries SET body = replace(body, 'DOC-001', 'DOC-009') WHERE seq = 1`);
      write('B-2', admitted());
    }
    expect(often.seqs()).toEqual([1, 2, 3]);
    expect(whole.reader.read()).toMatchObject({ entries: [], damage: { remedy: 'andon doctor --journal' } });
  });

  it('says of what was changed behind its last place that it is damaged, and believes nothing', () => {
    const { reader, sql, write } = aRead();
    reader.read();
    write('B-2', admitted());
    sql(`UPDATE entries SET body = replace(body, '"kind"', '"Kind"') WHERE seq = 3`);
    expect(reader.read()).toMatchObject({
      entries: [],
      damage: { what: expect.stringContaining('entry 3') as string },
    });
    expect(reader.read()).toMatchObject({ entries: [], damage: {} });
  });

  it('notices a journal that was cut, and goes on with what is there', () => {
    const { reader, sql, write, seqs } = aRead();
    reader.read();
    sql('DELETE FROM entries WHERE seq = 2');
    const { entries, cut } = reader.read();
    expect(entries.map(({ seq }) => seq)).toEqual([1]);
    expect(cut).toContain('2 entries were known, 1 are there');
    write('A-1', called());
    expect(seqs()).toEqual([1, 2]);
    expect(reader.read().cut).toBe(cut);
  });

  it('notices a journal that was replaced by another, and one that is gone', () => {
    const [one, other] = [aRead(), aRead()];
    one.write('A-1', called());
    one.reader.read();
    copyFileSync(other.file, `${one.file}.new`);
    renameSync(`${one.file}.new`, one.file);
    expect(one.reader.read()).toMatchObject({ cut: expect.stringContaining('3 entries were known, 2 are') as string });
    other.reader.read();
    rmSync(other.file);
    const read = other.reader.read();
    expect(read.entries).toEqual([]);
    expect(read.cut).toContain('2 entries were known, 0 are there');
  });

  it('takes a copy that holds all it knew, in the place of the journal, for the same one', () => {
    const { file, reader, seqs } = aRead();
    reader.read();
    copyFileSync(file, `${file}.new`);
    renameSync(`${file}.new`, file);
    expect(seqs()).toEqual([1, 2]);
    expect(reader.read().cut).toBeUndefined();
  });

  it('lets go of what ended before, but for how it ended, and reads it again when something is new of it', () => {
    const { reader, write, seqs } = aRead();
    write('A-1', merged());
    write('B-2', admitted(), started());
    reader.read();
    reader.forget(3);
    expect(seqs()).toEqual([3, 4, 5]);
    write('A-1', { kind: 'remark', at: '2026-01-17T00:00:00.000Z', text: 'looked at again' });
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
