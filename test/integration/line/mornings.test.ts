import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSettings, type Settings } from '../../../src/project/config/read-settings.ts';
import type { Services } from '../../../src/line/services/services.ts';
import type { Happening } from '../../../src/line/words/notification-policy.ts';
import { keepMornings } from '../../../src/line/notify/mornings.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { eventually } from '../../support/factory.ts';

const EVENING = '2026-01-16T21:00:00.000';
const MORNING = '2026-01-17T07:00:00.000';

/** Local wall clock time as the journal writes it. */
const local = (time: string): string => new Date(time).toISOString();

function settingsWith(user: string): Settings {
  const read = readSettings({ name: 'project', text: undefined }, { name: 'user', text: user }, '/somewhere');
  if (!read.ok) throw new Error(read.why.join('\n'));
  return read.value;
}

/** A user without repositories, andons that watch, and a wall clock that goes on when the test says so. */
function aUser(config = 'digest: { at: "07:00" }') {
  const home = mkdtempSync(join(tmpdir(), 'andon-mornings-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  let settings = settingsWith(config);
  const told: Happening[] = [];
  const said: string[] = [];
  let now = local(EVENING);
  let waiting: (() => void)[] = [];
  const clock: Clock = {
    now: () => now,
    awake: () => ({ touch: () => {}, stop: () => {} }),
    async until(time, signal) {
      for (;;) {
        if (now >= time || signal.aborted) return;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          const leave = (): void => {
            waiting = waiting.filter((one) => one !== resolve);
            resolve();
          };
          signal.addEventListener('abort', leave, { once: true });
        });
      }
    },
  };
  const start = (tell: (happening: Happening) => Promise<boolean> = () => Promise.resolve(true)) => {
    const mornings = keepMornings({
      services: {
        clock,
        configuration: { line: () => ({ settings }) } as unknown as Services['configuration'],
        say: (news) => void (news.kind === 'word' && said.push(news.text)),
      },
      env: { XDG_STATE_HOME: home },
      tell: async (happening) => {
        told.push(happening);
        return tell(happening);
      },
    });
    const stop = (): Promise<void> => {
      mornings.stop();
      return mornings.ended;
    };
    onTestFinished(stop);
    return { stop, waits: () => eventually(() => waiting.length > 0, 'it waits for its time') };
  };
  return {
    told,
    said,
    start,
    configure: (text: string): void => void (settings = settingsWith(text)),
    to(time: string): void {
      now = local(time);
      const all = waiting;
      waiting = [];
      for (const wake of all) wake();
    },
  };
}

describe('a digest that is wanted at 07:00', () => {
  it('is told at 07:00, once a day, and not at once when it is wanted from now on', async () => {
    const user = aUser();
    const { stop, waits } = user.start();
    await waits();
    expect(user.told).toEqual([]);
    user.to('2026-01-17T06:59:00.000');
    await waits();
    expect(user.told).toEqual([]);
    user.to(MORNING);
    await eventually(() => user.told.length === 1, 'it is told');
    await waits();
    expect(user.told[0]).toMatchObject({
      event: 'digest',
      key: 'digest:2026-01-17',
      sentence: '0 need you, 0 merged, 0 under way or queued; spent: $0.00',
      digest: { text: expect.stringContaining('Needs you: nothing.') as unknown },
    });
    expect(user.told[0]?.next).toMatch(/^andon digest --all --since 2026-01-16T/);
    user.to('2026-01-17T23:00:00.000');
    await waits();
    expect(user.told).toHaveLength(1);
    user.to('2026-01-18T07:00:01.000');
    await eventually(() => user.told.length === 2, 'it is told the next day');
    await stop();
    expect(user.said.filter((text) => !text.startsWith('digest: '))).toEqual([]);
  });

  it('is told also where the user names the time while andon watches', async () => {
    const user = aUser('cage: none');
    const { waits } = user.start();
    await waits();
    user.configure('digest: { at: "07:00" }');
    user.to('2026-01-17T01:00:00.000');
    await waits();
    expect(user.told).toEqual([]);
    user.to(MORNING);
    await eventually(() => user.told.length === 1, 'it is told');
  });

  it('is not told again after a restart', async () => {
    const user = aUser();
    const first = user.start();
    await first.waits();
    user.to(MORNING);
    await eventually(() => user.told.length === 1, 'it is told');
    await first.waits();
    await first.stop();
    await user.start().waits();
    expect(user.told).toHaveLength(1);
  });

  it('that was missed is told at the next start, and says that it is late', async () => {
    const user = aUser();
    const first = user.start();
    await first.waits();
    await first.stop();
    user.to('2026-01-19T10:30:00.000');
    await user.start().waits();
    expect(user.told).toHaveLength(1); // one for all that were missed
    expect(user.told[0]?.key).toBe('digest:2026-01-19');
    expect(user.told[0]?.sentence).toContain(`Late: it was due at ${local('2026-01-19T07:00:00.000')}`);
    expect(user.told[0]?.digest?.text).toMatch(/^Late: it was due at 07:00, when no andon watched/);
  });

  it('is told by one of all andons that watch', async () => {
    const user = aUser();
    const both = [user.start(), user.start(), user.start()];
    for (const one of both) await one.waits();
    user.to(MORNING);
    await eventually(() => user.told.length > 0, 'it is told');
    user.to('2026-01-17T07:02:00.000');
    for (const one of both) await one.waits();
    user.to('2026-01-17T07:05:00.000');
    for (const one of both) await one.stop();
    expect(user.told).toHaveLength(1);
  });

  it('that could not be told, or was cut off by a stop, is told later', async () => {
    const user = aUser();
    const failing = user.start(() => Promise.reject(new Error('no such world')));
    await failing.waits();
    user.to(MORNING);
    await eventually(() => user.said.includes('the digest could not be sent: no such world'), 'that is said');
    await failing.stop();
    const cut = user.start(() => Promise.resolve(false));
    await eventually(() => user.told.length === 2, 'it is being told');
    await cut.stop();
    user.start();
    await eventually(() => user.told.length === 3, 'it is told by the next one');
  });

  it('waits for the end of quiet hours when it is late, and is told in them when its time lies there', async () => {
    const late = aUser('digest: { at: "07:00" }\nnotifications: { quiet_hours: "20:00-06:30" }');
    const first = late.start();
    await first.waits();
    await first.stop();
    late.to('2026-01-17T21:00:00.000');
    const second = late.start();
    await second.waits();
    expect(late.told).toEqual([]);
    late.to('2026-01-18T06:31:00.000');
    await eventually(() => late.told.length === 1, 'it is told when quiet hours have ended');
    const wanted = aUser('digest: { at: "07:00" }\nnotifications: { quiet_hours: "20:00-09:00" }');
    await wanted.start().waits();
    wanted.to(MORNING);
    await eventually(() => wanted.told.length === 1, 'it is told at its time');
  });

  it('that nobody wants is never told', async () => {
    const user = aUser('cage: none');
    await user.start().stop();
    user.to(MORNING);
    expect(user.told).toEqual([]);
  });
});
