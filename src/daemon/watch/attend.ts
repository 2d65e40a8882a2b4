import { afterSleep, begun, closed, readWatched } from '../../line/digest/watched.ts';
import type { Watched } from '../../line/digest/watched.ts';
import { attendanceIn } from '../../wiring/attendance.ts';

const SIGN_MS = 60_000;

/** Takes down that a watchdog runs from now on, until it is told to stop. A disk that refuses it changes nothing else. */
export function attend(state: string, now: () => string, every = SIGN_MS): { stop(): void } {
  const book = attendanceIn(state);
  let last = now();
  let times = begun(readWatched(book.times()) ?? [], last, book.lastSign());
  const note = (changed: readonly Watched[] | undefined): void => {
    times = changed ?? times;
    try {
      if (changed !== undefined) book.write(JSON.stringify(times));
      book.sign();
    } catch {
      // Then it is not known; the digest says so.
    }
  };
  note(times);
  const timer = setInterval(() => {
    const at = now();
    note(afterSleep(times, last, at));
    last = at;
  }, every);
  return {
    stop() {
      clearInterval(timer);
      note(closed(times, now(), 'stopped'));
    },
  };
}
