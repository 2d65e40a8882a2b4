import { describe, expect, test } from 'vitest';
import { changedLines } from '../../../src/base/changed-lines.ts';
import { patchLines } from '../../../src/base/patch-lines.ts';
import { diffFiles } from '../../../src/line/documents/task-report/diff.ts';
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
    expect(patchLines(patch).lines.map(({ paths, text }) => ({ paths, text }))).toEqual([
      { paths: [name], text: 'before' },
      { paths: [name], text: 'after' },
    ]);
    expect([...changedLines(patch).keys()]).toEqual([name]);
    expect(diffFiles(patch, 100).files.map((file) => file.name)).toEqual([name]);
  });
});
