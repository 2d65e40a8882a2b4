import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { killRegisteredProcesses, processRegistry } from '../../../../src/sandbox/processes/registry.ts';
import { aFolder, isAlive, until } from './a-runner.ts';

/** A process that somebody else might have started, and the file that an andon of before would have left of it. */
async function aProcess(folder: string) {
  const child = spawn('sh', ['-c', 'sleep 300 & wait'], { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '' } });
  const pid = child.pid ?? 0;
  const inner = (): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() || '0');
  await until(() => isAlive(pid) && inner() > 0);
  const own = inner();
  onTestFinished(() => {
    for (const one of [own, pid]) if (isAlive(one)) process.kill(one, 'SIGKILL');
  });
  const startTime = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
  processRegistry(folder).began({ pid, startTime }, 'sleep 300');
  const file = join(folder, `${pid}.json`);
  const change = (edit: (noted: Record<string, unknown>) => object): void =>
    writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)));
  return { pid, own, change };
}

describe('a process that an andon of before has noted', () => {
  it('is ended when it is that very process', async () => {
    const folder = aFolder();
    const { pid, own } = await aProcess(folder);
    expect(killRegisteredProcesses(folder)).toBe(1);
    expect(await until(() => !isAlive(pid) && !isAlive(own))).toBe(true);
  });

  it.each([
    ['that has only got its number (case 20)', (noted: object) => ({ ...noted, startTime: '1' })],
    ['of another boot of this machine (case 21)', (noted: object) => ({ ...noted, boot: 'another' })],
    ['of which it is not known in which boot it began', (noted: object) => ({ ...noted, boot: undefined })],
  ])('is never a process %s: that one is left alone', async (_, edit) => {
    const folder = aFolder();
    const { pid, own, change } = await aProcess(folder);
    change(edit);
    killRegisteredProcesses(folder);
    expect(await until(() => !isAlive(pid) || !isAlive(own), 300)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
