import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { TIME, parseMinute } from '../record/notification.ts';

/** `digest` of the user's own configuration. */
export const digestSchema = lazy(() =>
  z.strictObject({
    at: z
      .string()
      .regex(new RegExp(`^${TIME}$`), 'expected a time of day such as 07:00')
      .describe('The local time at which a watching andon sends a digest of all repositories, once a day.'),
  }),
);

/** When the digest of a day is sent. */
export interface DigestSettings {
  /** Minutes since midnight. */
  readonly at: number;
}

/** The written settings; undefined where no digest is wanted. */
export const toDigest = (written: z.infer<ReturnType<typeof digestSchema>> | undefined): DigestSettings | undefined =>
  written === undefined ? undefined : { at: parseMinute(written.at) };
