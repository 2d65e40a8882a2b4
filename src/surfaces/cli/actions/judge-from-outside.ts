import { findPlace } from '../../../wiring/open-place.ts';
import { judgeRequests } from '../../../daemon/steps/outside-judge.ts';
import { forTerminal } from '../../../base/plain-text.ts';
import { flag } from '../options.ts';
import { line } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import type { Invocation } from '../command.ts';

/** `andon agents judge`: judges the next review request from outside the watchdog; with `--watch` every one until Ctrl-C. */
export async function judgeFromOutside({ options, cwd, env, onSignal }: Invocation): Promise<number> {
  const place = await findPlace(cwd, env);
  const stop = new AbortController();
  onFirstSignal({ onSignal }, () => stop.abort());
  await judgeRequests(place, env, { once: !flag(options, 'watch') }, (text) => line(forTerminal(text)), stop.signal);
  return 0;
}
