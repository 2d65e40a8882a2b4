import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AT_REVIEW, expectMergedOnce, survivesKillAt } from '../support/catching.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';

describe('kill -9 of the daemon', () => {
  test('while the reviewer works loses nothing: a restart ends what was left running and merges once', () =>
    survivesKillAt(...AT_REVIEW));

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
