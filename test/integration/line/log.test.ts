import { openDayLog } from '../../../src/project/folders/day-log.ts';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src/line/daemon/watchdog.ts';
import { eventually } from '../../support/factory.ts';
import { readLogLines } from '../../support/log-lines.ts';

function aStateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'andon-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.runIf(process.platform === 'linux')('a watchdog that is opened anew does not keep its old log open', async () => {
  const folder = aStateFolder();
  const logs = join(folder, 'logs');
  const open = (): number => readdirSync('/proc/self/fd').filter((fd) => linkOf(fd)?.startsWith(logs)).length;
  for (let start = 1; start <= 3; start += 1) {
    const logger = createLog(folder, { keepDays: 14, bytesPerDay: 1_000_000 });
    logger.news({ kind: 'word', level: 'info', text: `start ${start}` });
    logger.news({ kind: 'gate', taskId: 'DOC-001', name: 'test', outcome: 'green', ms: 1 });
    expect(open()).toBeGreaterThan(0);
    logger.close();
    logger.close();
    logger.news({ kind: 'word', level: 'info', text: 'too late' });
  }
  await eventually(() => open() === 0, 'the log is closed');
  const said = readLogLines(folder).map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(said).toEqual([1, 2, 3].flatMap((start) => [`start ${start}`, 'gate test is green']));
});

test('the log has one file for each local day, and keeps the newest three', () => {
  const folder = aStateFolder();
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'logs', 'mine.txt'), 'not a log\n');
  let now = new Date(2026, 9, 24, 23, 59);
  const days = openDayLog(folder, { keepDays: 3, bytesPerDay: 1000, now: () => now });
  const on = (...moment: [number, number, number, number?]): void => {
    now = new Date(...moment);
    days.write(`${moment.join('-')}\n`);
  };
  on(2026, 9, 24, 23);
  on(2026, 9, 25, 0); // the day on which summer time ends
  on(2026, 9, 25, 23);
  on(2026, 9, 24, 12); // somebody set the clock back
  on(2026, 9, 26);
  on(2026, 9, 27);
  days.close();
  expect(readdirSync(join(folder, 'logs')).toSorted()).toEqual([
    '2026-10-25.log',
    '2026-10-26.log',
    '2026-10-27.log',
    'mine.txt',
  ]);
  expect(readLogLines(folder)).toEqual(['2026-9-25-0', '2026-9-25-23', '2026-9-26', '2026-9-27']);
});

test('the log of a day has a bound, also when the watchdog starts again, and the next day is written again', () => {
  const folder = aStateFolder();
  let now = new Date(2026, 0, 1);
  for (let start = 0; start < 3; start += 1) {
    const days = openDayLog(folder, { keepDays: 14, bytesPerDay: 200, now: () => now });
    for (let line = 0; line < 100; line += 1) days.write(`line ${line}\n`);
    days.close();
  }
  const text = readFileSync(join(folder, 'logs', '2026-01-01.log'), 'utf8');
  expect(text.length).toBeLessThan(350);
  expect(text.match(/the rest of the day is left out/g)).toHaveLength(1);
  now = new Date(2026, 0, 2);
  const days = openDayLog(folder, { keepDays: 14, bytesPerDay: 200, now: () => now });
  days.write('again\n');
  days.close();
  expect(readLogLines(folder).at(-1)).toBe('again');
});

function linkOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined; // the listing's own
  }
}
