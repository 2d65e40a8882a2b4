import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LiveFloor } from '../../support/live-floor.ts';

describe('A stop', () => {
  test('leaves nothing in your checkout of a fast-forward that a full disk cut off', async () => {
    const live = await LiveFloor.make([{ 'notes/1.txt': 'A note of yesterday.\n' }]);
    onTestFinished(() => live.close());
    const to = live.git('rev-parse', 'main');
    live.git('reset', '--quiet', '--hard', 'HEAD~1');
    const before = readFileSync(join(live.repo, 'notes/1.txt'), 'utf8');
    await live.start();
    const { state } = await live.place();
    const note = { ref: 'refs/heads/main', old: live.git('rev-parse', 'main'), to, clean: ['notes/1.txt'], locks: [] };
    writeFileSync(
      join(state, 'forward.json'),
      JSON.stringify({ ...note, folder: live.repo, began: Date.now(), boot: '' }),
    );
    writeFileSync(join(live.repo, 'notes/1.txt'), 'A note of yest');
    await live.line.stop();
    expect(readFileSync(join(live.repo, 'notes/1.txt'), 'utf8')).toBe(before);
    expect(live.git('status', '--porcelain')).toBe('');
  });
});
