import { expect, onTestFinished, test } from 'vitest';
import { setPause } from '../../../src/line/night/pause.ts';
import { LiveFloor } from '../../support/live-floor.ts';

async function aFloor(): Promise<LiveFloor> {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  await live.start();
  return live;
}

test('a change to files that its target has put under a filter meanwhile is not merged raw', async () => {
  const live = await aFloor();
  live.meanwhile = {
    noted: (entry) => {
      if (entry.kind === 'moved' && entry.to === 'review_in_progress')
        live.commit({ '.gitattributes': 'notes/* filter=strip\n' });
    },
  };
  live.drop('PLAIN-00001');
  const { halt } = await live.untilEnd();
  expect(halt?.trip.breaker).toBe('merge_blocked');
  expect(halt?.trip.reason).toContain("git's filter strip changes notes/1.txt there");
  expect(halt?.paths[0].title).toBe('Try the merge again');
  expect(live.merges('PLAIN-00001')).toEqual([]);
});

test('a contract that is rewritten while the line is paused is taken at once, and waits as the task did', async () => {
  const live = await aFloor();
  live.meanwhile = {
    noted: (entry) => {
      if (entry.kind === 'admitted') setPause(live.line.services, 'paused', 'erik');
    },
  };
  live.drop('PLAIN-00001');
  await live.until(() => live.line.isRunning);
  live.meanwhile = {};
  live.drop('PLAIN-00001', { specification: { target_file: 'notes/1.txt', requirements: ['Rewrite it twice'] } });
  const record = await live.until(({ contract }) => contract.specification.requirements[0] === 'Rewrite it twice');
  expect(record.status).toBe('pending_implementer');
  expect(live.line.isRunning).toBe(true);
  setPause(live.line.services, 'unpaused', 'erik');
  expect((await live.untilEnd()).status).toBe('merged');
});

test('a shallow clone that was moved merges with a target that has moved', async () => {
  const live = await LiveFloor.make([{ 'notes/0.txt': 'Two.\n' }, { 'notes/0.txt': 'Three.\n' }]);
  onTestFinished(() => live.close());
  live.git('clone', '--quiet', '--depth=1', `file://${live.repo}`, '../shallow');
  live.moveTo('whole');
  live.repo = live.repo.replace(/whole$/, 'shallow');
  await live.start();
  live.drop('PLAIN-00001');
  await live.untilEnd();
  await live.rest();
  live.moveTo('moved');
  await live.start();
  live.meanwhile = {
    noted: (entry) => {
      if (entry.kind === 'moved' && entry.to === 'review_in_progress') live.commit({ 'notes/0.txt': 'Four.\n' });
    },
  };
  live.drop('PLAIN-00002');
  expect((await live.untilEnd()).status).toBe('merged');
});
