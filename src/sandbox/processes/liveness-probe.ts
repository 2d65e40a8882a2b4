import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listServers } from './descendants.ts';
import type { ProcessName } from './process-name.ts';
import { readProc, readProcessStat } from './proc.ts';
import type { LookForLife } from './watch-silence.ts';

/** Files of a folder that are scanned; a larger one is represented by its first files. */
const MOST_FILES = 2000;

/** Where to look for signs of life of a silent program. */
export interface LivenessProbe {
  /** The current processes of the program. */
  readonly processes: () => readonly ProcessName[];
  /** The folder it works in. */
  readonly folder: string;
  /** The awake time between two polls. */
  readonly everyMs: number;
  /** A sign of life specific to the program; asked when no other was found. */
  readonly also?: (() => Promise<string | undefined>) | undefined;
}

/** Polls CPU time and writes of the whole process tree, the files of its folder, and the extra sign. */
export function lookForLife({ processes, folder, everyMs, also }: LivenessProbe): LookForLife {
  const measure = createUsageMeter();
  let before = '';
  return async (restarts) => {
    const work = measure(processes(), everyMs, restarts);
    const now = fingerprintOf(folder);
    const changed = now !== before && !restarts;
    before = now;
    if (work !== undefined) return work;
    if (changed) return 'a file changed in its folder';
    return also?.();
  };
}

/** The number of files, their total size, and the time of the last change. */
function fingerprintOf(folder: string): string {
  const queue = [folder];
  let [count, size, newest] = [0, 0, 0];
  for (let next = queue.pop(); next !== undefined && count < MOST_FILES; next = queue.pop()) {
    for (const name of namesIn(next)) {
      const path = join(next, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      count += 1;
      size += stat.isFile() ? stat.size : 0;
      newest = Math.max(newest, stat.mtimeMs);
      if (stat.isDirectory()) queue.push(path);
    }
  }
  return `${count} ${size} ${newest}`;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A service outside of a program's process tree that may work for it. */
export interface Beyond {
  /** A sign that it may be at work; gets the awake time between two questions. */
  readonly says: (everyMs: number) => Promise<string | undefined>;
  /**
   * How it is started on this machine: a process of it must have worked since the last question. Undefined for a service
   * on another machine, which is trusted.
   */
  readonly server?: { readonly program: string; readonly command: string } | undefined;
}

/** Probes the service that works for a program, and its CPU time where that is visible. */
export function probeExternal({ says, server }: Beyond, everyMs: number): () => Promise<string | undefined> {
  const measure = createUsageMeter();
  let isFirst = true;
  return async () => {
    const what = await says(everyMs);
    if (what === undefined) return undefined;
    // Where /proc does not exist, as on macOS, or hides the processes of other users, no server can be measured.
    if (server === undefined || readProc('1/stat') === '') return what;
    const processes = listServers(server.program, server.command);
    const work = measure(processes, everyMs, isFirst);
    isFirst = false;
    return work === undefined ? undefined : `${what}, and ${work} of its server`;
  };
}

/** Linux counts CPU time in /proc in hundredths of a second. */
const TICK_MS = 10;

/** A smaller share of one core is the cost of waiting: a spinner, a timer. */
const WAITING_SHARE = 0.05;

/** Less is no work, in any time. */
const LEAST_MS = 50;

/**
 * Sums up the work of processes. Each call takes the awake time since the one before and returns the kind of work seen
 * since the last answer; `true` starts counting from here. Returns undefined where /proc does not exist.
 */
function createUsageMeter() {
  let known = new Map<string, Usage>();
  let used = 0;
  let passedMs = 0;
  return function measure(processes: readonly ProcessName[], sinceMs: number, restarts: boolean): string | undefined {
    const now = new Map(processes.map((name) => [`${name.pid} ${name.startTime}`, usageOf(name)]));
    let written = 0;
    for (const [key, { cpuMs, bytes }] of now) {
      const before = known.get(key);
      used += Math.max(0, cpuMs - (before?.cpuMs ?? 0));
      written += Math.max(0, bytes - (before?.bytes ?? 0));
    }
    known = now;
    passedMs += sinceMs;
    const isWork = used >= LEAST_MS && used >= WAITING_SHARE * passedMs;
    if (!isWork && written === 0 && !restarts) return undefined;
    const what = isWork ? `${(used / 1000).toFixed(1)} s of CPU time` : `${written} bytes written to disk`;
    used = 0;
    passedMs = 0;
    return restarts ? undefined : what;
  };
}

/** CPU time of a process and its ended children, and the bytes it wrote. */
interface Usage {
  readonly cpuMs: number;
  readonly bytes: number;
}

function usageOf({ pid, startTime }: ProcessName): Usage {
  const stat = readProcessStat(pid);
  if (stat?.startTime !== startTime) return { cpuMs: 0, bytes: 0 };
  return {
    cpuMs: stat.cpuTicks * TICK_MS,
    bytes: Number(/^write_bytes: (\d+)$/m.exec(readProc(`${pid}/io`))?.[1] ?? 0),
  };
}
