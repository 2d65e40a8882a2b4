import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { openDir, type SafeDir } from '../../base/system/safe-fs.ts';

/** The folder of daily logs in a state folder. */
const FOLDER = 'logs';
const DAY = /^\d{4}-\d\d-\d\d\.log$/;

/**
 * Opens the log of a state folder. Each line goes to the file of the day of writing. A day has at most `bytesPerDay`,
 * and the newest `keepDays` files are kept. On a full disk, lines are lost.
 */
export function openDayLog(
  state: string,
  {
    keepDays,
    bytesPerDay,
    now = () => new Date(),
  }: {
    readonly keepDays: number;
    readonly bytesPerDay: number;
    readonly now?: () => Date;
  },
) {
  const door = openDir(state);
  let open: { readonly name: string; readonly fd: number; size: number; isTorn: boolean; isFull: boolean } | undefined;
  const close = (): void => {
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
  };
  const fileOf = (name: string): NonNullable<typeof open> => {
    if (open?.name === name) return open;
    close();
    door.makeFolder(FOLDER, 0o700);
    const path = door.plain(`${FOLDER}/${name}`);
    const fd = openSync(path, 'a', 0o600);
    const { size } = statSync(path);
    open = { name, fd, size, isTorn: false, isFull: size >= bytesPerDay };
    for (const old of dayFiles(door).slice(0, -keepDays)) door.remove(old);
    return open;
  };
  return {
    write(line: string): void {
      try {
        const file = fileOf(`${dayOf(now())}.log`);
        if (file.isFull) return;
        file.isFull = file.size + line.length > bytesPerDay;
        const text = `${file.isTorn ? '\n' : ''}${file.isFull ? full(now(), bytesPerDay) : line}`;
        const bytes = Buffer.byteLength(text);
        file.isTorn = true;
        file.isTorn = writeSync(file.fd, text) < bytes;
        file.size += bytes;
      } catch {
        // The line itself reports the disk; its log must not end it.
      }
    },
    close,
  };
}

/** The last line of a full day, in the usual format. */
const full = (at: Date, bytes: number): string =>
  `${JSON.stringify({ level: 40, time: at.toISOString(), msg: `this day's log has ${bytes} bytes; the rest of the day is left out` })}\n`;

/** The kept files, oldest first. */
const dayFiles = (door: SafeDir): readonly string[] =>
  door
    .entries(FOLDER)
    .map(({ name }) => name)
    .filter((name) => DAY.test(name))
    .toSorted()
    .map((name) => `${FOLDER}/${name}`);

const two = (number: number): string => String(number).padStart(2, '0');
const dayOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
