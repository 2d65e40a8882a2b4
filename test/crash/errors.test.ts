import { describe, expect, test } from 'vitest';
import { LIVES } from './lives.ts';
import { again, chosen } from '../support/seed.ts';
import { nameOf, pointsOf, sweep } from './sweep.ts';

/** Points for each code, unless all are asked for. */
const POINTS = Number(process.env['CRASH_POINTS'] ?? 12);
const ALL = process.env['CRASH_FULL'] === '1';

describe('a disk that fails at every effect', () => {
  test.each(['ENOSPC', 'EIO', 'EROFS', 'EMFILE'])(
    'with %s for a while costs waiting or a halt, and nothing else',
    async (code) => {
      const [life] = LIVES;
      if (life === undefined) throw new Error('there is no life');
      const { points, violations, ended } = await sweep(life, (reached) =>
        chosen(
          pointsOf(reached, ALL ? 'all' : 'one', (hit) => `error=${code}#${hit}-${hit + 2}`),
          ALL ? Infinity : POINTS,
          nameOf,
        ),
      );
      process.stdout.write(
        `errors: ${points} times ${code}, ${ended.length} daemons that ended, ${violations.length} violations; ${again('test/crash/errors.test.ts')}\n`,
      );
      for (const line of ended) process.stdout.write(`  ended: ${line}\n`);
      for (const line of violations) process.stdout.write(`  violation: ${line}\n`);
      expect(violations).toEqual([]);
    },
  );
});
