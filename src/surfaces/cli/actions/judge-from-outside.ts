import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import { judgeRequests } from '../../../daemon/steps/external-judge-protocol.ts';
import { toTerminal } from '../../../base/plain-text.ts';
import { hasFlag } from '../options.ts';
import { printLine } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import type { Invocation } from '../command.ts';

/** `andon agents judge`: judges the next review request from outside the watchdog; with `--watch` every one until Ctrl-C. */
export async function judgeFromOutside({ options, cwd, env, onSignal }: Invocation): Promise<number> {
  const place = await loadWorkspace(cwd, env);
  const stop = new AbortController();
  onFirstSignal({ onSignal }, () => stop.abort());
  await judgeRequests(
    place,
    env,
    { once: !hasFlag(options, 'watch') },
    (text) => printLine(toTerminal(text)),
    stop.signal,
  );
  return 0;
}
