import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fulfilRequest } from '../../../src/daemon/watch/handle-request.ts';
import { lockWorkspace } from '../../../src/wiring/lock-workspace.ts';
import { loadWorkspace } from '../../../src/wiring/load-workspace.ts';
import type { HeldLock } from '../../../src/wiring/lock-workspace.ts';
import type { Workspace } from '../../../src/wiring/load-workspace.ts';
import type { Request } from '../../../src/record/request.ts';
import { askWatchdog } from '../../../src/surfaces/cli/ask.ts';
import { LiveFloor } from '../../support/live-floor.ts';

const SHORT_MS = 1;

/** A watchdog whose answers never arrive: `does` is what it does with a request before it is silent. */
async function ask(
  live: LiveFloor,
  request: Request,
  { does, next }: { readonly does: boolean; readonly next?: () => Promise<void> },
): Promise<unknown> {
  const place = await placeOf(live);
  const silent: Workspace = {
    ...place,
    requests: {
      ...place.requests,
      async ask() {
        if (does) await fulfilRequest(live.line, request);
        await next?.();
        return undefined;
      },
    },
  };
  return askWatchdog(silent, request, { ms: SHORT_MS }).catch((error: unknown) => error);
}

const placeOf = (live: LiveFloor): Promise<Workspace> => loadWorkspace(live.repo, live.env);
const by = 'Erik';

describe('a watchdog that does not answer', () => {
  let live: LiveFloor;
  let lock: HeldLock;
  beforeEach(async () => {
    live = await LiveFloor.make();
    await live.start();
    lock = await lockWorkspace(await placeOf(live), 'watch', () => {});
    live.drop('GIVEUP-00001');
    await live.untilEnd();
  });
  afterEach(async () => {
    await lock.release();
    await live.close();
  });

  test('is not called silent when the choice took effect: the journal says so, also to a resume that named no halt', async () => {
    const request: Request = { do: 'resume', taskId: 'GIVEUP-00001', path: 2, by, how: 'andon resume' };
    expect(await ask(live, request, { does: true })).toMatchObject({ status: 'abandoned', watchdog: true });
  });

  test('nor when it ended right after it', async () => {
    const request: Request = { do: 'abandon', taskId: 'GIVEUP-00001', by };
    expect(await ask(live, request, { does: true, next: () => lock.release() })).toMatchObject({
      status: 'abandoned',
      watchdog: false,
    });
  });

  test('is said to be slow, and that it may still do it, while nothing shows that it did', async () => {
    const request: Request = { do: 'resume', taskId: 'GIVEUP-00001', path: 1, by, how: 'andon resume' };
    expect(await ask(live, request, { does: false })).toMatchObject({
      code: 'no-answer',
      message: expect.stringContaining('has not answered') as string,
      remedy: expect.stringContaining('The request may still take effect') as string,
    });
  });

  test('is said to have ended when it did so before', async () => {
    const request: Request = { do: 'pause', by };
    expect(await ask(live, request, { does: false, next: () => lock.release() })).toMatchObject({
      code: 'no-answer',
      message: 'The watchdog ended before it carried out the request.',
      remedy: 'Run the command again.',
    });
    expect(await ask(live, request, { does: true })).toMatchObject({ status: 'paused' });
  });
});
