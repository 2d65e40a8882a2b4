/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LiveFloor } from '../support/live-floor.ts';

const TASK = 'PLAIN-1';

async function aFloor(): Promise<LiveFloor> {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  await live.start();
  return live;
}

/** Has something done when the journal has got its n-th entry. */
function atEntry(live: LiveFloor, at: number, deed: () => void): void {
  let seen = 0;
  live.meanwhile = {
    noted: () => {
      seen += 1;
      if (seen === at) deed();
    },
  };
}

const untilMerged = (live: LiveFloor): Promise<unknown> =>
  live.until(({ status, halt }) => status === 'merged' || halt !== undefined);

/** Every ref of a repository, and what lies in its checkout. */
const snapshot = (folder: string): string =>
  execFileSync('git', ['for-each-ref'], { cwd: folder }).toString() +
  execFileSync('git', ['status', '--porcelain', '--ignored'], { cwd: folder }).toString();

describe('A repository that is moved away', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    '(at entry %i of a task) nothing is made at its old path; the new one is named, and the task goes on there',
    async (entry) => {
      const live = await aFloor();
      const old = live.repo;
      atEntry(live, entry, () => live.moveTo('elsewhere'));
      live.drop(TASK);
      await expect(untilMerged(live)).rejects.toThrow(
        `the repository is not at ${old} any more; the watched one is at ${join(old, '../elsewhere')}`,
      );
      live.kill();
      expect(existsSync(old)).toBe(false);
      await live.start();
      await untilMerged(live);
      expect([live.record?.status, live.merges(TASK).length, existsSync(old)]).toEqual(['merged', 1, false]);
      expect(live.entries.filter(({ kind }) => kind === 'admitted')).toHaveLength(1);
    },
  );

  test.each(['beforeLanding', 'afterLanding'] as const)(
    '(%s of its merge) it is merged once, where it is',
    async (moment) => {
      const live = await aFloor();
      const old = live.repo;
      live.meanwhile = { [moment]: () => live.moveTo('elsewhere') };
      live.drop(TASK);
      await expect(live.until(() => false)).rejects.toThrow('is at');
      live.kill();
      expect(existsSync(old)).toBe(false);
      await live.start();
      await untilMerged(live);
      expect([live.record?.status, live.merges(TASK).length, existsSync(old)]).toEqual(['merged', 1, false]);
    },
  );
});

describe('A repository in whose place another one was put', () => {
  test.each([2, 3, 5, 7])('(at entry %i of a task) gets nothing of the task, though it is a clone', async (entry) => {
    const live = await aFloor();
    const old = live.repo;
    let before = '';
    atEntry(live, entry, () => {
      live.moveTo('elsewhere');
      execFileSync('git', ['clone', '--quiet', live.repo, old]);
      before = snapshot(old);
    });
    live.drop(TASK);
    await expect(untilMerged(live)).rejects.toThrow(`another repository is at ${old} now`);
    live.kill();
    expect(snapshot(old)).toBe(before);
    await live.start();
    await untilMerged(live);
    expect([live.record?.status, live.merges(TASK).length]).toEqual(['merged', 1]);
    expect(snapshot(old)).toBe(before);
  });
});
