import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { log } from '../../../src/daemon/watch/log.ts';
import { eventually } from '../../support/factory.ts';

test.runIf(process.platform === 'linux')('a watchdog that is opened anew does not keep its old log open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'andon-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'andon.log');
  const open = (): number => readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) === file).length;
  for (let start = 1; start <= 3; start += 1) {
    const logger = log(folder);
    logger.news({ kind: 'word', level: 'info', text: `start ${start}` });
    expect(open()).toBeGreaterThan(0);
    logger.close();
    logger.close();
    logger.news({ kind: 'word', level: 'info', text: 'too late' });
  }
  await eventually(() => open() === 0, 'the log is closed');
  const said = readFileSync(file, 'utf8').trim().split('\n');
  expect(said.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['start 1', 'start 2', 'start 3']);
});

function linkOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined; // the listing's own
  }
}
