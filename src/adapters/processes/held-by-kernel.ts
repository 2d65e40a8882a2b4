import { setImmediate as otherWork } from 'node:timers/promises';
import type { ProcessName } from './descendants.ts';
import { listFiles, readLink, readProc, statUnlinked } from './proc.ts';

/** What the kernel holds for some processes besides the memory that is mapped into them. */
export interface Held {
  /** Bytes of files in memory without a name (memfd), mapped or not. */
  readonly memfd: number;
  /** Bytes that wait in sockets of their network. */
  readonly queued: number;
  /** Unix sockets of their network; the kernel tells nobody how much waits in one. */
  readonly unixSockets: number;
  readonly inotify: number;
  /** Bytes of files on a disk that have lost their name and are still open, by device. */
  readonly unlinked: ReadonlyMap<number, number>;
}

const NOTHING: Held = { memfd: 0, queued: 0, unixSockets: 0, inotify: 0, unlinked: new Map() };

/** How often open files are looked at at most, and how many times longer than the look takes it waits for the next. */
const EVERY_MS = 500;
const COST = 20;

/** Looks at the open files and sockets of processes now and then; `again` looks at once. */
export function heldByKernel() {
  let held = NOTHING;
  let due = 0;
  return async (processes: readonly ProcessName[], again: boolean): Promise<Held> => {
    const started = performance.now();
    if (started < due && !again) return held;
    held = await lookAtFiles(processes);
    due = performance.now() + Math.max(EVERY_MS, COST * (performance.now() - started));
    return held;
  };
}

/** Bytes that the kernel of this machine has taken for itself: data in sockets and pipes, drivers, its own tables. */
export function kernelMemory(): number {
  const fields = new Map(
    [...readProc('meminfo').matchAll(/^(\w+):\s+(\d+) kB$/gm)].map(([, name = '', kb]) => [name, Number(kb) * 1024]),
  );
  const of = (name: string): number => fields.get(name) ?? 0;
  return of('MemTotal') - NOT_OF_THE_KERNEL.reduce((sum, name) => sum + of(name), 0) - keptFree();
}

/** Free pages that each processor keeps for itself, which MemFree leaves out: up to an eighth of a machine. */
const keptFree = (): number =>
  [...readProc('zoneinfo').matchAll(/^ +count: +(\d+)$/gm)].reduce((sum, [, pages]) => sum + Number(pages), 0) *
  (pageSize ??= Number(/^KernelPageSize:\s+(\d+) kB$/m.exec(readProc('self/smaps'))?.[1] ?? 4) * 1024);

let pageSize: number | undefined;

/** What is free, of programs and of files, and what is counted with the processes. */
const NOT_OF_THE_KERNEL = [
  'MemFree',
  'Buffers',
  'Cached',
  'SwapCached',
  'AnonPages',
  'SReclaimable',
  'KernelStack',
  'PageTables',
  'Hugetlb',
];

/** The most that can wait in one Unix socket: what a program may ask for, doubled by the kernel. */
export const mostPerSocket = (): number => 2 * Number(readProc('sys/net/core/wmem_max') || 212_992);

/** How many inotify instances a command may have: all programs of a user share what the kernel allows him. */
export const mostInotify = (): number =>
  Math.max(16, Math.floor(Number(readProc('sys/fs/inotify/max_user_instances') || 128) / 2));

async function lookAtFiles(processes: readonly ProcessName[]): Promise<Held> {
  const seen = new Set<string>();
  const unlinked = new Map<number, number>();
  const networks = new Set([readLink('self/ns/net')]);
  let [memfd, queued, unixSockets, inotify] = [0, 0, 0, 0];
  for (const { pid } of processes) {
    await otherWork();
    const network = readLink(`${pid}/ns/net`);
    if (network !== '' && !networks.has(network)) {
      networks.add(network);
      for (const kind of ['tcp', 'tcp6', 'udp', 'udp6']) queued += inQueues(readProc(`${pid}/net/${kind}`));
      unixSockets += Math.max(0, readProc(`${pid}/net/unix`).split('\n').length - 2);
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
  return { memfd, queued, unixSockets, inotify, unlinked };
}

/** What waits to be sent and to be read, of a list of sockets. */
const inQueues = (list: string): number =>
  [...list.matchAll(/^ *\d+: \S+ \S+ \S+ ([0-9A-F]+):([0-9A-F]+) /gm)].reduce(
    (sum, [, sent = '', got = '']) => sum + parseInt(sent, 16) + parseInt(got, 16),
    0,
  );
