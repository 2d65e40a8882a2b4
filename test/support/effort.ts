/**
 * How much work something is, as a multiple of a fixed piece of work done beside it: CPU time against CPU time, so that
 * neither a slow machine nor busy neighbours change the answer. What backtracks or is quadratic is off by thousands.
 */
export function effort(work: () => unknown): number {
  const multiple = meter();
  work();
  return multiple();
}

/** The same for work that waits; nothing else may run in this process meanwhile. */
export async function effortOfAsync(work: () => Promise<unknown>): Promise<number> {
  const multiple = meter();
  await work();
  return multiple();
}

/** Does the fixed work, and then counts. */
function meter(): () => number {
  const [, reference = 0] = [0, 1, 2].map(() => cpuOf(fixedWork)).toSorted((a, b) => a - b);
  const used = stopwatch();
  return () => used() / reference;
}

function cpuOf(work: () => unknown): number {
  const used = stopwatch();
  work();
  return used();
}

/** The CPU time of this process from now on. */
function stopwatch(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}

/** About 6 ms on a machine of 2025 when it has run often, 25 ms the first time. */
function fixedWork(): number {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ at, text: `row ${String(at)}` }));
  return JSON.stringify(JSON.parse(JSON.stringify(rows))).length;
}
