import { expect, test } from 'vitest';
import { KnownTrees } from '../../../../src/project/git/known-trees.ts';

test('what was read of ever new small files is forgotten again, not only what was read of large ones', () => {
  const known = new KnownTrees();
  const ids = Array.from({ length: 5000 }, (_, number) => number.toString(16).padStart(40, '0'));
  for (const id of ids) known.keepContent(id, new TextEncoder().encode(id));
  const kept = ids.filter((id) => known.content(id) !== undefined);
  expect(kept.length).toBeLessThanOrEqual(300);
  expect(kept.at(-1)).toBe(ids.at(-1));
});
