import type { Clock } from '../../src/base/clock.ts';

const STEP_MS = 1000;

/** A clock that only goes on when a test says so; awake time and wall clock apart, as on a laptop that is closed. */
export function simulatedClock(start = '2026-01-16T12:00:00.000Z') {
  let wall = Date.parse(start);
  const limits = new Set<{ idle: number; readonly ms: number; readonly expired: () => void }>();
  const clock: Clock = {
    now: () => new Date(wall).toISOString(),
    awake(ms, expired) {
      const limit = { idle: 0, ms, expired };
      limits.add(limit);
      return { touch: () => (limit.idle = 0), stop: () => limits.delete(limit) };
    },
    until: () => Promise.resolve(),
  };
  return {
    ...clock,
    /** Lets awake time pass, and everything that is due at it happen. */
    async advance(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= STEP_MS) {
        const step = Math.min(STEP_MS, left);
        wall += step;
        for (const limit of limits) limit.idle += step;
        for (const limit of [...limits].filter(({ idle, ms: most }) => idle > most)) {
          limits.delete(limit);
          limit.expired();
        }
        await new Promise((done) => {
          setImmediate(done);
        });
      }
    },
    /** Only the wall clock moves: the machine slept, or somebody set the time. */
    jump(ms: number): void {
      wall += ms;
    },
  };
}
