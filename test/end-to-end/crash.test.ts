import { renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AT_REVIEW, caughtAt, expectMergedOnce, goOn, survivesKillAt, waits } from '../support/catching.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { reviewPasses } from '../support/scenario.ts';

describe('kill -9 of the daemon', () => {
  test('while the reviewer works loses nothing: a restart ends what was left running and merges once', () =>
    survivesKillAt(...AT_REVIEW));

  test('charges the call until the last sign of life, not until the restart', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ apart: true, scenario: { reviewer: [reviewPasses(waits)] } });
    const dog = await caughtAt('pending_local_review', factory);
    const { story } = await factory.show('DOC-001');
    await dog.kill9();
    const seen = new Date(Date.parse(story.at(-1)?.at ?? '') + 100);
    utimesSync(join(stateOf(factory), 'daemon.lock'), seen, seen);
    goOn(factory);
    await expectMergedOnce(factory, await factory.watch());
    const texts = (await factory.show('DOC-001')).story.map(({ text }) => text);
    expect(texts).toContainEqual(expect.stringContaining('the call under way was interrupted after 0.1 s;'));
  });

  test('during a halt leaves the line halted, until a human chooses', { tags: 'thorough' }, async () => {
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

  test(
    'before the papers of a halt were complete has them completed by the restart',
    { tags: 'thorough' },
    async () => {
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
    },
  );
});
