import { expect } from 'vitest';

/** Collecting the garbage that others left may fall into one try and cost more than what is measured; not into three. */
const TRIES = 3;

/**
 * How much work something is, as a multiple of a fixed piece of work done beside it: CPU time against CPU time, so that
 * neither a slow machine nor busy neighbours change the answer. What backtracks or is quadratic is off by thousands.
 * Where it is not below `enough`, it is done again, up to three times, and the least counts: noise only ever adds.
 */
export function effort(work: () => unknown, enough: number): number {
  const tries = new Tries(enough);
  while (tries.isOpen) {
    const multiple = meter();
    work();
    tries.add(multiple());
  }
  return tries.least;
}

/** A check that `work` is less than `bound` pieces of the fixed work; `what` names it where it is one of many. */
export function expectEffortBelow(bound: number, work: () => unknown, what?: string): void {
  expect(effort(work, bound), what).toBeLessThan(bound);
}

/** The same for work that waits; nothing else may run in this process meanwhile. */
export async function expectEffortOfAsyncBelow(bound: number, work: () => Promise<unknown>): Promise<void> {
  const tries = new Tries(bound);
  while (tries.isOpen) {
    const multiple = meter();
    await work();
    tries.add(multiple());
  }
  expect(tries.least).toBeLessThan(bound);
}

/** What was measured so far, and whether it has to be measured again. */
class Tries {
  least = Infinity;
  private count = 0;
  private readonly enough: number;

  constructor(enough: number) {
    this.enough = enough;
  }

  get isOpen(): boolean {
    return this.count < TRIES && this.least >= this.enough;
  }

  add(multiple: number): void {
    this.count += 1;
    this.least = Math.min(this.least, multiple);
  }
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
