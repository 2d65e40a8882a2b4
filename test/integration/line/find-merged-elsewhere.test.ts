import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { contractOf } from '../../../scripts/soak/lives.ts';
import { readLine } from '../../../src/line/readers/read-line.ts';
import { LiveFloor } from '../../support/live-floor.ts';

/** A floor whose `main` holds a task that another andon merged, while `release` does not. */
async function aFloorWithForeignMerge() {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  live.git('branch', 'release');
  const receipt = `Andon-Task: EXT-1\nAndon-Attempt: 1\nAndon-Contract: sha256-${'a'.repeat(64)}`;
  live.git('commit', '--quiet', '--allow-empty', '--message', `Merge task/EXT-1: a note\n\n${receipt}`);
  const queue = (taskId: string, branch: string): void =>
    live.write(
      `_handoff/queue/${taskId}.json`,
      JSON.stringify({ ...contractOf(taskId), git: { base_branch: branch }, after: ['EXT-1'] }),
    );
  return { live, queue };
}

const REJECTED = '_handoff/CONTRACT_REJECTED.md';

test('a merge by another andon lets only the dependents on its own target begin, while that target holds it', async () => {
  const { live, queue } = await aFloorWithForeignMerge();
  await live.start();
  queue('PLAIN-2', 'release');
  live.drop('PLAIN-1', { after: ['EXT-1'] });
  expect(await live.untilEnd()).toMatchObject({ taskId: 'PLAIN-1', status: 'merged' });
  await live.until(() => existsSync(live.path(REJECTED)));
  expect(live.read(REJECTED)).toContain('PLAIN-2.json');
  live.git('reset', '--quiet', '--hard', 'release');
  queue('PLAIN-3', 'main');
  await live.until(() => live.read(REJECTED).includes('PLAIN-3.json'));
  expect(live.line.services.journal.taskIds()).toEqual(['PLAIN-1']);
});

test.each([
  ['main', 'is next'],
  ['release', 'waits for EXT-1, which is unknown here'],
])('the queue as shown to you says of a dependent on %s that it %s', async (branch, why) => {
  const { live, queue } = await aFloorWithForeignMerge();
  queue('PLAIN-2', branch);
  expect((await readLine(await live.place(), undefined)).queue).toMatchObject([{ task_id: 'PLAIN-2', why }]);
});
