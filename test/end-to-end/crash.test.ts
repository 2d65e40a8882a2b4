import { setTimeout as sleep } from 'node:timers/promises';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLACES, caughtAt, expectMergedOnce, goOn } from '../support/catching.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { isAlive } from '../support/processes.ts';

describe('kill -9 of the daemon', () => {
  test.each(PLACES)(
    'at %s loses nothing: a restart ends what was left running and merges once',
    async (place, options) => {
      const factory = await aFactory({ apart: true, ...options });
      const dog = await caughtAt(place, factory);
      await dog.kill9();
      const orphans = factory.processes();
      const again = await factory.watch();
      await again.until(() => orphans.every(({ pid }) => !isAlive(pid)));
      await again.until(`going on at ${place.split(',')[0]}`);
      goOn(factory);
      await expectMergedOnce(factory, again);
    },
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
    ['the request for the review', 'local_pass', [0, 4, 8]],
    ['the decision and the merge', 'judge_complete', [0, 15, 30, 45, 60]],
    ['the archive', 'merged into', [0, 3]],
  ])('in the middle of %s loses nothing', async (_, cue, delays) => {
    for (const delay of delays) {
      const factory = await aFactory({ apart: true });
      const dog = await factory.watch();
      factory.drop(aContract());
      await dog.until(cue);
      await sleep(delay); // spreads the kills over the work that follows
      await dog.kill9();
      const again = await factory.watch();
      await expectMergedOnce(factory, again);
      await again.stop();
    }
  });

  test('during a halt leaves the line halted, until a human chooses', async () => {
    const factory = await aFactory({ apart: true });
    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
    await dog.kill9();
    const again = await factory.watch();
    factory.drop(aContract({ task_id: 'DOC-002' }));
    await again.until(() => factory.paper('queue/DOC-002.json'));
    expect(factory.isHalted()).toBe(true);
    expect(factory.calls()).toHaveLength(1);
    rmSync(join(factory.handoff, 'queue/DOC-002.json'));
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
    await expectMergedOnce(factory, again);
  });

  test('before the papers of a halt were complete has them completed by the restart', async () => {
    const factory = await aFactory({ apart: true });
    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 3 }));
    await dog.kill9();
    const report = factory.paper('ERIK_HALT.md');
    rmSync(join(factory.handoff, 'ERIK_HALT.md'));
    renameSync(join(factory.handoff, 'TASK_CONTRACT.json.lock'), join(factory.handoff, 'TASK_CONTRACT.json'));
    const again = await factory.watch();
    await again.until(() => factory.isHalted());
    expect(factory.paper('ERIK_HALT.md')).toBe(report);
    expect(factory.calls()).toHaveLength(1);
  });
});
