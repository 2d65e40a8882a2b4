import { z } from 'zod';
import { once } from '../base/once.ts';

/** What a halt of one task does to the others; keys of `.andon/config.yaml`. */
export const parkingKeys = once(() => ({
  on_halt: z
    .enum(['park', 'stop'])
    .optional()
    .describe(
      'What a halt of one task does to the others. park: it waits for your answer in a folder of its own, and the next contract begins; stop: nothing begins until you have answered. Default: park.',
    ),
  on_overlap: z
    .enum(['wait', 'start'])
    .optional()
    .describe(
      'What becomes of a contract that may write files which the change of a parked task touches. wait: it waits for that task; start: it begins all the same. Default: wait.',
    ),
}));
