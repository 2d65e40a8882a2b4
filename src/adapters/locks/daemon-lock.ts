import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { failure, success } from '../../formats/outcome.ts';
import type { Outcome } from '../../formats/outcome.ts';
import { failpoint } from '../failpoints.ts';
import { bootId, nameProcess } from '../processes/descendants.ts';

/** Who holds a repository's lock. */
export interface Holder {
  readonly pid: number;
  readonly startTime: string;
  readonly boot: string;
  readonly doing: string;
}

/** A held lock; `lost` is called at most once, when it was taken away (a daemon that slept too long). */
export interface HeldLock {
  /** What a crashed holder left, when this lock was taken over from one. */
  readonly tookOverFrom: Holder | undefined;
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
  const lockfilePath = join(stateFolder, 'daemon.lock');
  const ownerFile = join(stateFolder, 'daemon.json');
  const socket = await bindName(commonDir);
  if (socket === 'taken') return failure(readHolder(ownerFile) ?? UNKNOWN);
  const before = readHolder(ownerFile);
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
    const me: Holder = {
      pid: process.pid,
      startTime: nameProcess(process.pid)?.startTime ?? '',
      boot: bootId(),
      doing,
    };
    failpoint('lock.take.before-owner');
    writeFileSync(ownerFile, JSON.stringify(me));
    failpoint('lock.take.after-owner');
    return success({
      tookOverFrom: dead ? before : undefined,
      release: async () => {
        try {
          failpoint('lock.release.before-owner');
          rmSync(ownerFile, { force: true });
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
    return failure(readHolder(ownerFile) ?? before ?? UNKNOWN);
  }
}

const UNKNOWN: Holder = { pid: 0, startTime: '', boot: '', doing: 'unknown' };

/**
 * On Linux a name in the kernel's abstract socket space: only one process can have it, and it is free the moment that
 * process is dead. It names the git directory itself, so that it is the same by every path (a bind mount too). Elsewhere
 * there is none, and the lock file decides alone.
 */
function bindName(commonDir: string): Promise<Server | 'taken' | undefined> {
  if (process.platform !== 'linux') return Promise.resolve(undefined);
  const { dev, ino } = statSync(commonDir, { bigint: true });
  const name = `\0andon-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)}`;
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve('taken') : reject(error),
    );
    server.listen(name, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** The live holder of a repository's lock; undefined when nobody holds it. */
export function currentHolder(stateFolder: string): Holder | undefined {
  const holder = readHolder(join(stateFolder, 'daemon.json'));
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

/** Alive is the same pid, started at the same time, since the same boot. Elsewhere than on Linux the pid must do. */
function isAlive(holder: Holder): boolean {
  if (holder.boot !== '' && holder.boot !== bootId()) return false;
  if (holder.startTime !== '') return nameProcess(holder.pid)?.startTime === holder.startTime;
  try {
    process.kill(holder.pid, 0);
    return true;
  } catch {
    return false;
  }
}
