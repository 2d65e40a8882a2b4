import { requestOrRun, getUserName } from '../ask.ts';
import { hasFlag } from '../options.ts';
import { printJson, printLine } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon pause`: nothing more starts, until `--off`. */
export async function run(invocation: Invocation): Promise<number> {
  const request = { do: hasFlag(invocation.options, 'off') ? 'unpause' : 'pause', by: getUserName() } as const;
  const { status, reason, watchdog } = await requestOrRun(invocation, request);
  if (hasFlag(invocation.options, 'json'))
    printJson({ paused: status === 'paused', since: reason === '' ? null : reason });
  else if (status === 'paused')
    printLine(`The line is paused since ${reason}. Run \`andon pause --off\` to let it go on.`);
  else printLine(`The line goes on.${watchdog ? '' : ' No watchdog is running. Run `andon watch` to start one.'}`);
  return 0;
}
