import { startWatching } from '../background.ts';
import { flag, textOption } from '../options.ts';
import { misplacedOption } from '../usage-errors.ts';
import { placesOf } from '../watch-until.ts';
import type { Invocation } from '../command.ts';

/** `andon start`: the watchdog in the background, which goes on when the terminal is closed. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, env } = invocation;
  if (textOption(options, 'service') !== undefined)
    return (await import('../actions/manage-service.ts')).manageService(invocation);
  for (const name of ['print', 'json'])
    if (flag(options, name)) throw misplacedOption(`--${name}`, '--service', 'andon start --service status');
  if (flag(options, 'restart')) return (await import('../actions/restart-watchdog.ts')).restartWatchdog(invocation);
  await startWatching(await placesOf(invocation), env, invocation);
  return 0;
}
