import { readFileSync, statSync, statfsSync, watch } from 'node:fs';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import { failedCheck, warningCheck, passedCheck, type DoctorCheck } from './doctor-check.ts';

/** Less than this and git, SQLite or a gate fails in the middle of its work. */
const FULL_BYTES = 100_000_000;
/** Less than this is soon used up: trees of gates, kept prompts and answers, build output. */
const SCARCE_BYTES = 1_000_000_000;
/** A repository takes one inotify instance and a handful of watches; editors and build tools take the rest. */
const FEW_INSTANCES = 16;
const FEW_WATCHES = 1024;

/** File systems by their magic number on which locks, SQLite and file events cannot be relied upon. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x01021997, '9p'],
  [0x65735546, 'fuse'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x5346414f, 'afs'],
  [0x00c36400, 'ceph'],
]);

/** The machine under the line: disks, file systems, limits for watching. */
export function examineMachine({ facts, state }: Workspace): readonly DoctorCheck[] {
  const places =
    statSync(facts.root).dev === statSync(state).dev
      ? [{ name: 'disk', folder: state }]
      : [
          { name: 'disk (project)', folder: facts.root },
          { name: 'disk (state)', folder: state },
        ];
  return [
    ...places.map(({ name, folder }) => judgeDisk(name, folder, readDisk(folder))),
    judgeWatcher(readWatcher(state)),
  ];
}

/** What a file system says of itself; a type is only known on Linux. */
export type Disk = ReturnType<typeof readDisk>;

/** Whether there is room for work, on a file system that keeps its promises. */
export function judgeDisk(name: string, folder: string, { free, type, files }: Disk): DoctorCheck {
  const room = `${size(free)} free in ${folder}`;
  if (free < FULL_BYTES)
    return failedCheck(
      name,
      room,
      `below ${size(FULL_BYTES)} git and the journal fail; make room: \`andon clean --yes\``,
    );
  if (files !== undefined && files < 1000)
    return failedCheck(
      name,
      `room for only ${files} more files in ${folder}`,
      'the inodes are used up; remove files: `andon clean --yes`',
    );
  const remote = REMOTE.get(type ?? -1);
  if (remote !== undefined)
    return warningCheck(
      name,
      `${room}, which is a network or shared file system (${remote})`,
      'locks, the journal and file events are not safe there: use a local disk (XDG_STATE_HOME for the state)',
    );
  return free < SCARCE_BYTES
    ? warningCheck(name, room, `make room: below ${size(SCARCE_BYTES)} gates may run out of it`)
    : passedCheck(name, room);
}

/** The kernel's limits for watching, and the error of a try. */
interface Watcher {
  readonly watches: number | undefined;
  readonly instances: number | undefined;
  /** The code with which an attempt to watch failed. */
  readonly error: string | undefined;
}

/** Whether a dropped contract is noticed at once. */
export function judgeWatcher({ watches, instances, error }: Watcher): DoctorCheck {
  const limits =
    watches === undefined ? 'no limit known' : `limits of inotify: ${instances ?? '?'} instances, ${watches} watches`;
  const raise =
    'raise them: `sudo sysctl fs.inotify.max_user_instances=512 fs.inotify.max_user_watches=524288`; until then andon looks every second';
  if (error === 'EMFILE' || error === 'ENOSPC' || error === 'ENFILE')
    return warningCheck('watcher', `the limits for watching folders are used up (${error}; ${limits})`, raise);
  if (error !== undefined)
    return warningCheck(
      'watcher',
      `folders cannot be watched here (${error}); andon looks every second instead`,
      'use a local disk for the state (XDG_STATE_HOME)',
    );
  if ((watches ?? FEW_WATCHES) < FEW_WATCHES || (instances ?? FEW_INSTANCES) < FEW_INSTANCES)
    return warningCheck('watcher', limits, raise);
  return passedCheck('watcher', limits);
}

function readDisk(folder: string) {
  const { bavail, bsize, type, files, ffree } = statfsSync(folder);
  return {
    free: bavail * bsize,
    type: process.platform === 'linux' ? type : undefined,
    /** Files that may still be made; undefined where there is no such limit. */
    files: files > 0 ? ffree : undefined,
  };
}

function readWatcher(folder: string): Watcher {
  const limit = (name: string): number | undefined => {
    try {
      return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8'));
    } catch {
      return undefined;
    }
  };
  return { watches: limit('max_user_watches'), instances: limit('max_user_instances'), error: tryToWatch(folder) };
}

function tryToWatch(folder: string): string | undefined {
  try {
    watch(folder).close();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown error';
  }
}

const size = (bytes: number): string =>
  bytes < 1_000_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
