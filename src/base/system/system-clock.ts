import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** How late a wait may end after a suspend. */
const LOOK_MS = 15_000;
/** Clocks are adjusted by milliseconds all the time; a larger step back counts. */
const SET_BACK_MS = 2000;

/** The real clock. Awake time is summed in capped ticks, so that a suspended laptop adds nothing to a limit. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  awake(ms, expired) {
    const tick = Math.min(1000, Math.max(10, ms / 20));
    let idle = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      idle += Math.min(now - last, 2 * tick);
      last = now;
      if (idle <= ms) return;
      clearInterval(timer);
      expired();
    }, tick);
    return {
      touch: () => {
        idle = 0;
      },
      stop: () => clearInterval(timer),
    };
  },
  async until(time, signal) {
    for (;;) {
      const left = Date.parse(time) - Date.now();
      if (left <= 0 || signal.aborted) return;
      const [wall, began] = [Date.now(), performance.now()];
      // A timer pauses while the machine sleeps; the wall clock does not.
      await sleep(Math.min(left, LOOK_MS), undefined, { signal }).catch(() => {});
      if (Date.now() - wall < performance.now() - began - SET_BACK_MS) return;
    }
  },
};
