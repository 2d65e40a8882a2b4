import { listPids, readProc, readProcessStat } from '../../src/sandbox/processes/proc.ts';

/** A live process. */
export interface LiveProcess {
  readonly pid: number;
  /** The whole command line: cut short it would lose the program's name where a clone lies deep. */
  readonly command: string;
}

/** Every live process whose command line or environment names `text`; empty where there is no /proc. */
export function processesAbout(text: string): readonly LiveProcess[] {
  return listPids().flatMap((pid) => {
    const command = readProc(`${pid}/cmdline`).replaceAll('\0', ' ').trim();
    const about = pid !== process.pid && (command.includes(text) || readProc(`${pid}/environ`).includes(text));
    return about && isAlive(pid) ? [{ pid, command }] : [];
  });
}

/** The process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  const stat = readProcessStat(pid);
  return stat !== undefined && !['Z', 'X'].includes(stat.state);
}
