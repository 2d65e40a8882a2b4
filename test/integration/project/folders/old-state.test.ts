import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isDeadState, listDeadStates } from '../../../../src/project/folders/old-state.ts';

test('a state that was listed is removed only while its repository is gone and nothing holds it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'andon-states-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'repository');
  const state = join(folder, 'states/0a1b');
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, 'place.json'), JSON.stringify({ root, commonDir: root, id: '1:1', commit: 'c' }));
  const soon = new Date(Date.now() + 60_000).toISOString();
  const [listed] = listDeadStates(join(folder, 'states'), soon, () => false);
  expect(listed).toMatchObject({ isState: true, root });
  const path = listed?.path ?? '';
  expect(isDeadState(path, soon, () => false)).toBe(true);
  expect(isDeadState(path, soon, (held) => held === path)).toBe(false);
  mkdirSync(root);
  expect(isDeadState(path, soon, () => false)).toBe(false);
});
