import { readFileSync } from 'node:fs';

/** Clock ticks per second in /proc; 100 on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;

export const median = (values: readonly number[]): number => percentile(values, 50);

/** The given percentile; between two values, their mean. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = ((sorted.length - 1) * percent) / 100;
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return (low + high) / 2;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Milliseconds of CPU that a process has used, and those of the children it has waited for. */
export function cpuOf(pid: number | 'self'): { readonly own: number; readonly children: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const ms = (at: number): number => ((fields[at] ?? 0) * 1000) / TICKS_PER_SECOND;
  return { own: ms(11) + ms(12), children: ms(13) + ms(14) };
}

/** Megabytes of a process that lie in memory. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}

/** Runs the sides in turns, throws the first round away, and gives back the values of each side. */
export async function inTurns(
  pairs: number,
  sides: readonly ((round: number) => Promise<number>)[],
): Promise<readonly (readonly number[])[]> {
  const values: number[][] = sides.map(() => []);
  for (let round = 0; round <= pairs; round += 1) {
    for (const [at, side] of sides.entries()) {
      const value = await side(round);
      if (round > 0) values[at]?.push(value);
    }
  }
  return values;
}
