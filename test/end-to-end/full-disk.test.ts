import { spawnSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';

/** The state folder of each andon is a small disk of its own, as it is where a home folder has a quota. */
const MOUNT = 'mount -t tmpfs -o size=4m none "$XDG_STATE_HOME" && exec "$@"';
const through = (): readonly string[] => ['unshare', '-rm', 'sh', '-c', MOUNT, 'sh'];
const mayMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe.skipIf(!mayMount)('a state folder on a disk that is full (skipped where no disk may be mounted)', () => {
  test('is waited for; when there is room again the task goes on by itself', async () => {
    const { factory, dog, fill, free } = await onASmallDisk();
    fill();
    factory.drop(aContract());
    await dog.until(/nothing runs: the disk takes no more \(.*(?:full|No space)/);
    free();
    await dog.until(/the disk takes writes again; going on/);
    await dog.until(() => factory.isMerged());
    expect((await dog.stop()).code).toBe(0);
  });

  test('while it is waited for, andon can be stopped like always', async () => {
    const { factory, dog, fill } = await onASmallDisk();
    fill();
    factory.drop(aContract());
    await dog.until(/nothing runs: the disk takes no more/);
    const { code, stderr } = await dog.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('bug in andon') as string });
  });
});

async function onASmallDisk() {
  const factory = await aFactory({ through });
  const dog = await factory.watch();
  const filler = join(`/proc/${dog.pid}/root`, factory.folder, 'state/filler');
  const fill = (): void => {
    for (const size of [65_536, 1024, 1])
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(size));
      } catch {
        // No more of this size.
      }
  };
  return { factory, dog, fill, free: () => rmSync(filler) };
}
