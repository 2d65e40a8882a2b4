import { startWatching } from '../background.ts';
import { placesOf } from '../watch-until.ts';
import type { Invocation } from '../command.ts';

/** `andon start`: the watchdog in the background, which goes on when the terminal is closed. */
export async function run(invocation: Invocation): Promise<number> {
  await startWatching(await placesOf(invocation), invocation.env, invocation);
  return 0;
}
