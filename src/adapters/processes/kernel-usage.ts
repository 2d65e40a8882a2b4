import { setImmediate as otherWork } from 'node:timers/promises';
import type { ProcessName } from './descendants.ts';
import { listFiles, readLink, readProc, statUnlinked } from './proc.ts';

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
export function watchKernelUsage() {
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
      for (const kind of ['tcp', 'tcp6', 'udp', 'udp6']) queued += inQueues(readProc(`${pid}/net/${kind}`));
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
const inQueues = (list: string): number =>
  [...list.matchAll(/^ *\d+: \S+ \S+ \S+ ([0-9A-F]+):([0-9A-F]+) /gm)].reduce(
    (sum, [, sent = '', got = '']) => sum + parseInt(sent, 16) + parseInt(got, 16),
    0,
  );
