import type { ProcessName } from './descendants.ts';
import { readProc, readProcessStat } from './proc.ts';

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
export function createUsageMeter() {
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
