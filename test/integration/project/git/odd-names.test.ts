import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDiff } from '../../../../src/base/read-diff.ts';
import { aRepository } from './a-repository.ts';

const NAMES = [
  'it\'s "quoted".md',
  'tab\there.md',
  'br[ack]et{s}.md',
  '-dash.md',
  '#hash%20?.md',
  'a b/c b/d.md',
  'back\\slash.md',
  'Aufträge — 日本語.md',
  'emoji-😀.md',
  'line\nbreak.md',
  ' blanks at both ends ',
];

describe('a diff of git', () => {
  test('is read with the names of the files as they are', async () => {
    const here = aRepository(Object.fromEntries(['README.md', ...NAMES].map((name) => [name, 'before\n'])));
    const before = here.git('rev-parse', 'HEAD');
    for (const name of NAMES) here.write(name, 'after\n');
    const repository = await here.open();
    const patch = await repository.patch(before, here.commit());
    const files = readDiff(patch).map(({ path, change, rows }) => ({
      path,
      change,
      changed: rows.filter(({ kind }) => kind === 'added' || kind === 'removed').map(({ text }) => text),
    }));
    const byPath = new Map(files.map((file) => [file.path, file]));
    expect(files).toHaveLength(NAMES.length);
    for (const path of NAMES)
      expect(byPath.get(path), path).toEqual({ path, change: 'modified', changed: ['before', 'after'] });
  });
});

describe('a file whose name is no UTF-8', () => {
  function aCommitBeside() {
    const here = aRepository();
    const file = Buffer.concat([Buffer.from(here.path('caf')), Buffer.from([0xe9]), Buffer.from('.txt')]);
    writeFileSync(file, 'one\n');
    const old = here.commit();
    writeFileSync(file, 'two\n');
    const to = here.commit();
    here.git('reset', '--quiet', '--hard', old);
    return { here, file, land: async () => (await here.open()).land('refs/heads/main', old, to) };
  }

  test('lands like any other', async () => {
    const { here, land } = aCommitBeside();
    expect(await land()).toEqual({ ok: true, value: undefined });
    expect(here.git('status', '--porcelain')).toBe('');
  });

  test('is not overwritten where it has an edit of yours', async () => {
    const { file, land } = aCommitBeside();
    writeFileSync(file, 'mine\n');
    expect(await land()).toMatchObject({ ok: false, why: { reason: expect.stringContaining('would be overwritten') } });
  });
});
