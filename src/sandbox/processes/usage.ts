import type { StatsFs } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { ProcessName } from './process-name.ts';
import { readProc, listFiles, readLink, statUnlinked } from './proc.ts';

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
export function countUsage(allowed: number) {
  const look = watchKernelUsage();
  return async (processes: readonly ProcessName[], again: boolean) => {
    const places = await usedInMemory(processes);
    const held = await look(processes, again);
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
  const seen = new Set(listMemoryFiles('self').map(({ device }) => device));
  let [bytes, files] = [0, 0];
  for (const { pid } of processes.slice(0, FIRST))
    for (const { device, path } of listMemoryFiles(String(pid))) {
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
function listMemoryFiles(pid: string): readonly { readonly device: string; readonly path: string }[] {
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

/** What the kernel holds for some processes, in addition to their mapped memory. */
export interface KernelUsage {
  /** Bytes of unnamed files in memory (memfd), mapped or not. */
  readonly memfd: number;
  /** Bytes queued in connections of their network; the kernel does not show queues of Unix sockets. */
  readonly queued: number;
  readonly inotify: number;
  /** Bytes of deleted files on a disk that are still open, by device. */
  readonly unlinked: ReadonlyMap<number, number>;
}

const NOTHING: KernelUsage = { memfd: 0, queued: 0, inotify: 0, unlinked: new Map() };

/** The shortest interval between scans of open files; a scan that takes long waits a multiple of its duration. */
const EVERY_MS = 500;
const COST = 20;

/** Scans the open files and sockets of processes now and then; `again` scans at once. */
function watchKernelUsage() {
  let held = NOTHING;
  let due = 0;
  return async (processes: readonly ProcessName[], again: boolean): Promise<KernelUsage> => {
    const started = performance.now();
    if (started < due && !again) return held;
    held = await lookAtFiles(processes);
    due = performance.now() + Math.max(EVERY_MS, COST * (performance.now() - started));
    return held;
  };
}

/** Limit of inotify instances per command: all programs of a user share the kernel's limit. */
export const maxInotifyInstances = (): number =>
  Math.max(16, Math.floor(Number(readProc('sys/fs/inotify/max_user_instances') || 128) / 2));

async function lookAtFiles(processes: readonly ProcessName[]): Promise<KernelUsage> {
  const seen = new Set<string>();
  const unlinked = new Map<number, number>();
  const networks = new Set([readLink('self/ns/net')]);
  let [memfd, queued, inotify] = [0, 0, 0];
  for (const { pid } of processes) {
    await otherWork();
    const network = readLink(`${pid}/ns/net`);
    if (network !== '' && !networks.has(network)) {
      networks.add(network);
      for (const kind of ['tcp', 'tcp6', 'udp', 'udp6']) queued += sumQueues(readProc(`${pid}/net/${kind}`));
    }
    for (const fd of listFiles(pid)) {
      const link = readLink(`${pid}/fd/${fd}`);
      if (link === 'anon_inode:inotify') inotify += 1;
      if (!link.endsWith(' (deleted)')) continue;
      const file = statUnlinked(`${pid}/fd/${fd}`);
      if (file === undefined || seen.has(file.name)) continue;
      seen.add(file.name);
      if (link.startsWith('/memfd:')) memfd += file.bytes;
      else unlinked.set(file.device, (unlinked.get(file.device) ?? 0) + file.bytes);
    }
  }
  return { memfd, queued, inotify, unlinked };
}

/** The bytes queued to send and to read, in a list of sockets. */
const sumQueues = (list: string): number =>
  [...list.matchAll(/^ *\d+: \S+ \S+ \S+ ([0-9A-F]+):([0-9A-F]+) /gm)].reduce(
    (sum, [, sent = '', got = '']) => sum + parseInt(sent, 16) + parseInt(got, 16),
    0,
  );
