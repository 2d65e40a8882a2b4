import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** A process by id, with its command line. */
export interface LiveProcess {
  readonly pid: number;
  readonly command: string;
}

/** Live processes whose command line, environment or working folder names this folder. Empty without /proc. */
export function listDrillProcesses(folder: string, except: readonly number[]): readonly LiveProcess[] {
  return pids().flatMap((pid) => {
    if (pid === process.pid || except.includes(pid)) return [];
    const command = read(pid, 'cmdline');
    if (command === '') return []; // its memory is gone: it is exiting
    const isOfPlace = [command, read(pid, 'environ'), workingFolder(pid)].some((text) => text.includes(folder));
    return isOfPlace && isAlive(pid) ? [{ pid, command: command.replaceAll('\0', ' ').trim().slice(0, 160) }] : [];
  });
}

function pids(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Exists and is no zombie. */
const isAlive = (pid: number): boolean => /^\d+ \(.*\) [^ZX] /s.test(read(pid, 'stat'));

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
