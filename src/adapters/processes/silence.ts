import type { Clock } from '../../ports/clock.ts';

/** So often in a limit somebody looks at a program that says nothing; one that prints is never looked at. */
export const LOOKS = 10;

/** What last showed that a program works, and when. */
export interface Sign {
  readonly what: string;
  readonly at: string;
}

/**
 * Looks at a program that says nothing, and gives back what shows that it works. `anew`: it has shown itself otherwise
 * since the last look, so this one only sees how things stand.
 */
export type LookForLife = (anew: boolean) => Promise<string | undefined>;

/** Counts the awake time since the last sign of life; `expired` once it is more than the limit. */
export function watchSilence(clock: Clock, limitMs: number, look: LookForLife, expired: () => void) {
  let last: Sign = { what: 'its start', at: clock.now() };
  let anew = true;
  let stopped = false;
  let looking: Promise<void> | undefined;
  let limit = clock.awake(limitMs, () => void atLimit());
  let pause = clock.awake(limitMs / LOOKS, () => void atPause());

  const saw = (what: string): void => {
    last = { what, at: clock.now() };
    limit.touch();
    pause.touch();
  };
  const lookOnce = async (): Promise<void> => {
    const isFirst = anew;
    anew = false;
    try {
      const what = await look(isFirst);
      if (what !== undefined && !stopped) saw(what);
    } catch {
      // Nothing was seen.
    } finally {
      looking = undefined;
    }
  };
  /** Nobody is given up for dead without a last look. */
  async function atLimit(): Promise<void> {
    const before = last;
    await (looking ??= lookOnce());
    if (stopped) return;
    if (last === before) expired();
    else limit = clock.awake(limitMs, () => void atLimit());
  }
  async function atPause(): Promise<void> {
    await (looking ??= lookOnce());
    if (!stopped) pause = clock.awake(limitMs / LOOKS, () => void atPause());
  }

  return {
    /** The program has shown itself. */
    touch(what: string): void {
      anew = true;
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
