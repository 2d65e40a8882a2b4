import { writeFileSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import {
  countOomKills,
  countUsage,
  type ProcessUsage,
  type WrittenAmount,
  maxInotifyInstances,
  type KernelUsage,
} from './usage.ts';
import type { ProcessName } from './process-name.ts';

/** The limits of a program and its descendants; exceeding one ends them all at once. */
export interface Bounds extends ProcessUsage {
  /**
   * A folder on a disk that it writes to, and a function that counts its new bytes; asked when the disk has lost as
   * much.
   */
  readonly onDisk?: { readonly folder: string; readonly written: () => Promise<WrittenAmount | undefined> };
  /** The content of its overlay after its end, if it had one. */
  readonly leftBehind?: () => WrittenAmount | undefined;
}

/** Polling interval. A program that writes 2 GB a second writes half a GB meanwhile. */
const EVERY_MS = 250;
/** The shortest interval between counts of written files; a slow count waits a multiple of its duration. */
const COUNT_MS = 1000;
const COUNT_COST = 50;
/** Less than this counts as full. */
const NO_SPACE = 1024 * 1024;
const MB = 1024 * 1024;
/** What an empty file in memory takes. */
const BYTES_OF_FILE = 1024;

/** The first bound that is passed, as a sentence; undefined while all hold. */
function findPassedBound(usage: Partial<ProcessUsage>, bounds: Bounds): string | undefined {
  const { memoryBytes = 0, processes = 0, bytes = 0, files = 0 } = usage;
  if (memoryBytes > bounds.memoryBytes)
    return `it used ${toMegabytes(memoryBytes)} of memory, ${toMegabytes(bounds.memoryBytes)} are allowed (cage.limits.memory_mb)`;
  if (processes > bounds.processes)
    return `it had ${processes} processes and threads, ${bounds.processes} are allowed (cage.limits.processes)`;
  if (bytes > bounds.bytes)
    return `it wrote ${toMegabytes(bytes)}, ${toMegabytes(bounds.bytes)} are allowed (cage.limits.disk_mb)`;
  if (files > bounds.files) return `it wrote ${files} files, ${bounds.files} are allowed (cage.limits.files)`;
  return undefined;
}

/** Where writes have no limit of their own, files in memory count as memory, each with its overhead. */
const addMemory = (usage: ProcessUsage, { bytes }: Bounds): ProcessUsage =>
  bytes === Infinity ? { ...usage, memoryBytes: usage.memoryBytes + usage.bytes + usage.files * BYTES_OF_FILE } : usage;

function checkInotify({ inotify }: KernelUsage): string | undefined {
  const most = maxInotifyInstances();
  return inotify > most
    ? `it had ${inotify} inotify instances, ${most} are allowed (half of fs.inotify.max_user_instances, which all your programs share)`
    : undefined;
}

const toMegabytes = (bytes: number): string => `${Math.ceil(bytes / MB)} MB`;

/** Binds a program to its limits: its start, the watch, and the verdict at its end. */
export function enforceBounds(bounds: Bounds) {
  let watching: ReturnType<typeof watchBounds> | undefined;
  return {
    /** The kernel ends it first when memory is short. */
    start: ({ program, args }: { readonly program: string; readonly args: readonly string[] }) => ({
      program: '/bin/sh',
      args: ['-c', ENDED_FIRST, 'sh', program, ...args],
    }),
    watch(processes: () => readonly ProcessName[], over: (why: string) => void): void {
      watching = watchBounds(bounds, processes, over);
    },
    end: async (failed: boolean): Promise<string | undefined> => watching?.end(failed),
  };
}

const ENDED_FIRST = '{ echo 500 > /proc/self/oom_score_adj; } 2>/dev/null; exec "$@"';

/** Makes the kernel end this process, and its later descendants, before andon when memory runs out. */
export function preferOomKill(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '300');
  } catch {
    // The process is gone, or the system has no such setting.
  }
}

/**
 * Watches a running program by measurements of the machine, never by its output. `over` is called once. `end` is called
 * after it ended and reports what only shows then; `failed`: it reported an error itself.
 */
function watchBounds(bounds: Bounds, processes: () => readonly ProcessName[], over: (why: string) => void) {
  const kills = countOomKills();
  let held: KernelUsage | undefined;
  const disk = bounds.onDisk === undefined ? undefined : diskWatch(bounds, bounds.onDisk, () => held);
  const use = countUsage(bounds.memoryBytes);
  let stopped = false;
  let timer = setTimeout(() => void look(), EVERY_MS);
  async function look(): Promise<void> {
    const started = performance.now();
    const why = await lookOnce().catch(() => undefined);
    if (stopped) return;
    if (why !== undefined) return over(why);
    // Slow measurements are made less often: they take at most a third of the time.
    timer = setTimeout(() => void look(), Math.max(EVERY_MS, 2 * (performance.now() - started)));
  }
  async function lookOnce(): Promise<string | undefined> {
    const measure = async (again: boolean): Promise<string | undefined> => {
      const usage = await use(processes(), again);
      held = usage.held;
      return findPassedBound(addMemory(usage, bounds), bounds) ?? checkInotify(held);
    };
    // One measurement ends no program: processes come and go while they are counted.
    return (await measure(false)) === undefined ? disk?.() : measure(true);
  }
  return {
    async end(failed: boolean): Promise<string | undefined> {
      stopped = true;
      clearTimeout(timer);
      const left = findPassedBound(bounds.leftBehind?.() ?? {}, bounds);
      if (left !== undefined || !failed) return left;
      if (countOomKills() > kills)
        return 'this machine had no memory left while it ran, and the kernel ended processes';
      return disk?.().catch(() => undefined); // what cannot be measured is not known to be too much
    },
  };
}

/**
 * Watches the disk a program writes to. statfs is cheap, so new files are counted only when the disk has lost as much.
 * They are also counted now and then, in case others free space meanwhile.
 */
function diskWatch(
  bounds: Bounds,
  { folder, written }: NonNullable<Bounds['onDisk']>,
  held: () => KernelUsage | undefined,
) {
  // Caught at once: a program may end, and its folder be removed, before they are awaited.
  const device = stat(folder).then(
    ({ dev }) => dev,
    () => undefined,
  );
  const begun = statfs(folder).catch(() => undefined);
  let due = performance.now() + COUNT_MS;
  return async (): Promise<string | undefined> => {
    const [before, now] = [await begun, await statfs(folder).catch(() => undefined)];
    if (before === undefined || now === undefined || now.blocks === 0) return undefined; // the size is unknown
    if (now.bfree * now.bsize < NO_SPACE || (process.getuid?.() !== 0 && now.bavail * now.bsize < NO_SPACE))
      return `there is no space left on the disk of ${folder}`;
    const lost = { bytes: (before.bfree - now.bfree) * now.bsize, files: before.ffree - now.ffree };
    const started = performance.now();
    if (findPassedBound(lost, bounds) === undefined && started < due) return undefined;
    const named = (await written()) ?? { bytes: 0, files: 0 };
    const dev = await device;
    const unlinked = (dev === undefined ? undefined : held()?.unlinked.get(dev)) ?? 0;
    const found = findPassedBound({ ...named, bytes: named.bytes + unlinked }, bounds);
    due = performance.now() + Math.max(COUNT_MS, COUNT_COST * (performance.now() - started));
    return found;
  };
}
