import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseJsonObject } from '../../base/json-object.ts';
import type { Owner } from '../../sandbox/processes/process-name.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { bootId, mayRunProcesses, nameProcess, processScope } from '../../sandbox/processes/descendants.ts';
import { SHARED_FOLDER, isKernelLocked } from './kernel-lock.ts';

/** The holder of a repository's lock. */
export interface Holder extends Owner {
  readonly doing: string;
  /** Random, to identify a record. Undefined in records of older versions. */
  readonly id?: string;
  readonly host?: string;
  /** Device and inode of the git directory: a copy of a repository also copies this record. */
  readonly folder?: string;
  /** Its checkout. */
  readonly root?: string;
  /** ISO 8601, by the clock of its machine. */
  readonly since?: string;
  /** The last night that had ended early when this watchdog started, 0 = none: a later one holds it. */
  readonly stopBefore?: number;
}

/** A holder as another process sees it. */
export interface SeenHolder extends Holder {
  /** It uses the same state folder, so it reads requests written there. */
  readonly isReachable: boolean;
}

/** The paths of a repository and of its state. */
export interface HeldPlace {
  readonly stateFolder: string;
  readonly commonDir: string;
  /** The checkout of the command. */
  readonly root?: string;
}

/** The file that names the holder: in the state folder, and beside the lock. */
export const OWNER = 'daemon.json';
export const SHARED_OWNER = `${SHARED_FOLDER}/holder.json`;
const LARGEST = 64 * 1024;

/** The live holder according to a state folder. */
export function readStateHolder(stateFolder: string): Holder | undefined {
  const holder = readHolder(stateFolder);
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

/** The live holder of a repository's lock; undefined when it is free. */
export function readCurrentHolder({ stateFolder, commonDir }: HeldPlace): SeenHolder | undefined {
  const own = readHolder(stateFolder);
  const shared = readSharedHolder(commonDir);
  const holder = shared ?? own;
  if (holder === undefined) return undefined;
  const seen = { ...holder, isReachable: own !== undefined && own.id === holder.id };
  if (isOtherMachine(holder)) return seen; // its life cannot be checked here
  if (isOfThisNamespace(holder)) return isAlive(holder) ? seen : undefined;
  return isKernelLocked(commonDir) === false ? undefined : seen;
}

/** The recorded holder in a state folder, alive or not. */
export const readHolder = (stateFolder: string): Holder | undefined => readRecord(stateFolder, OWNER);

/** The same for the lock beside it; a record of another repository, of which this one is a copy, does not count. */
export function readSharedHolder(commonDir: string): Holder | undefined {
  const holder = readRecord(commonDir, SHARED_OWNER);
  return holder === undefined || isOtherMachine(holder) || holder.folder === folderId(commonDir) ? holder : undefined;
}

function readRecord(folder: string, name: string): Holder | undefined {
  const read = openDir(folder).text(name, LARGEST);
  return parseJsonObject<Holder>(read.ok ? (read.value ?? '') : '', ['pid', 'startTime', 'boot', 'doing']);
}

/** This process as the holder of a repository. */
export const describeThisHolder = ({ commonDir, root }: HeldPlace, doing: string, stopBefore?: number): Holder => ({
  ...identifyThisProcess(),
  doing,
  ...(stopBefore === undefined ? {} : { stopBefore }),
  ...(root === undefined ? {} : { root }),
  since: new Date().toISOString(),
  id: randomBytes(8).toString('hex'),
  host: hostname(),
  folder: folderId(commonDir),
});

/** The identity of this process. */
export const identifyThisProcess = (): Owner => ({
  pid: process.pid,
  startTime: nameProcess(process.pid)?.startTime ?? '',
  boot: processScope(),
});

function folderId(commonDir: string): string {
  const { dev, ino } = statSync(commonDir, { bigint: true });
  return `${dev}:${ino}`;
}

/** A record with another boot and host is from a machine that may be running; one without a boot is not from Linux. */
export const isOtherMachine = ({ boot, host }: Holder): boolean =>
  bootOf(boot) !== bootId() && host !== undefined && host !== hostname();

/** Where a holder runs; '' on this machine and in this container. */
export function describeHolderHost(holder: Holder): string {
  if (isOtherMachine(holder)) return `on ${holder.host}`;
  return isOfThisNamespace(holder) ? '' : 'in another container';
}

/** Whether a pid of this holder names the same process here. */
export const isOfThisNamespace = ({ boot }: Owner): boolean =>
  namespaceOf(boot) === undefined || boot === processScope();

/**
 * Whether the holder is alive: same pid, start time and boot. A pid of another namespace on this machine proves
 * nothing: it counts as alive, unless this process sees all namespaces and none of its processes. Outside of Linux the
 * pid decides.
 */
export function isAlive({ pid, startTime, boot }: Owner): boolean {
  if (bootOf(boot) !== '' && bootOf(boot) !== bootId()) return false;
  if (!isOfThisNamespace({ pid, startTime, boot })) return mayRunProcesses(namespaceOf(boot) ?? '');
  if (startTime !== '') return nameProcess(pid)?.startTime === startTime;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}

const bootOf = (scope: string): string => scope.split('/')[0] ?? '';
/** Undefined in records of older versions, which have the boot alone. */
const namespaceOf = (scope: string): string | undefined => scope.split('/')[1];
