import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LiveFloor } from '../../support/live-floor.ts';

/** A floor whose TODO.md has an item of the task. */
async function aFloorWithTodo() {
  const live = await LiveFloor.make([{ 'TODO.md': '- [ ] PLAIN-1: a note\n' }]);
  onTestFinished(() => live.close());
  await live.start();
  live.drop('PLAIN-1');
  return live;
}

test('a lock that another git holds for some seconds costs neither the merge nor the tick of TODO.md', async () => {
  const live = await aFloorWithTodo();
  const lock = live.path('.git/index.lock');
  let freed: Promise<void> | undefined;
  live.meanwhile = {
    beforeLanding: () => {
      if (freed !== undefined) return;
      writeFileSync(lock, '');
      freed = sleep(2500).then(() => {
        rmSync(lock);
      });
    },
  };
  const { status } = await live.untilEnd();
  await freed;
  expect(status).toBe('merged');
  expect(live.read('TODO.md')).toBe('- [x] PLAIN-1: a note\n');
});

test('a refusal that has nothing to do with TODO.md halts the task, and does not merge it without its tick', async () => {
  const live = await aFloorWithTodo();
  const busy = live.path('.git/MERGE_HEAD');
  let refused = 0;
  live.meanwhile = {
    beforeLanding: () => {
      if (refused === 0) writeFileSync(busy, `${live.git('rev-parse', 'HEAD')}\n`);
    },
    afterLanding: () => {
      refused += 1;
      rmSync(busy, { force: true });
    },
  };
  const { halt } = await live.untilEnd();
  expect([halt?.trip.breaker, refused]).toEqual(['merge_blocked', 1]);
  expect(live.merges('PLAIN-1')).toEqual([]);
});

test('an edit of TODO.md costs the tick alone', async () => {
  const live = await aFloorWithTodo();
  live.write('TODO.md', '- [ ] PLAIN-1: a note\n- [ ] mine\n');
  expect((await live.untilEnd()).status).toBe('merged');
  expect(live.read('TODO.md')).toBe('- [ ] PLAIN-1: a note\n- [ ] mine\n');
  expect(live.git('rev-parse', 'main')).toBe(live.merges('PLAIN-1')[0]);
});
