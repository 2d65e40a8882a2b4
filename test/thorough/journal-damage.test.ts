/** @module-tag thorough */
import { existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { aHalt } from '../support/answers.ts';
import { stateOf } from '../support/places.ts';

const journalOf = (factory: Factory): string => join(stateOf(factory), 'journal.sqlite');

/** What andon wrote to the disk and has not moved into the journal's own file yet, after kill -9. */
async function killedAtHalt(): Promise<{ readonly factory: Factory; readonly wal: string }> {
  const { factory, dog } = await aHalt({ apart: true });
  await dog.kill9();
  return { factory, wal: `${journalOf(factory)}-wal` };
}

describe('a journal whose end is gone', () => {
  test.each([
    ['its last bytes', (size: number) => size - 7],
    ['its last pages', (size: number) => size - 4 * 4120],
  ])('(%s) is refused in words when the log of transitions tells more, and nothing is touched', async (_, keep) => {
    const { factory, wal } = await killedAtHalt();
    expect(existsSync(wal)).toBe(true);
    truncateSync(wal, keep(readFileSync(wal).length));
    const [log, report] = [factory.paper('transition.ndjson'), factory.paper('ERIK_HALT.md')];
    const { code, stderr } = await factory.andon('watch');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /the journal ends at entry \d+, but .* tells of entry \d+: its end was lost\n.*backup/,
      ),
    });
    expect([factory.paper('transition.ndjson'), factory.paper('ERIK_HALT.md')]).toEqual([log, report]);
    expect(factory.merges()).toEqual([]);
    renameSync(join(factory.handoff, 'transition.ndjson'), join(factory.handoff, 'transition.old'));
    const dog = await factory.watch();
    await dog.until('going on (');
  });
});

describe('a journal with a byte that is another one', () => {
  test('is refused by the daemon and by every command that would write, wherever the byte is, and stays as it is', async () => {
    const factory = await aFactory({ apart: true });
    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
    await dog.stop();
    const file = journalOf(factory);
    const whole = readFileSync(file);
    const bytes = Buffer.from(whole);
    // Everywhere it stands: SQLite leaves old copies of rows in the free space of its pages, where they harm nobody.
    for (let at = whole.indexOf('"kind":"started"'); at > 0; at = whole.indexOf('"kind":"started"', at + 1))
      bytes[at + 9] = 'X'.charCodeAt(0);
    expect(bytes.equals(whole)).toBe(false);
    writeFileSync(file, bytes);
    for (const words of [['watch'], ['resume', 'DOC-001', '--path', '1'], ['pause']]) {
      const { code, stderr } = await factory.andon(...words);
      expect({ words, code, stderr }).toEqual({
        words,
        code: 1,
        stderr: expect.stringContaining('is damaged at entry'),
      });
      expect(stderr).not.toContain('bug in andon');
    }
    expect(factory.isHalted()).toBe(true);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    writeFileSync(file, whole);
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
  });
});
