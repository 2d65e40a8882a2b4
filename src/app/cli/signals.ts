import { isDetachedFromTerminal } from '../../sandbox/processes/job-control.ts';
import type { Shell } from './command.ts';

/**
 * Calls `first` at the first signal to end, so that what runs ends in order; the same signal once more ends the process
 * at once, after `last`. A closed terminal (SIGHUP) counts, but for what was started to outlive it. Who sends a signal to a whole process group reaches andon twice, as what started it passes it on.
 */
export function onFirstSignal(
  { onSignal }: Pick<Shell, 'onSignal'>,
  first: () => void,
  last: () => void = () => {},
): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    if (signal === 'SIGHUP' && isDetachedFromTerminal()) {
      onSignal(signal, () => {}); // without a listener it would end the process
      continue;
    }
    let firstAt: number | undefined;
    // Never without a listener: execa would end andon by the same signal.
    onSignal(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        first();
      } else if (performance.now() - firstAt > SAME_REQUEST_MS) {
        last();
        process.exit(130);
      }
    });
  }
}

/** A signal that the first request to end aborts. */
export function abortOnSignal(shell: Pick<Shell, 'onSignal'>): AbortSignal {
  const stop = new AbortController();
  onFirstSignal(shell, () => stop.abort());
  return stop.signal;
}

const SAME_REQUEST_MS = 300;
