import { basename } from 'node:path';
import type { ProcessName } from './process-name.ts';
import { listPids, readLink, readProc, readProcessStat } from './proc.ts';

/** The process with this pid; undefined when it does not exist or is a zombie. Linux only. */
export function nameProcess(pid: number): ProcessName | undefined {
  const stat = readProcessStat(pid);
  return stat === undefined || stat.state === 'Z' ? undefined : { pid, startTime: stat.startTime };
}

/** The id of this boot, since ticks of another boot mean nothing; '' where it is unknown. */
export const bootId = (): string => readProc('sys/kernel/random/boot_id').trim();

/** The pid namespace of a process, by its number; '' where that cannot be read. */
const pidNamespace = (pid: number | 'self'): string => /\d+/.exec(readLink(`${pid}/ns/pid`))?.[0] ?? '';

/** Whether a pid namespace may have processes: not where this process sees all namespaces, and none in this one. */
export const mayRunProcesses = (namespace: string): boolean =>
  pidNamespace('self') !== FIRST_NAMESPACE || listPids().some((pid) => pidNamespace(pid) === namespace);

/** The kernel's fixed number of the initial namespace, from which all others are visible. */
const FIRST_NAMESPACE = '4026531836';

/** The boot and pid namespace in which pids of this process are valid. */
export const processScope = (): string => `${bootId()}/${pidNamespace('self')}`;

/** Every live descendant of a process, including other sessions. Empty where /proc does not exist. */
export function listDescendants(pid: number): readonly ProcessName[] {
  const all = listPids().flatMap((pid) => {
    const stat = readProcessStat(pid);
    return stat === undefined ? [] : [{ pid, ...stat }];
  });
  const children = Map.groupBy(all, ({ parent }) => parent);
  const found: ProcessName[] = [];
  const queue = [pid];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const { pid, startTime } of children.get(next) ?? []) {
      found.push({ pid, startTime });
      queue.push(pid);
    }
  }
  return found;
}

/**
 * Every other live process whose environment has this variable and value. Empty where /proc does not exist. `since`:
 * skips those that started before, because reading a process that is busy with its memory blocks, a tenth of a second
 * or more on a busy machine.
 */
export function listProcessesWithVariable(variable: string, value: string, since = '0'): readonly ProcessName[] {
  return listPids().flatMap((pid) => {
    const stat = pid === process.pid ? undefined : readProcessStat(pid);
    if (stat === undefined || Number(stat.startTime) < Number(since)) return [];
    if (!readProc(`${pid}/environ`).split('\0').includes(`${variable}=${value}`)) return [];
    return nameProcess(pid) ?? [];
  });
}

/** The running servers started as `<program> <command>`, with their descendants. */
export function listServers(program: string, command: string): readonly ProcessName[] {
  return listPids().flatMap((pid) => {
    const [name = '', ...args] = readProc(`${pid}/cmdline`).split('\0');
    const found = basename(name) === program && args.includes(command) ? nameProcess(pid) : undefined;
    return found === undefined ? [] : [found, ...listDescendants(pid)];
  });
}

/** Sends SIGKILL to a process if it is still the same one. */
export function killNamed({ pid, startTime }: ProcessName): void {
  if (readProcessStat(pid)?.startTime !== startTime) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
