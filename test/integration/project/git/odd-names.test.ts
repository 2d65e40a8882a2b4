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
  test.each(NAMES)('is read with the name of the file as it is (%j)', async (name) => {
    const here = aRepository({ 'README.md': 'x\n', [name]: 'before\n' });
    const before = here.git('rev-parse', 'HEAD');
    here.write(name, 'after\n');
    const repository = await here.open();
    const patch = await repository.patch(before, here.commit());
    const files = readDiff(patch).map(({ path, change, rows }) => ({
      path,
      change,
      changed: rows.filter(({ kind }) => kind === 'added' || kind === 'removed').map(({ text }) => text),
    }));
    expect(files).toEqual([{ path: name, change: 'modified', changed: ['before', 'after'] }]);
  });
});
