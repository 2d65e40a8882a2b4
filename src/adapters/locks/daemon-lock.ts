import { rmSync } from 'node:fs';
import lockfile from 'proper-lockfile';
import type { DiskWait } from '../../base/disk-trouble.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { doorTo } from '../door.ts';
import { failpoint } from '../failpoints.ts';
import { OWNER, isAlive, readHolder, thisProcess } from './holder.ts';
import type { Holder } from './holder.ts';
import { bindName } from './kernel-name.ts';

/** A held lock; `lost` is called at most once, when it was taken away (a daemon that slept too long). */
export interface HeldLock {
  /** What a crashed holder left, when this lock was taken over from one. */
  readonly tookOverFrom: Holder | undefined;
  /** Whoever asks is told that the holder waits for its disk, or for nothing more; no disk is needed for that. */
  waits(wait: DiskWait | undefined): void;
  release(): Promise<void>;
}

/**
 * Takes the one lock of a repository. It lies in the state folder: the default place beside the contract would have
 * exactly the name of the halt's lock. A dead holder's lock is taken over at once instead of after its time.
 */
export async function takeLock(
  { stateFolder, commonDir }: { readonly stateFolder: string; readonly commonDir: string },
  doing: string,
  lost: (reason: string) => void,
): Promise<Outcome<HeldLock, Holder>> {
  const door = doorTo(stateFolder);
  const lockfilePath = door.at('daemon.lock');
  let wait: DiskWait | undefined;
  const socket = await bindName(commonDir, () => wait);
  if (socket === 'taken') return failure(readHolder(stateFolder) ?? UNKNOWN);
  const before = readHolder(stateFolder);
  // With the kernel's name in hand nobody here can be taking the lock as well, so a dead holder's may be removed.
  const dead = before === undefined ? socket !== undefined : !isAlive(before);
  if (dead) rmSync(lockfilePath, { recursive: true, force: true });
  try {
    const release = await lockfile.lock(stateFolder, {
      lockfilePath,
      stale: 30_000,
      update: 5000,
      realpath: false,
      onCompromised: (error) => lost(error.message),
    });
    failpoint('lock.take.before-owner');
    door.put(OWNER, JSON.stringify(thisProcess(doing)));
    failpoint('lock.take.after-owner');
    return success({
      tookOverFrom: dead ? before : undefined,
      waits: (now) => void (wait = now),
      release: async () => {
        try {
          failpoint('lock.release.before-owner');
          door.remove(OWNER);
          failpoint('lock.release.after-owner');
        } finally {
          await release().catch(() => {});
          socket?.close();
        }
      },
    });
  } catch (error) {
    socket?.close();
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    return failure(readHolder(stateFolder) ?? before ?? UNKNOWN);
  }
}

const UNKNOWN: Holder = { pid: 0, startTime: '', boot: '', doing: 'unknown' };
