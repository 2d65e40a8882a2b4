import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { optionalKey } from './optional.ts';

/** How much of the watchdog's own log is kept, per repository. */
export interface LogSettings {
  readonly keepDays: number;
  /** Bytes of one day; later lines are dropped until the next day. */
  readonly bytesPerDay: number;
}

/** When `andon clean` removes the leftovers of an ended task. */
export interface CleanSettings {
  readonly afterDays: number;
}

const MB = 1024 * 1024;
const MOST_DAYS = 36_500;

/** `log` of the user's own configuration. */
export const logSchema = lazy(() =>
  z.strictObject({
    keep_days: optionalKey(
      z.int().min(1).max(MOST_DAYS),
      'The number of days with a log that are kept; older files are removed. Default: 14.',
    ),
    mb_per_day: optionalKey(
      z.number().min(0.01).max(10_000),
      'The most megabytes of one day; later lines of that day are left out. Default: 50.',
    ),
  }),
);

/** `clean` of the user's own configuration. */
export const cleanSchema = lazy(() =>
  z.strictObject({
    after_days: optionalKey(
      z.number().min(0).max(MOST_DAYS),
      'The days after which `andon clean` removes what a task that has ended left behind. Default: 90.',
    ),
  }),
);

export const toLog = (written: z.infer<ReturnType<typeof logSchema>> | undefined): LogSettings => ({
  keepDays: written?.keep_days ?? 14,
  bytesPerDay: (written?.mb_per_day ?? 50) * MB,
});

export const toClean = (written: z.infer<ReturnType<typeof cleanSchema>> | undefined): CleanSettings => ({
  afterDays: written?.after_days ?? 90,
});
