import { pauseOrUnpause } from '../pausing.ts';
import type { Invocation } from '../command.ts';

/** `andon unpause`: a paused line goes on. */
export const run = (invocation: Invocation): Promise<number> => pauseOrUnpause(invocation, 'unpause');
