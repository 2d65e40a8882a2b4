import type { Clock } from '../../base/clock.ts';

/** Polls of a silent program per limit; one that prints is never polled. */
export const SILENCE_PROBES = 10;

/** The last sign of life, and when. */
export interface Sign {
  readonly what: string;
  readonly at: string;
}

/**
 * Polls a silent program and returns a sign that it works. `true`: it gave another sign since the last poll, so this
 * one only records the state.
 */
export type LookForLife = (restarts: boolean) => Promise<string | undefined>;

/** Counts the awake time since the last sign of life; calls `expired` once it exceeds the limit. */
export function watchSilence(clock: Clock, limitMs: number, look: LookForLife, expired: () => void) {
  let last: Sign = { what: 'its start', at: clock.now() };
  let restarts = true;
  let stopped = false;
  let looking: Promise<void> | undefined;
  let limit = clock.awake(limitMs, () => void atLimit());
  let pause = clock.awake(limitMs / SILENCE_PROBES, () => void atPause());

  const saw = (what: string): void => {
    last = { what, at: clock.now() };
    limit.touch();
    pause.touch();
  };
  const lookOnce = async (): Promise<void> => {
    const isRestart = restarts;
    restarts = false;
    try {
      const what = await look(isRestart);
      if (what !== undefined && !stopped) saw(what);
    } catch {
      // No sign of life.
    } finally {
      looking = undefined;
    }
  };
  /** A program gets one last poll before it counts as dead. */
  async function atLimit(): Promise<void> {
    const before = last;
    await (looking ??= lookOnce());
    if (stopped) return;
    if (last === before) expired();
    else limit = clock.awake(limitMs, () => void atLimit());
  }
  async function atPause(): Promise<void> {
    await (looking ??= lookOnce());
    if (!stopped) pause = clock.awake(limitMs / SILENCE_PROBES, () => void atPause());
  }

  return {
    /** The program showed a sign of life. */
    touch(what: string): void {
      restarts = true;
      saw(what);
    },
    last: (): Sign => last,
    stop(): void {
      stopped = true;
      limit.stop();
      pause.stop();
    },
  };
}
