import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Wish } from './live.ts';
import { LIVES } from './lives.ts';
import { again, chosen } from '../support/seed.ts';
import { nameOf, sweep } from './sweep.ts';

const STRACE = spawnSync('strace', ['-V']).status === 0;
const ALL = process.env['CRASH_FULL'] === '1';
/** Points of each life, unless all are asked for. */
const POINTS = Number(process.env['CRASH_POINTS'] ?? 20);
/** The calls by which a process changes files; SQLite's are among them. */
const CALLS = ['openat', 'write', 'pwrite64', 'fsync', 'fdatasync', 'rename', 'unlink', 'link', 'mkdir', 'ftruncate'];

const traced = (...words: readonly string[]): Wish => ({ process: 1, failpoint: words.join(' '), strace: words });

/** Every call of every kind, each killed at its entry. */
const pointsOf = ([calls = []]: readonly (readonly string[])[]): readonly Wish[] => {
  const counts = new Map<string, number>();
  return calls.map((call) => {
    const hit = (counts.get(call) ?? 0) + 1;
    counts.set(call, hit);
    return traced('-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${hit}`);
  });
};

describe.skipIf(!STRACE)('kill -9 at the system calls of the daemon by which it changes files', () => {
  test.each(LIVES.slice(0, 2).map((life) => [life.name, life] as const))(
    'loses nothing of a task that is %s',
    async (name, life) => {
      const all = traced('-e', `trace=${CALLS.join(',')}`);
      const { points, missed, violations } = await sweep(
        life,
        (reached) => chosen(pointsOf(reached), ALL ? Infinity : POINTS, nameOf),
        all,
      );
      process.stdout.write(
        `strace: ${points} kills, ${missed.length} not come by, ${violations.length} violations: ${name}; ${again('test/crash/system-calls.test.ts')}\n`,
      );
      for (const line of violations) process.stdout.write(`  violation: ${line}\n`);
      expect(violations).toEqual([]);
      expect(missed.length).toBeLessThan(points / 2);
    },
  );
});
