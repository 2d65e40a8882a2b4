import type { DiskWait } from '../../base/disk-trouble.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { openDir } from '../safe-fs.ts';
import { failpoint } from '../failpoints.ts';
import {
  OWNER,
  SHARED_OWNER,
  describeThisHolder,
  isOtherMachine,
  readHolder,
  readSharedHolder,
  type HeldPlace,
  type Holder,
} from './holder.ts';
import { takeKernelLock } from './kernel-lock.ts';
import { bindName } from './kernel-name.ts';

/** A held lock; the kernel frees it at the end of the process in any case. */
export interface HeldLock {
  /** The crashed holder that this lock was taken over from. */
  readonly tookOverFrom: Holder | undefined;
  /** Tells askers that the holder waits for its disk, or no longer waits; this needs no disk. */
  waits(wait: DiskWait | undefined): void;
  release(): void;
}

/** Why a lock is refused: its holder, and whether that is uncertain because of another machine. */
export interface NotFree {
  readonly holder: Holder;
  readonly isInDoubt: boolean;
}

/**
 * Takes the one lock of a repository. The kernel's lock beside the repository decides, independent of pids, and a name in
 * the kernel where that file was deleted. If its last holder was on another machine, the kernel cannot know, and the lock
 * is refused until `breaks` says to take it. A dead holder's lock is taken over at once.
 */
export async function takeLock(
  place: HeldPlace,
  doing: string,
  { breaks = false }: { readonly breaks?: boolean } = {},
): Promise<Outcome<HeldLock, NotFree>> {
  const { stateFolder, commonDir } = place;
  const [door, shared] = [openDir(stateFolder), openDir(commonDir)];
  let wait: DiskWait | undefined;
  const kernel = takeKernelLock(commonDir);
  const name = kernel === 'taken' ? 'taken' : await bindName(commonDir, () => wait);
  const release = (): void => {
    if (name !== 'taken') name?.close();
    if (kernel !== 'taken') kernel.release();
  };
  const last = readSharedHolder(commonDir);
  const before = last ?? readHolder(stateFolder);
  const isInDoubt = name !== 'taken' && last !== undefined && isOtherMachine(last) && !breaks;
  if (name === 'taken' || isInDoubt) {
    release();
    return failure({ holder: before ?? UNKNOWN, isInDoubt });
  }
  try {
    failpoint('lock.take.before-owner');
    const record = JSON.stringify(describeThisHolder(place, doing));
    door.put(OWNER, record);
    shared.write(SHARED_OWNER, record); // in place of the one that another user's andon left
    failpoint('lock.take.after-owner');
  } catch (error) {
    release();
    throw error;
  }
  return success({
    tookOverFrom: before,
    waits: (now: DiskWait | undefined) => void (wait = now),
    release: () => {
      try {
        failpoint('lock.release.before-owner');
        shared.remove(SHARED_OWNER);
        door.remove(OWNER);
        failpoint('lock.release.after-owner');
      } finally {
        release();
      }
    },
  });
}

const UNKNOWN: Holder = { pid: 0, startTime: '', boot: '', doing: 'unknown' };
