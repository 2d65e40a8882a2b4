import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A timer of the daemon comes so often. */
const EVERY_MS = 5;
const PATIENCE_MS = 60_000;

/** How much too late a timer came, and for how much of that another process had the core, in milliseconds. */
export interface Tick {
  readonly late: number;
  readonly waited: number;
}

/** Runs inside the daemon: measures ticks twenty times a second; deleting the file resets the counts. */
const PROBE = (file: string): string => `
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
const [told, fresh] = [${JSON.stringify(file)}, ${JSON.stringify(`${file}.new`)}];
const waited = () => {
  try { return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6; } catch { return 0; }
};
let [ticks, last, before] = [[], performance.now(), waited()];
setInterval(() => {
  const [now, then] = [performance.now(), waited()];
  ticks.push({ late: Math.max(0, now - last - ${EVERY_MS}), waited: then - before });
  [last, before] = [now, then];
}, ${EVERY_MS}).unref();
setInterval(() => {
  if (!existsSync(told)) ticks = [];
  writeFileSync(fresh, JSON.stringify(ticks));
  renameSync(fresh, told);
}, 50).unref();
`;

/** What makes a daemon tell its ticks: the environment it is started with, and what asks for those of some work. */
export function lagProbe(folder: string): {
  readonly env: Readonly<Record<string, string>>;
  readonly during: (work: () => Promise<unknown>) => Promise<readonly Tick[]>;
} {
  const [probe, told] = [join(folder, 'probe.mjs'), join(folder, 'lag.json')];
  writeFileSync(probe, PROBE(told));
  return {
    env: { NODE_OPTIONS: `--import=${probe}` },
    async during(work) {
      rmSync(told, { force: true });
      await until(() => existsSync(told), 'the daemon tells its lag');
      await work();
      const before = statSync(told).mtimeMs;
      await until(
        () => statSync(told, { throwIfNoEntry: false })?.mtimeMs !== before,
        'the daemon tells its lag again',
      );
      return JSON.parse(readFileSync(told, 'utf8')) as Tick[];
    },
  };
}

/**
 * A percentile of the wait of a request that arrives at any moment. A block of 100 ms is one late tick, but
 * delays a request in any of its milliseconds: it counts by its length, not as one of many.
 */
export function waitOf(lates: readonly number[], percent: number): number {
  const rest = (lates.reduce((all, late) => all + late + EVERY_MS, 0) * (100 - percent)) / 100;
  const longerThan = (ms: number): number => lates.reduce((all, late) => all + Math.max(0, late - ms), 0);
  let [low, high] = [0, Math.max(0, ...lates)];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (longerThan(middle) > rest) low = middle;
    else high = middle;
  }
  return high;
}

/** What of a late tick the daemon caused itself: all but the time in which another process had its core. */
export const ownPart = ({ late, waited }: Tick): number => Math.max(0, late - waited);

/** Waits until something is so. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !isSo(); await sleep(5))
    if (performance.now() > end) throw new Error(`it did not happen: ${what}`);
}
