import { z } from 'zod';
import { once } from '../base/once.ts';

/** How long andon waits for an agent that is out of reach, and how often it asks again. */
export const holdSchema = once(() =>
  z.strictObject({
    leash_hours: z
      .number()
      .min(0)
      .max(24 * 14)
      .optional()
      .describe(
        'Hours to wait for an agent that is out of reach before a human is asked. Default: 24; 0 = never wait.',
      ),
    retry_minutes: z
      .number()
      .positive()
      .max(24 * 60)
      .optional()
      .describe(
        'Minutes until the next try when nobody says when it is back; doubled each time, to 15 times as much at most. Default: 1.',
      ),
  }),
);
