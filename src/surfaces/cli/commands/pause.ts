import { carryOut, whoAmI } from '../ask.ts';
import { flag } from '../options.ts';
import { json, line } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon pause`: nothing more starts, until `--off`. */
export async function run(invocation: Invocation): Promise<number> {
  const request = { do: flag(invocation.options, 'off') ? 'unpause' : 'pause', by: whoAmI() } as const;
  const { status, reason, watchdog } = await carryOut(invocation, request);
  if (flag(invocation.options, 'json')) json({ paused: status === 'paused', since: reason === '' ? null : reason });
  else if (status === 'paused') line(`The line is paused since ${reason}. Run \`andon pause --off\` to let it go on.`);
  else line(`The line goes on.${watchdog ? '' : ' No watchdog is running. Run `andon watch` to start one.'}`);
  return 0;
}
