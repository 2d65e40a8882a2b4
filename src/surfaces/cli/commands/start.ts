import { startWatching } from '../background.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { misplacedOption } from '../usage-errors.ts';
import { findWorkspaces } from '../watch-until.ts';
import type { Invocation } from '../command.ts';

/** `andon start`: the watchdog in the background, which goes on when the terminal is closed. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, env } = invocation;
  if (readTextOption(options, 'service') !== undefined)
    return (await import('../actions/manage-service.ts')).manageService(invocation);
  for (const name of ['print', 'json'])
    if (hasFlag(options, name)) throw misplacedOption(`--${name}`, '--service', 'andon start --service status');
  if (hasFlag(options, 'restart')) return (await import('../actions/restart-watchdog.ts')).restartWatchdog(invocation);
  await startWatching(await findWorkspaces(invocation), env, invocation);
  return 0;
}
