import lockfile from 'proper-lockfile';
import { openDir } from '../safe-fs.ts';

/** A lock older than this is stale: its holder died. */
const STALE_MS = 30_000;

/** How often a lock is tried by those that wait for it: some 15 seconds in all. */
const WAIT = { retries: 200, minTimeout: 10, maxTimeout: 100, factor: 1.2 };

/**
 * Runs a task that only one process of this user may run; false, without effect, while another one does. `waits`: for
 * work of moments, its end is waited for.
 */
export async function withExclusiveLock(
  folder: string,
  name: string,
  work: () => Promise<void> | void,
  { waits = false }: { readonly waits?: boolean } = {},
): Promise<boolean> {
  const door = openDir(folder);
  door.makeFolder('', 0o700);
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(folder, {
      lockfilePath: door.at(name),
      realpath: false,
      stale: STALE_MS,
      ...(waits ? { retries: WAIT } : {}),
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
