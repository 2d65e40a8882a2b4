import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CONFIG, readSettings } from '../../../src/project/config/read-settings.ts';
import { openUserFile } from '../../../src/line/services/user-file.ts';

const CALLS = (calls: number): string => `ceilings: {night: {calls: ${calls}}}\n`;

/** The limits of a user whose file says this at first, what he is told of them, and a clock that he moves. */
function aUser(text: string, written?: (file: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const userConfig = join(folder, 'config.yaml');
  const write = (now: string): void => writeFileSync(userConfig, now);
  write(text);
  const read = readSettings({ name: CONFIG, text: undefined }, { name: userConfig, text }, '/');
  if (!read.ok) throw new Error(read.why.join());
  const said: string[] = [];
  written?.(userConfig);
  const settings = read.value;
  const userText = text === '' ? undefined : text;
  const file = openUserFile({ userConfig, userText, settings }, (news) => {
    if (news.kind === 'word') said.push(news.text);
  });
  const calls = (): number | undefined => file.limits().ceilings.all.night?.calls;
  const settled = (): number | undefined => {
    calls(); // it is seen for the first time
    vi.advanceTimersByTime(500);
    return calls();
  };
  return { write, said, calls, settled, file, remove: () => rmSync(userConfig) };
}

describe('limits of a user while something is at work', () => {
  it('are those that the file says now, once nobody writes it any more', () => {
    const { write, said, calls, settled } = aUser(CALLS(1));
    expect(calls()).toBe(1);
    write(CALLS(2));
    expect(calls()).toBe(1);
    expect(settled()).toBe(2);
    expect(said).toEqual([expect.stringContaining('your configuration is now what')]);
  });

  it('stay as they were while the file has a fault, is empty or gone, and each is said once', () => {
    const { write, said, settled, remove } = aUser(CALLS(1));
    write('ceilings: {night: {calls: many}}\n');
    expect([settled(), settled()]).toEqual([1, 1]);
    expect(said).toEqual([expect.stringMatching(/^your configuration stays as it was: .*config\.yaml: /)]);
    write('');
    expect(settled()).toBe(1);
    remove();
    expect(settled()).toBe(1);
    expect(said.slice(1)).toEqual([expect.stringContaining('is empty'), expect.stringContaining('is gone')]);
    write(CALLS(3));
    expect(settled()).toBe(3);
  });

  it('stay as they were while a ceiling is of an account that nobody has', () => {
    const { write, said, settled } = aUser(CALLS(1));
    write(`${CALLS(2).trim().slice(0, -1)}, accounts: {claud: {day: {calls: 1}}}}\n`);
    expect(settled()).toBe(1);
    expect(said).toEqual([
      expect.stringMatching(/no program and no provider is called "claud"; did you mean claude\?/),
    ]);
  });

  it('are not lifted by an editor that empties a file before it writes it', () => {
    const { write, said, calls, settled } = aUser(CALLS(1));
    write('');
    expect(calls()).toBe(1);
    write(CALLS(5));
    expect(settled()).toBe(5);
    expect(said).toHaveLength(1);
  });

  it('are those of the file also where it was changed between the start and the first look', () => {
    const { calls } = aUser(CALLS(1), (file) => writeFileSync(file, CALLS(4)));
    expect(calls()).toBe(4);
  });

  it('are none, without a word, where there never was a file', () => {
    const { calls, said } = aUser('', (file) => rmSync(file));
    expect([calls(), said]).toEqual([undefined, []]);
  });

  it('come from a file that counts as a whole: another key is taken too, and one with a fault is not', () => {
    const { write, said, settled, file } = aUser(CALLS(1));
    write(`${CALLS(1)}cage: none\n`);
    expect([settled(), file.text(), file.fault()]).toEqual([1, `${CALLS(1)}cage: none\n`, undefined]);
    write(`${CALLS(1)}cage: nothing\n`);
    expect([settled(), file.text()]).toEqual([1, `${CALLS(1)}cage: none\n`]);
    expect(file.fault()).toContain('cage');
    expect(said).toHaveLength(2);
  });
});
