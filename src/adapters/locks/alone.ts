import lockfile from 'proper-lockfile';
import { doorTo } from '../door.ts';

/** A lock older than this is stale: its holder died. */
const STALE_MS = 30_000;

/** Does what only one process of this user may be at; false, and nothing done, while another one is. */
export async function alone(folder: string, name: string, work: () => Promise<void>): Promise<boolean> {
  const door = doorTo(folder);
  door.makeFolder('', 0o700);
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(folder, {
      lockfilePath: door.at(name),
      realpath: false,
      stale: STALE_MS,
      onCompromised: () => {}, // done twice is better than not at all
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
