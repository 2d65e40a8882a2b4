import { objectIn } from '../../base/json-object.ts';
import type { Owner } from '../../ports/ledger.ts';
import { doorTo } from '../door.ts';
import { bootId, nameProcess } from '../processes/descendants.ts';

/** Who holds a repository's lock. */
export interface Holder extends Owner {
  readonly doing: string;
}

/** The live holder of a repository's lock; undefined when nobody holds it. */
export function currentHolder(stateFolder: string): Holder | undefined {
  const holder = readHolder(stateFolder);
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

/** Where the holder is named. */
export const OWNER = 'daemon.json';
const LARGEST = 64 * 1024;

/** Whoever is named as the holder, alive or not. */
export function readHolder(stateFolder: string): Holder | undefined {
  const read = doorTo(stateFolder).text(OWNER, LARGEST);
  return objectIn<Holder>(read.ok ? (read.value ?? '') : '', ['pid', 'startTime', 'boot', 'doing']);
}

/** This process as a holder. */
export const thisProcess = (doing: string): Holder => ({
  pid: process.pid,
  startTime: nameProcess(process.pid)?.startTime ?? '',
  boot: bootId(),
  doing,
});

/** Alive is the same pid, started at the same time, since the same boot. Elsewhere than on Linux the pid must do. */
export function isAlive({ pid, startTime, boot }: Owner): boolean {
  if (boot !== '' && boot !== bootId()) return false;
  if (startTime !== '') return nameProcess(pid)?.startTime === startTime;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
