import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf } from '../bench/figures.ts';

/** Nothing runs for so long before a sample is taken: the watcher's throttles have run out by then. */
const QUIET_MS = 250;

/** What the process holds while nothing is under way. */
export interface Sample {
  /** Transitions so far, and the number of restarts of every floor. */
  readonly steps: number;
  readonly restarts: number;
  /** Bytes after a garbage collection, including memory outside the heap. */
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
  /** inotify watches. */
  readonly watches: number;
  /** `process.getActiveResourcesInfo()`, counted. */
  readonly resources: Readonly<Record<string, number>>;
  /** Milliseconds of CPU that the process and the programs it has started have used. */
  readonly cpu: number;
  readonly at: number;
}

/** Collects garbage and counts. */
export async function takeSample(steps: number, restarts: number): Promise<Sample> {
  for (let time = 0; time < 3; time += 1) {
    await sleep(QUIET_MS / 3); // what is finalised lets go of more
    globalThis.gc?.();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const { own, children } = cpuOf('self');
  return {
    steps,
    restarts,
    heap: heapUsed + external,
    rss,
    ...openThings(),
    resources: await restingResources(),
    cpu: own + children,
    at: performance.now(),
  };
}

/** Counted while no file operation is under way: a rescan may just have begun one. */
async function restingResources(): Promise<Record<string, number>> {
  for (let time = 0; ; time += 1) {
    const names = process.getActiveResourcesInfo();
    if (time < 100 && names.some((name) => name.startsWith('FSReq'))) {
      await sleep(5);
      continue;
    }
    const counted: Record<string, number> = {};
    for (const name of names) counted[name] = (counted[name] ?? 0) + 1;
    return counted;
  }
}

function openThings(): { readonly descriptors: number; readonly watches: number } {
  const open = readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) !== undefined);
  const watches = open
    .filter((fd) => linkOf(fd) === 'anon_inode:inotify')
    .map((fd) => readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').split('\n'))
    .flatMap((lines) => lines.filter((line) => line.startsWith('inotify ')));
  return { descriptors: open.length, watches: watches.length };
}

function linkOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined; // the listing's own
  }
}
