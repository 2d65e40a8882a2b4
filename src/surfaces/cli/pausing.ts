import { carryOut, whoAmI } from './ask.ts';
import { flag } from './options.ts';
import { json, line } from './print.ts';
import type { Invocation } from './command.ts';

/** Pauses the line or lets it go on, and says which. */
export async function pauseOrUnpause(invocation: Invocation, what: 'pause' | 'unpause'): Promise<number> {
  const { status, reason, watchdog } = await carryOut(invocation, { do: what, by: whoAmI() });
  if (flag(invocation.options, 'json')) json({ paused: status === 'paused', since: reason === '' ? null : reason });
  else if (status === 'paused') line(`The line is paused since ${reason}. \`andon unpause\` lets it go on.`);
  else line(`The line goes on.${watchdog ? '' : ' No watchdog is running: start it with `andon watch`.'}`);
  return 0;
}
