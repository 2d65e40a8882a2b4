import { expect, onTestFinished, test } from 'vitest';
import { lockWorkspace } from '../../../src/project/workspace/lock-workspace.ts';
import { loadWorkspace, type Workspace } from '../../../src/project/workspace/load-workspace.ts';
import type { Request } from '../../../src/project/requests/request.ts';
import { askWatchdog } from '../../../src/app/cli/ask-watchdog.ts';
import { LiveFloor } from '../../support/live-floor.ts';

const SHORT_MS = 1;

/** A watchdog whose answers never arrive. */
async function ask(live: LiveFloor, request: Request, next?: () => Promise<void>): Promise<unknown> {
  const place = await placeOf(live);
  const silent: Workspace = {
    ...place,
    requests: {
      ...place.requests,
      async ask() {
        await next?.();
        return undefined;
      },
    },
  };
  return askWatchdog(silent, request, { ms: SHORT_MS }).catch((error: unknown) => error);
}

const placeOf = (live: LiveFloor): Promise<Workspace> => loadWorkspace(live.repo, live.env);
const by = 'Erik';

test('a watchdog that does not answer is reported as slow, or as ended once it is gone, with the advice to look before a retry', async () => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  await live.start();
  const lock = await lockWorkspace(await placeOf(live), 'watch', () => {});
  onTestFinished(() => lock.release());
  live.drop('GIVEUP-00001');
  await live.untilEnd();
  const request: Request = { do: 'resume', taskId: 'GIVEUP-00001', path: 1, by, how: 'andon resume' };
  expect(await ask(live, request)).toMatchObject({
    code: 'no-answer',
    message: expect.stringContaining('has not answered') as string,
    remedy: expect.stringContaining('The request may still take effect') as string,
  });
  expect(await ask(live, { do: 'pause', by }, () => lock.release())).toMatchObject({
    code: 'no-answer',
    message: 'The watchdog ended before it answered.',
    remedy: expect.stringContaining('Run `andon status` before you retry') as string,
  });
});
