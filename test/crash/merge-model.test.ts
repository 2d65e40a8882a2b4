import { describe, expect, test } from 'vitest';
import { EVENTS, modelled, type Schedule } from '../support/merge-model.ts';
import { playBuilt } from '../support/play-built.ts';
import { again, chosen } from '../support/seed.ts';

const ALL = process.env['CRASH_FULL'] === '1';
/** Interleavings that are played, unless more are asked for. */
const POINTS = ALL ? 200 : Number(process.env['CRASH_POINTS'] ?? 12);

const HAPPENING = EVENTS.filter((event) => event !== 'restart');
const rows = [[], ...HAPPENING.flatMap((one) => [[one], ...HAPPENING.map((other) => [one, other])])];
/** Every interleaving of at most two events before and at most two behind the fast-forward; what was killed is restarted. */
const SCHEDULES: readonly Schedule[] = rows.flatMap((pinned) => rows.map((moved) => ({ pinned, moved })));

const nameOf = ({ pinned, moved }: Schedule): string => `before: ${pinned.join(', ')}; behind: ${moved.join(', ')}`;

describe('the built program, cut off before and behind the fast-forward', () => {
  test('does what the model of merge, halt, record and target does', async () => {
    const violations: string[] = [];
    const schedules = chosen(SCHEDULES, POINTS, nameOf);
    for (const schedule of schedules) {
      const expected = JSON.stringify(modelled(schedule, 'check'));
      const came = await playBuilt(schedule).then(JSON.stringify, String);
      if (came !== expected) violations.push(`${nameOf(schedule)}: ${came} instead of ${expected}`);
    }
    const file = 'test/crash/merge-model.test.ts';
    process.stdout.write(`model: ${schedules.length} schedules, ${violations.length} violations; ${again(file)}\n`);
    expect(violations).toEqual([]);
  });
});
