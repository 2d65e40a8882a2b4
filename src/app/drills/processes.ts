import { nameProcess } from '../../sandbox/processes/descendants.ts';
import { listPids, readLink, readProc } from '../../sandbox/processes/proc.ts';

/** Live processes whose command line, environment or working folder names this folder. Empty without /proc. */
export function listDrillProcesses(folder: string, except: readonly number[]) {
  return listPids().flatMap((pid) => {
    if (pid === process.pid || except.includes(pid)) return [];
    const command = readProc(`${pid}/cmdline`);
    if (command === '') return []; // its memory is gone: it is exiting
    const texts = [command, readProc(`${pid}/environ`), readLink(`${pid}/cwd`)];
    const isOfPlace = texts.some((text) => text.includes(folder)) && nameProcess(pid) !== undefined;
    return isOfPlace ? [{ pid, command: command.replaceAll('\0', ' ').trim().slice(0, 160) }] : [];
  });
}
