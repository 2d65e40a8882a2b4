import { readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The pids of this machine; none where /proc does not exist. */
export function listPids(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The numbers of a process's open files; empty when they are unknown. */
export function listFiles(pid: number): readonly string[] {
  try {
    return readdirSync(join('/proc', String(pid), 'fd'));
  } catch {
    return [];
  }
}

/** The content of a file of `/proc`, as in `<pid>/cmdline`; '' when it is empty or gone. */
export function readProc(file: string): string {
  try {
    return readFileSync(join('/proc', file), 'utf8');
  } catch {
    return '';
  }
}

/** The target of a link of `/proc`, as in `self/fd/1`; '' when it is unknown. */
export function readLink(file: string): string {
  try {
    return readlinkSync(join('/proc', file));
  } catch {
    return '';
  }
}

/** The unnamed file behind a link of `/proc`, as in `<pid>/fd/3`; undefined where it has a name, or is closed. */
export function statUnlinked(file: string) {
  try {
    const { dev, ino, blocks, nlink } = statSync(join('/proc', file));
    return nlink === 0 ? { name: `${dev} ${ino}`, device: dev, bytes: blocks * 512 } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a process's state, parent and times; the name in field 2 may hold spaces and brackets, so it is removed first.
 */
export function readProcessStat(pid: number) {
  const text = readProc(`${pid}/stat`);
  if (text === '') return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    /** Start time in clock ticks since boot. */
    startTime: fields[19] ?? '',
    /** CPU time of it and its ended children, in hundredths of a second. */
    cpuTicks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
  };
}
