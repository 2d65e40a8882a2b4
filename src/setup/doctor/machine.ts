import { statSync, statfsSync } from 'node:fs';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { failedCheck, warningCheck, passedCheck, type DoctorCheck } from './check.ts';

/** Less than this and git, SQLite or a gate fails in the middle of its work. */
const FULL_BYTES = 100_000_000;
/** Less than this is soon used up: trees of gates, kept prompts and answers, build output. */
const SCARCE_BYTES = 1_000_000_000;
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

/** The disks under the line: their room, and whether they keep their promises. */
export function examineMachine({ facts, state }: Workspace): readonly DoctorCheck[] {
  const places =
    statSync(facts.root).dev === statSync(state).dev
      ? [{ name: 'disk', folder: state }]
      : [
          { name: 'disk (project)', folder: facts.root },
          { name: 'disk (state)', folder: state },
        ];
  return places.map(({ name, folder }) => judgeDisk(name, folder, readDisk(folder)));
}

/** What a file system says of itself; a type is only known on Linux. */
export interface Disk {
  readonly free: number;
  readonly type: number | undefined;
  /** Files that may still be made; undefined where there is no such limit. */
  readonly files: number | undefined;
}

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

function readDisk(folder: string): Disk {
  const { bavail, bsize, type, files, ffree } = statfsSync(folder);
  return {
    free: bavail * bsize,
    type: process.platform === 'linux' ? type : undefined,
    files: files > 0 ? ffree : undefined,
  };
}

const size = (bytes: number): string =>
  bytes < 1_000_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
