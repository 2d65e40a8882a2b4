import { rmSync, statSync } from 'node:fs';
import lockfile from 'proper-lockfile';
import type { DiskWait } from '../../base/disk-trouble.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import {
  OWNER,
  SHARED_OWNER,
  describeThisHolder,
  isAlive,
  isOtherMachine,
  readHolder,
  readSharedHolder,
  type HeldPlace,
  type Holder,
} from './holder.ts';
import { takeKernelLock } from './kernel-lock.ts';
import { bindName } from './kernel-name.ts';

/** A held lock; `lost` is called at most once, when it was taken away (the daemon slept too long). */
export interface HeldLock {
  /** The crashed holder that this lock was taken over from, and the time of its last sign of life (ISO 8601). */
  readonly tookOverFrom: (Holder & { readonly lastSeen: string | undefined }) | undefined;
  /** Tells askers that the holder waits for its disk, or no longer waits; this needs no disk. */
  waits(wait: DiskWait | undefined): void;
  release(): Promise<void>;
}

export interface LockOptions extends Pick<Holder, 'stopBefore'> {
  /** Takes a lock whose holder on another machine cannot be asked. */
  readonly breaks?: boolean;
}

/** Why a lock is refused: its holder, and whether that is uncertain because of another machine. */
export interface NotFree {
  readonly holder: Holder;
  readonly isInDoubt: boolean;
}

/**
 * Takes the one lock of a repository. The kernel's lock beside the repository decides, independent of pids. If its last
 * holder was on another machine, the kernel cannot know, and the lock is refused until `breaks` says to take it. The
 * time of the lock file in the state folder shows that this process is awake. A dead holder's lock is taken over at
 * once.
 */
export async function takeLock(
  place: HeldPlace,
  doing: string,
  lost: (reason: string) => void,
  { breaks = false, stopBefore }: LockOptions = {},
): Promise<Outcome<HeldLock, NotFree>> {
  const { stateFolder, commonDir } = place;
  const door = openDir(stateFolder);
  const lockfilePath = door.at('daemon.lock');
  const named = (): Holder | undefined => readSharedHolder(commonDir) ?? readHolder(stateFolder);
  let wait: DiskWait | undefined;
  const kernel = takeKernelLock(commonDir);
  if (kernel === 'taken') return failure({ holder: named() ?? UNKNOWN, isInDoubt: false });
  const socket = await bindName(commonDir, () => wait);
  const giveUp = (holder: Holder, isInDoubt: boolean): Outcome<HeldLock, NotFree> => {
    if (socket !== 'taken') socket?.close();
    kernel.release();
    return failure({ holder, isInDoubt });
  };
  if (socket === 'taken') return giveUp(named() ?? UNKNOWN, false); // an older version holds it
  const shared = readSharedHolder(commonDir);
  if (shared !== undefined && isOtherMachine(shared) && !breaks) return giveUp(shared, true);
  const before = shared ?? readHolder(stateFolder);
  // With both locks of the kernel in hand, no other andon of this machine can be running, whatever became of that pid.
  const dead = before === undefined || socket !== undefined || !isAlive(before);
  const lastSeen = statSync(lockfilePath, { throwIfNoEntry: false })?.mtime.toISOString();
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
    const record = JSON.stringify(describeThisHolder(place, doing, stopBefore));
    door.put(OWNER, record);
    openDir(commonDir).write(SHARED_OWNER, record); // in place of the one that another user's andon left
    failpoint('lock.take.after-owner');
    return success({
      tookOverFrom: dead && before !== undefined ? { ...before, lastSeen } : undefined,
      waits: (now) => void (wait = now),
      release: async () => {
        try {
          failpoint('lock.release.before-owner');
          openDir(commonDir).remove(SHARED_OWNER);
          door.remove(OWNER);
          failpoint('lock.release.after-owner');
        } finally {
          await release().catch(() => {});
          socket?.close();
          kernel.release();
        }
      },
    });
  } catch (error) {
    socket?.close();
    kernel.release();
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    return failure({ holder: named() ?? before ?? UNKNOWN, isInDoubt: false });
  }
}

const UNKNOWN: Holder = { pid: 0, startTime: '', boot: '', doing: 'unknown' };
