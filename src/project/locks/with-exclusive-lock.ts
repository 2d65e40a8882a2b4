import lockfile from 'proper-lockfile';
import { openDir } from '../../base/system/safe-fs.ts';

/** A lock older than this is stale: its holder died. */
const STALE_MS = 30_000;

/** Runs a task that only one process of this user may run; false, without effect, while another one does. */
export async function withExclusiveLock(folder: string, name: string, work: () => Promise<void>): Promise<boolean> {
  const door = openDir(folder);
  door.makeFolder('', 0o700);
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(folder, {
      lockfilePath: door.at(name),
      realpath: false,
      stale: STALE_MS,
      onCompromised: () => {}, // twice is better than never
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    return false;
  }
  try {
    await work();
  } finally {
    await release().catch(() => {});
  }
  return true;
}
