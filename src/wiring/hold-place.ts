import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../adapters/locks/daemon-lock.ts';
import type { HeldLock } from '../adapters/locks/daemon-lock.ts';
import { currentHolder } from '../adapters/locks/holder.ts';
import { Problem } from '../base/problem.ts';
import type { Place } from './open-place.ts';

export type { HeldLock } from '../adapters/locks/daemon-lock.ts';

/** Takes the repository's lock; throws a Problem that names the holder when there is one that stays. */
export async function holdPlace(place: Place, doing: string, lost: (reason: string) => void): Promise<HeldLock> {
  const where = { stateFolder: place.state, commonDir: place.facts.commonDir };
  let lock = await takeLock(where, doing, lost);
  for (const end = performance.now() + MOMENTS_MS; !lock.ok && performance.now() < end;) {
    if (currentHolder(place.state)?.doing === 'watch') break;
    await sleep(50);
    lock = await takeLock(where, doing, lost);
  }
  if (!lock.ok)
    throw new Problem(
      'busy',
      lock.why.pid === 0
        ? 'another andon works in this repository, by another path or for another user'
        : `another andon (pid ${lock.why.pid}, ${lock.why.doing}) works in this repository`,
      'use it, or stop it first',
      1,
    );
  return lock.value;
}

/** A command holds the lock for moments; whoever comes in between waits so long. */
const MOMENTS_MS = 3000;
