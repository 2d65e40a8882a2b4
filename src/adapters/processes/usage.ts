import type { StatsFs } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlGroup } from './control-group.ts';
import type { ProcessName } from './descendants.ts';
import { watchKernelUsage } from './kernel-usage.ts';
import { readProc } from './proc.ts';

/** The writes of some processes: in memory of their own namespace, or on a disk. */
export interface WrittenAmount {
  readonly bytes: number;
  readonly files: number;
}

/** The resources that some processes use. */
export interface ProcessUsage extends WrittenAmount {
  readonly memoryBytes: number;
  /** Processes and their threads. */
  readonly processes: number;
}

/** The type of tmpfs in statfs. */
const IN_MEMORY = 0x01021994;
/** Processes whose mounts are inspected: the first ones build the cage, all others run in it. */
const FIRST = 6;

/** Measures processes: their memory, what the kernel holds for them, and their own file systems in memory. */
export function countUsage(allowed: number, group: ControlGroup | undefined) {
  const look = watchKernelUsage();
  return async (processes: readonly ProcessName[], again: boolean) => {
    const places = await usedInMemory(processes);
    const counted = group?.usage();
    const held = await look(processes, again);
    if (counted !== undefined && counted.processes !== 0) {
      // A control group of version 1 does not charge queued data by default; that of version 2 is not asked.
      const memoryBytes = counted.anonymous + Math.max(0, counted.shared - places.bytes) + held.queued;
      return { memoryBytes, processes: counted.processes, ...places, held };
    }
    const mapped = memoryOf(processes, allowed, held.memfd);
    return { memoryBytes: mapped.bytes + held.queued, processes: mapped.threads, ...places, held };
  };
}

/** How many processes the kernel has killed on this machine because memory was short. */
export const countOomKills = (): number => Number(/^oom_kill (\d+)$/m.exec(readProc('vmstat'))?.[1] ?? 0);

/** Shared memory is counted once; that is slow, so it is done only where the plain sum is too much. */
function memoryOf(processes: readonly ProcessName[], allowed: number, memfd: number) {
  let [sum, tables, threads] = [memfd, 0, 0];
  for (const { pid } of processes) {
    const status = readProc(`${pid}/status`);
    sum += kiloBytes(status, 'RssAnon') + kiloBytes(status, 'RssShmem');
    tables += kiloBytes(status, 'VmPTE');
    threads += Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1] ?? 1);
  }
  if (sum + tables <= allowed) return { bytes: sum + tables, threads };
  const shared = total(processes, ({ pid }) => {
    const shares = readProc(`${pid}/smaps_rollup`);
    return kiloBytes(shares, 'Pss_Anon') + kiloBytes(shares, 'Pss_Shmem') || kiloBytes(shares, 'Pss');
  });
  const unmapped = memfd === 0 ? 0 : Math.max(0, memfd - total(processes, mappedMemfd));
  return { bytes: shared + unmapped + tables, threads };
}

/** A process's share of mapped files in memory without a name. */
const mappedMemfd = ({ pid }: ProcessName): number =>
  readProc(`${pid}/smaps`)
    .split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
    .filter((mapping) => mapping.split('\n', 1)[0]?.includes(' /memfd:'))
    .reduce((sum, mapping) => sum + kiloBytes(mapping, 'Pss'), 0);

const total = (processes: readonly ProcessName[], of: (one: ProcessName) => number): number =>
  processes.reduce((sum, one) => sum + of(one), 0);

const kiloBytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024;

/** The use of all file systems in memory that these processes see and andon does not. */
async function usedInMemory(processes: readonly ProcessName[]): Promise<WrittenAmount> {
  const seen = new Set(inMemory('self').map(({ device }) => device));
  let [bytes, files] = [0, 0];
  for (const { pid } of processes.slice(0, FIRST))
    for (const { device, path } of inMemory(String(pid))) {
      if (seen.has(device)) continue;
      const used = await usedOf(join('/proc', String(pid), 'root', path), device);
      if (used === undefined) continue;
      seen.add(device);
      bytes += (used.blocks - used.bfree) * used.bsize;
      files += used.files - used.ffree;
    }
  return { bytes, files };
}

/** A process that is just being caged changes its root: a path then leads to another disk. */
async function usedOf(path: string, device: string): Promise<StatsFs | undefined> {
  try {
    const { dev } = await stat(path);
    const used = await statfs(path);
    return used.type === IN_MEMORY && device === `${(dev >>> 8) & 0xfff}:${(dev & 0xff) | ((dev >>> 12) & 0xfff00)}`
      ? used
      : undefined;
  } catch {
    return undefined;
  }
}

/** The mounts of a process that are in memory, by device number. */
function inMemory(pid: string): readonly { readonly device: string; readonly path: string }[] {
  return readProc(`${pid}/mountinfo`)
    .split('\n')
    .filter((row) => row.includes(' - tmpfs '))
    .map((row) => {
      const [, , device = '', , path = ''] = row.split(' ');
      return {
        device,
        path: path.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCodePoint(parseInt(code, 8))),
      };
    });
}
