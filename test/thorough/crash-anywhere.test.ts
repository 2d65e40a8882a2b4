/** @module-tag thorough */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AT_REVIEW, PLACES, caughtAt, expectMergedOnce, goOn, survivesKillAt } from '../support/catching.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';

describe('kill -9 of the daemon', () => {
  // npm test kills it at the review.
  test.each(PLACES.filter((place) => place !== AT_REVIEW))(
    'at %s loses nothing: a restart ends what was left running and merges once',
    survivesKillAt,
  );

  test('while the implementer works costs an attempt, but is no strike', async () => {
    const [[place, options] = ['', {}]] = PLACES;
    const factory = await aFactory({ apart: true, ...options });
    for (const _ of [1, 2, 3]) {
      const dog = await caughtAt(place, factory);
      await dog.kill9();
      factory.signal.take('at');
    }
    const dog = await factory.watch();
    goOn(factory);
    await expectMergedOnce(factory, dog);
    const shown = await factory.show('DOC-001');
    expect(shown).toMatchObject({ attempt: 4, review_cycles: 0 });
    expect(shown.story.filter(({ text }) => text.includes('interrupted'))).toHaveLength(3);
    expect(factory.calls('implementer').at(-1)?.prompt).not.toContain('failed');
  });

  test.each([
    ['the request for the review', 'local review passed', [0, 4, 8]],
    ['the decision and the merge', 'judge: PASS', [0, 15, 30, 45, 60]],
    ['the archive', 'merged into', [0, 3]],
  ])('in the middle of %s loses nothing', async (_, cue, delays) => {
    for (const delay of delays) {
      const factory = await aFactory({ apart: true });
      const dog = await factory.begin(aContract());
      await dog.until(cue);
      await sleep(delay); // spreads the kills over the work that follows
      await dog.kill9();
      const again = await factory.watch();
      await expectMergedOnce(factory, again);
      await again.stop();
    }
  });
});
