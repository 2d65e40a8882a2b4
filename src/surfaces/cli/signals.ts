import { wasToldToIgnoreHangUp } from '../../wiring/controlling-terminal.ts';
import type { Shell } from './shell.ts';

/** What is done about a hang-up where andon was started to outlive its terminal. */
const goOn = (): void => {};

/**
 * Calls `first` at the first signal to end, so that what runs ends in order; the same signal once more ends the process
 * at once, after `last`. A hang-up is no such signal where andon was started to ignore it (`nohup`, `setsid`). Who sends a signal to a whole process group reaches andon twice, as what started it passes it on.
 */
export function onFirstSignal(
  { onSignal }: Pick<Shell, 'onSignal'>,
  first: () => void,
  last: () => void = () => {},
): void {
  const ignoresHangUp = wasToldToIgnoreHangUp(process.env);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    let firstAt: number | undefined;
    if (signal === 'SIGHUP' && ignoresHangUp) {
      onSignal(signal, goOn);
      continue;
    }
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

const SAME_REQUEST_MS = 300;
