import { doorTo } from '../adapters/door.ts';

/** The times in which a watchdog ran, in the state folder; and a file whose time is its last sign of life. */
const TIMES = 'watched.json';
const SIGN = 'awake';
const LARGEST = 256 * 1024;

/** Where it is taken down when a watchdog runs: a few bytes now and then, which may be lost with the machine. */
interface Attendance {
  /** What was taken down; undefined when there is nothing, or it cannot be read. */
  times(): string | undefined;
  write(times: string): void;
  /** When a watchdog gave its last sign of life. */
  lastSign(): string | undefined;
  sign(): void;
}

/** The attendance of one repository's watchdogs. */
export function attendanceIn(state: string): Attendance {
  const door = doorTo(state);
  return {
    times() {
      const read = door.text(TIMES, LARGEST);
      return read.ok ? read.value : undefined;
    },
    write: (times) => door.put(TIMES, times, 0o600),
    lastSign: () => door.stat(SIGN)?.mtime.toISOString(),
    sign: () => door.put(SIGN, '', 0o600),
  };
}
