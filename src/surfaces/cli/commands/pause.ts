import { pauseOrUnpause } from '../pausing.ts';
import type { Invocation } from '../command.ts';

/** `andon pause`: a step that runs is finished, no other is started until `andon unpause`. */
export const run = (invocation: Invocation): Promise<number> => pauseOrUnpause(invocation, 'pause');
