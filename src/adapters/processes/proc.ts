import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The number of every process of this machine; none where /proc does not exist. */
export function listPids(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** What Linux says in a file of `/proc`, as in `<pid>/cmdline`; '' when it says nothing (any more). */
export function readProc(file: string): string {
  try {
    return readFileSync(join('/proc', file), 'utf8');
  } catch {
    return '';
  }
}

/** Where a link of `/proc` leads, as in `self/fd/1`; '' when nobody says. */
export function readLink(file: string): string {
  try {
    return readlinkSync(join('/proc', file));
  } catch {
    return '';
  }
}

/** What `/proc/<pid>/stat` tells of a process; undefined when there is none. */
export interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  /** When it started, in clock ticks since boot. */
  readonly startTime: string;
  /** CPU time that it and its children that have ended have used, in hundredths of a second. */
  readonly cpuTicks: number;
}

/** Reads a process's state, parent and times; the name in field 2 may hold spaces and brackets, so it is cut off first. */
export function statOf(pid: number): ProcessStat | undefined {
  const text = readProc(`${pid}/stat`);
  if (text === '') return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    startTime: fields[19] ?? '',
    cpuTicks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
  };
}
