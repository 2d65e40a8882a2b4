import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fulfilRequest } from '../../../src/line/daemon/fulfil-request.ts';
import { LiveFloor } from '../../support/live-floor.ts';

test('a retry of a call that waits for your own ceiling is refused, because the call would wait on', async () => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  writeFileSync(
    join(live.env['XDG_CONFIG_HOME'] ?? '', 'andon/config.yaml'),
    'cage: none\nceilings: { day: { calls: 1 } }\n',
  );
  await live.start();
  live.drop('PLAIN-1');
  const { callCount, taskId } = await live.until(({ hold }) => hold?.own === 'ceiling');
  const retry = fulfilRequest(
    live.line,
    { do: 'retry', taskId, by: 'Erik' },
    { untilStopped: () => new AbortController().signal },
  );
  await expect(retry).rejects.toMatchObject({
    message: expect.stringMatching(/^PLAIN-1 waits for a limit of yours: the ceiling per day of 1 call is reached/),
    remedy: expect.stringContaining('andon night --dry-run'),
    exitCode: 2,
  });
  expect(live.record).toMatchObject({ callCount, hold: { own: 'ceiling' } });
});
