/** @module-tag thorough */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { judges, answerOnce } from '../support/scenario.ts';
import { version, write } from '../support/versions.ts';

describe('andon doctor --journal', () => {
  test('says that there is nothing to verify where andon never worked', async () => {
    const factory = await aFactory();
    const { code, stdout } = await factory.andon('verify');
    expect([code, stdout]).toEqual([
      0,
      'No task was ever admitted in this repository, so there is nothing to verify.\n',
    ]);
  });

  test('finds all attempts and the merge of a task that went round twice, also after an undo', async () => {
    const factory = await merged();
    expect(await verified(factory)).toMatchObject({ code: 0, tasks: 1, commits: 3, broken_at: null, faults: [] });
    expect((await factory.andon('undo', 'DOC-001')).code).toBe(0);
    expect(await verified(factory)).toMatchObject({ code: 0, commits: 4, faults: [] });
    expect((await factory.andon('list')).stdout).toMatch(/merged .* undone as [0-9a-f]{12}/);
    expect((await factory.andon('verify')).stdout).toContain('all 4 commits of 1 task are where the journal says');
  });

  test('misses an attempt whose ref somebody deleted, and says how it comes back', async () => {
    const factory = await merged();
    const commit = factory.git('rev-parse', 'refs/andon/DOC-001/1').trim();
    factory.git('update-ref', '-d', 'refs/andon/DOC-001/1');
    const { code, faults } = await verified(factory);
    expect(code).toBe(1);
    expect(faults).toEqual([
      {
        task_id: 'DOC-001',
        what: `no ref under refs/andon/DOC-001/ keeps attempt 1 (${commit.slice(0, 12)}) any more`,
        remedy: expect.stringContaining(`git update-ref refs/andon/DOC-001/restored-${commit.slice(0, 12)} ${commit}`),
      },
    ]);
    factory.git('update-ref', `refs/andon/DOC-001/restored-${commit.slice(0, 12)}`, commit);
    expect((await verified(factory)).code).toBe(0);
  });

  test('sees that somebody rewrote the branch a task was merged into', async () => {
    const factory = await merged();
    factory.git('reset', '--quiet', '--hard', 'HEAD~1');
    const { code, faults } = await verified(factory);
    expect([code, faults[0]?.what]).toEqual([1, expect.stringContaining('main does not contain its merge')]);
  });

  test('sees that the end of the journal is gone', async () => {
    const factory = await merged();
    const db = openJournal(factory);
    const { seq } = db.prepare(`SELECT seq FROM entries WHERE body LIKE '%"merging"%'`).get() as { seq: number };
    db.prepare('DELETE FROM entries WHERE seq >= ?').run(seq);
    db.close();
    const { code, broken_at, faults } = await verified(factory);
    expect([code, broken_at]).toEqual([1, null]);
    expect(faults.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^refs\/andon\/DOC-001\/merged keeps [0-9a-f]{12}, of which the journal does not tell$/),
    ]);
  });

  test('of a journal that somebody edited, every command that reads it warns or refuses, without a stack trace', async () => {
    const factory = await merged();
    editJournal(factory, (body) => body.replace('"attempt":1', '"attempt":7'));
    for (const words of [['list'], ['status'], ['show', 'DOC-001'], ['logs']])
      expect((await factory.andon(...words)).stderr).toMatch(
        /^andon: Entry \d+ of the journal is not what andon wrote/,
      );
    editJournal(factory, () => '{}');
    for (const words of [['list'], ['status'], ['show', 'DOC-001'], ['logs']]) {
      const { stderr } = await factory.andon(...words);
      expect(stderr).toMatch(/^andon: Entry \d+ of the journal is not what andon wrote/);
      expect(stderr).not.toContain('bug in andon');
    }
  });

  test('names refs of a task that the journal does not know', async () => {
    const factory = await merged();
    factory.git('update-ref', 'refs/andon/OTHER-1/1', 'HEAD');
    const { code, faults } = await verified(factory);
    expect([code, faults.map(({ task_id }) => task_id)]).toEqual([1, ['OTHER-1']]);
  });

  test.each([
    ['a figure', (body: string) => body.replace('"attempt":1', '"attempt":7')],
    ['all of an entry', () => 'nothing'],
  ])('names the entry in which somebody changed %s', async (_, change) => {
    const factory = await merged();
    const edited = editJournal(factory, change);
    const { code, broken_at } = await verified(factory);
    expect([code, broken_at]).toEqual([1, edited]);
    expect((await factory.andon('verify')).stdout).toContain(`entry ${edited} of`);
  });
});

/** A repository in which one task was merged at its second attempt. */
async function merged(): Promise<Factory> {
  const factory = await aFactory({
    scenario: { implementer: [answerOnce(write(1)), write(2)], judge: [answerOnce(judges('FAIL')), judges('PASS')] },
  });
  const { dog, status } = await factory.run(aContract());
  expect([status, factory.read('docs/auth_final.md')]).toEqual(['merged', version(2)]);
  await dog.stop();
  return factory;
}

interface Facts {
  readonly code: number | null;
  readonly tasks: number;
  readonly commits: number;
  readonly broken_at: number | null;
  readonly faults: readonly { readonly task_id: string; readonly what: string; readonly remedy: string }[];
}

async function verified(factory: Factory): Promise<Facts> {
  const { code, stdout } = await factory.andon('verify', '--json');
  return { code, ...(JSON.parse(stdout) as Omit<Facts, 'code'>) };
}

function openJournal(factory: Factory): DatabaseSync {
  return new DatabaseSync(join(stateOf(factory), 'journal.sqlite'));
}

/** Edits the first entry that `change` changes; gives its number. */
function editJournal(factory: Factory, change: (body: string) => string): number {
  const db = openJournal(factory);
  const rows = db.prepare('SELECT seq, body FROM entries ORDER BY seq').all() as { seq: number; body: string }[];
  const row = rows.find(({ body }) => change(body) !== body);
  db.prepare('UPDATE entries SET body = ? WHERE seq = ?').run(change(row?.body ?? ''), row?.seq ?? 0);
  db.close();
  return row?.seq ?? 0;
}
