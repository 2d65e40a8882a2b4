import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followEvents } from '../../../../src/line/journal/follow-events.ts';
import { openJournal } from '../../../../src/line/journal/sqlite-journal.ts';
import { Problem } from '../../../../src/base/problem.ts';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import { AT } from '../../../support/records.ts';

const remark = (text: string): JournalEntry => ({ kind: 'remark', at: AT, text });

/** A place for a journal, and who follows it from the first entry on. */
function aFollower(seq = 0) {
  const folder = mkdtempSync(join(tmpdir(), 'follow-'));
  const file = join(folder, 'state', 'journal.sqlite');
  const texts: string[] = [];
  const heard: (() => void)[] = [];
  const ended = Promise.withResolvers<unknown>();
  const open = () => {
    try {
      return openJournal(file, { readOnly: true });
    } catch (error) {
      if (error instanceof Problem) throw error;
      return undefined;
    }
  };
  const followed = (): { close(): void } =>
    followEvents(file, open).follow(
      seq,
      ({ entry }) => {
        texts.push(entry.kind === 'remark' ? entry.text : entry.kind);
        for (const tell of heard) tell();
      },
      ended.resolve,
    );
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    file,
    texts,
    /** Why no more is told. */
    ended: ended.promise,
    follow: (): void => {
      const following = followed();
      onTestFinished(() => following.close());
    },
    /** Until so many entries were told. */
    until: (count: number) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (texts.length >= count) resolve();
        };
        heard.push(look);
        look();
      }),
  };
}

function aJournal(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const journal = openJournal(file);
  onTestFinished(() => journal.close());
  return journal;
}

describe('following what happens', () => {
  it('tells what is there and what comes, each once and in order', async () => {
    const { file, texts, follow, until } = aFollower();
    const journal = aJournal(file);
    journal.append('A', [remark('one'), remark('two')]);
    follow();
    expect(texts).toEqual(['one', 'two']);
    journal.append('B', [remark('three')]);
    await until(3);
    journal.append('A', [remark('four')]);
    await until(4);
    expect(texts).toEqual(['one', 'two', 'three', 'four']);
  });

  it('tells nothing of what was told before', async () => {
    const { file, texts, follow, until } = aFollower(1);
    const journal = aJournal(file);
    journal.append('A', [remark('one'), remark('two')]);
    follow();
    await until(1);
    expect(texts).toEqual(['two']);
  });

  it('may begin before there is a journal, or even its folder', async () => {
    const { file, texts, follow, until } = aFollower();
    follow();
    expect(texts).toEqual([]);
    aJournal(file).append('A', [remark('the first')]);
    await until(1);
    expect(texts).toEqual(['the first']);
  });

  it.each([
    ['moved away', (file: string) => renameSync(file, `${file}.away`)],
    ['replaced', (file: string) => (copyFileSync(file, `${file}.new`), renameSync(`${file}.new`, file))],
    ['gone with its folder', (file: string) => renameSync(dirname(file), `${dirname(file)}.away`)],
  ])('ends, and says so once, when the journal is %s', async (_, happens) => {
    const { file, texts, follow, ended } = aFollower();
    aJournal(file).append('A', [remark('one')]);
    follow();
    happens(file);
    expect(await ended).toMatchObject({ code: 'journal-gone', exitCode: 1 });
    expect(texts).toEqual(['one']);
  });

  it('ends when the journal that is there at last is none', { tags: 'thorough' }, async () => {
    const { file, follow, ended } = aFollower();
    follow();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'this is not a database, whoever says so. '.repeat(200));
    expect(await ended).toMatchObject({ code: 'journal-damaged', exitCode: 1 });
  });
});
