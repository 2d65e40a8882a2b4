import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** A process by its number, and its command line for people. */
export interface LiveProcess {
  readonly pid: number;
  readonly command: string;
}

/** Live processes of a place: their command line, environment or working folder names its folder. Empty without /proc. */
export function processesOf(folder: string, besides: readonly number[]): readonly LiveProcess[] {
  return pids().flatMap((pid) => {
    if (pid === process.pid || besides.includes(pid)) return [];
    const command = read(pid, 'cmdline');
    if (command === '') return []; // its memory is gone already: it ends in this moment
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

/** It is there and not a zombie. */
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
