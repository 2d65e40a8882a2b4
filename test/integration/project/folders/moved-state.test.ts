import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listStates, noteOwner, takeStateAlong } from '../../../../src/project/folders/moved-state.ts';
import { listDeadStates } from '../../../../src/project/folders/old-state.ts';

test('a state that any command has taken along belongs to the new path, so it is never removed as gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'andon-moved-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const factsOf = (root: string) => ({ root, commonDir: join(root, '.git') });
  const [before, after] = [join(folder, 'before'), join(folder, 'after')];
  const [old, state] = [join(folder, 'states/before-1'), join(folder, 'states/after-2')];
  mkdirSync(join(before, '.git'), { recursive: true });
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, 'journal.sqlite'), 'it');
  noteOwner(old, factsOf(before), 'c0ffee');
  renameSync(before, after);

  const probe = { isHeld: () => false, hasCommit: () => Promise.resolve(true) };
  expect(await takeStateAlong(state, factsOf(after), probe)).toBe(before);
  expect(listStates(join(folder, 'states'))).toEqual([{ state, root: after, isThere: true, hasJournal: true }]);
  const soon = new Date(Date.now() + 60_000).toISOString();
  expect(listDeadStates(join(folder, 'states'), soon, () => false)).toEqual([]);
});
