/** @module-tag thorough */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JournalEntry } from '../../src/line/record/journal-entry.ts';
import { filesNamed } from '../support/files-named.ts';
import { LiveFloor } from '../support/live-floor.ts';

/** Deletes every ref of a task and has git forget what only they kept. */
function pruneRefs(live: LiveFloor, taskId: string): void {
  for (const ref of live
    .git('for-each-ref', '--format=%(refname)', `refs/andon/${taskId}`, `refs/heads/task`)
    .split('\n'))
    if (ref !== '') live.git('update-ref', '-d', ref);
  live.git('reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all');
  live.git('gc', '--quiet', '--prune=now');
}

async function aTask(at: (entry: JournalEntry) => boolean, deed: (live: LiveFloor) => void): Promise<LiveFloor> {
  const live = await LiveFloor.make([{ 'one.txt': 'one\n' }, { 'two.txt': 'two\n' }]);
  onTestFinished(() => live.close());
  await live.start();
  live.meanwhile = {
    noted(entry) {
      if (!at(entry)) return;
      live.meanwhile = {};
      deed(live);
    },
  };
  live.drop('PLAIN-1');
  return live;
}

const reaches =
  (status: string) =>
  (entry: JournalEntry): boolean =>
    entry.kind === 'moved' && entry.to === status;

describe("A task's refs that somebody deletes and git prunes while it runs", () => {
  test.each(['pending_local_review', 'pending_judge_review', 'review_in_progress', 'review_complete'])(
    'at %s are made again from what andon itself still holds, and the task is merged',
    async (status) => {
      const live = await aTask(reaches(status), (one) => pruneRefs(one, 'PLAIN-1'));
      const record = await live.untilEnd();
      expect([record.status, record.halt?.trip.reason]).toEqual(['merged', undefined]);
      expect(live.merges('PLAIN-1')).toHaveLength(1);
      expect(live.git('fsck', '--no-dangling')).toBe('');
    },
  );

  test('are made again also after a restart', async () => {
    const live = await aTask(reaches('review_complete'), () => {});
    live.meanwhile = { noted: (entry) => void (reaches('review_complete')(entry) && pruneRefs(live, 'PLAIN-1')) };
    let lands = false;
    const beforeLanding = (): Promise<void> => {
      lands = true;
      return new Promise(() => {});
    };
    live.meanwhile = { ...live.meanwhile, beforeLanding };
    await live.until(() => lands); // the pin is published: a git that still moved refs would be none of the next andon's
    live.kill();
    pruneRefs(live, 'PLAIN-1');
    await live.start();
    const ended = await live.untilEnd();
    expect([ended.status, ended.halt?.trip.reason]).toEqual(['merged', undefined]);
    expect(live.git('fsck', '--no-dangling')).toBe('');
  });

  test('and that andon no longer holds either halt the line in plain words; path 1 makes the change anew', async () => {
    const live = await aTask(reaches('review_complete'), (one) => {
      pruneRefs(one, 'PLAIN-1');
      for (const vault of filesNamed(one.state, 'vault.git'))
        for (const part of ['objects'])
          for (const loose of filesNamed(join(vault, part), /^[0-9a-f]{2}$/)) rmSync(loose, { recursive: true });
    });
    const halted = await live.untilEnd();
    expect(halted.halt?.trip.breaker).toBe('merge_blocked');
    expect(halted.halt?.trip.reason).toContain('git no longer has attempt 1');
    expect(halted.halt?.trip.reason).not.toMatch(/fatal|bad tree object/);
    expect(existsSync(live.path('_handoff/ERIK_HALT.md'))).toBe(true);
    await live.resume({ taskId: 'PLAIN-1', path: 1, haltId: undefined, by: 'erik', how: 'test' });
    const record = await live.untilEnd();
    expect([record.status, record.attempt]).toEqual(['merged', 2]);
  });
});
