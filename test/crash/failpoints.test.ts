import { describe, expect, test } from 'vitest';
import { LIVES, LIVES_OF_SEVERAL } from './lives.ts';
import { again, chosen } from '../support/seed.ts';
import { nameOf, pointsOf, sweep } from './sweep.ts';

/** Points of each life, unless all are asked for. */
const POINTS = Number(process.env['CRASH_POINTS'] ?? 40);
const ALL = process.env['CRASH_FULL'] === '1';

describe('kill -9 at every effect on the disk', () => {
  test.each([...LIVES, ...LIVES_OF_SEVERAL].map((life) => [life.name, life] as const))(
    'loses nothing of a task that is %s',
    async (name, life) => {
      const { points, missed, violations } = await sweep(life, (reached) =>
        chosen(pointsOf(reached, ALL ? 'all' : 'some'), ALL ? Infinity : POINTS, nameOf),
      );
      process.stdout.write(
        `crash: ${points} kills, ${missed.length} not come by, ${violations.length} violations: ${name}; ${again('test/crash/failpoints.test.ts')}\n`,
      );
      for (const line of missed) process.stdout.write(`  not come by: ${line}\n`);
      for (const line of violations) process.stdout.write(`  violation: ${line}\n`);
      expect(violations).toEqual([]);
      expect(missed.length).toBeLessThan(points / 4);
    },
  );
});
