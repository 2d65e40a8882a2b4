import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import { toNotifications, type Notification } from '../../../../src/project/config/notification.ts';
import { Notices } from '../../../../src/line/notify/notify.ts';
import type { LineEvent, Services } from '../../../../src/line/services/services.ts';
import type { Notifier, Notifiers } from '../../../../src/line/notify/notifier.ts';
import { aContract, aHalt, aRecord, admitted, moved } from '../../../support/records.ts';
import { patience } from '../../../support/patience.ts';

const HALTED = aRecord({ status: 'erik_consultation', halt: aHalt() });
const HOOK = { command: ['hook'] };
const at = (hours: number, minutes = 0): string => new Date(2026, 0, 16, hours, minutes).toISOString();

/** A floor of which only journal, clock, settings and news are there: nothing else is asked for. */
function aWorld(notifications: object = HOOK) {
  const entries: { taskId: string; entry: JournalEntry }[] = [];
  const said: LineEvent[] = [];
  const told: Notification[] = [];
  const time = { now: at(12), arrives: (): void => {} };
  const journal = {
    append: (taskId: string, more: readonly JournalEntry[]) => {
      entries.push(...more.map((entry) => ({ taskId, entry })));
      return { seq: entries.length, hash: '' };
    },
    entries: (taskId: string) => entries.filter((one) => one.taskId === taskId).map(({ entry }) => entry),
    since: (seq: number) => entries.map((one, index) => ({ seq: index + 1, ...one })).slice(seq),
    head: () => entries.length,
  };
  const services = {
    root: '/project',
    configuration: {
      line: () => ({ settings: { notifications: toNotifications(notifications), web: { url: undefined } } }),
    },
    clock: {
      now: () => time.now,
      until: (end: string, signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve());
          time.arrives = () => {
            time.now = end;
            resolve();
          };
        }),
    },
    journal,
    digest: (text: string) => text,
    say: (news: LineEvent) => said.push(news),
  } as unknown as Services;
  const works: Notifier = (notification) => {
    told.push(notification);
    return Promise.resolve(undefined);
  };
  const start = (notifier: Notifier = works, hasTerminal = false): Notices =>
    new Notices(services, () => new Map([['command', notifier]]) satisfies Notifiers, { hasTerminal });
  const warnings = (): readonly string[] =>
    said.flatMap((news) => (news.kind === 'word' && news.level === 'warn' ? [news.text] : []));
  return { services, entries, journal, said, told, time, start, warnings };
}
const events = (told: readonly Notification[]): readonly string[] => told.map(({ event }) => event);

describe('notices', () => {
  it('tell an event once, however often the record is looked at, and after a restart not again', async () => {
    const { start, told, entries } = aWorld();
    for (const notices of [start(), start()]) {
      for (const _ of [1, 2, 3]) notices.about(HALTED);
      await notices.close();
      notices.about(HALTED);
    }
    expect(events(told)).toEqual(['halt']);
    expect(entries).toMatchObject([{ taskId: 'DOC-001', entry: { kind: 'notified', channel: 'command' } }]);
  });

  it('leave a halt alone until its papers are written', async () => {
    const { start, told } = aWorld();
    const notices = start();
    notices.heard(HALTED);
    await notices.close();
    expect(told).toEqual([]);
  });

  it('ring the bell of a terminal once; the title is shown again after a restart', async () => {
    const { start, said } = aWorld();
    for (const hasTerminal of [false, true, true]) {
      const notices = start(undefined, hasTerminal);
      notices.about(HALTED);
      await notices.close();
    }
    const shown = said.flatMap((news) => (news.kind === 'notice' ? [[news.bell, news.title]] : []));
    expect(shown).toEqual([
      [false, true],
      [true, true],
      [false, true],
    ]);
  });

  it('that fail cost one line of warning, are noted, and are not tried again', async () => {
    const { start, warnings, entries } = aWorld();
    for (const _ of [1, 2]) {
      const notices = start(() => Promise.resolve('no network'));
      notices.about(HALTED);
      await notices.close();
    }
    expect(warnings()).toEqual(['the notification by command failed: no network']);
    expect(entries).toMatchObject([{ entry: { failed: 'no network' } }]);
  });

  it('go on after a channel that throws, and after a journal that cannot be written', async () => {
    const { start, journal, warnings } = aWorld();
    const notices = start(() => Promise.reject(new Error('a bug')));
    notices.about(HALTED);
    await notices.close();
    journal.append = () => {
      throw new Error('another andon has written to the journal');
    };
    const others = start();
    others.about(aRecord({ status: 'abandoned' }));
    await others.close();
    expect(warnings()).toEqual([
      'a notification could not be sent: a bug',
      'a notification could not be sent: another andon has written to the journal',
    ]);
  });

  it('that hang are ended by a stop within two seconds, are not noted, and come after the next start', async () => {
    const { start, entries, told } = aWorld();
    const ended: Notifier = (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve('aborted'));
      });
    const deaf: Notifier = () => new Promise(() => {});
    for (const notifier of [ended, deaf]) {
      const notices = start(notifier);
      notices.about(HALTED);
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const closed = notices.close();
      await vi.advanceTimersByTimeAsync(2000);
      vi.useRealTimers();
      await closed;
      expect(entries).toEqual([]);
    }
    const notices = start();
    notices.about(HALTED);
    await notices.close();
    expect(events(told)).toEqual(['halt']);
  });

  it('do not pile up before a slow channel without end', async () => {
    const { start, warnings, said } = aWorld();
    const notices = start(() => new Promise(() => {}));
    for (let number = 0; number < 55; number += 1)
      notices.tell({ key: `refused:${number}`, event: 'refused', taskId: undefined, sentence: 'x', next: '' });
    await notices.close();
    expect(warnings()).toHaveLength(5);
    expect(warnings()[0]).toContain('command is too slow');
    expect(said.filter(({ kind }) => kind === 'notice')).toHaveLength(55);
  });

  it('tell an event once although so much came in between that only the journal remembers it', async () => {
    const { start, told, entries } = aWorld();
    const notices = start();
    notices.about(HALTED);
    for (let round = 1; round <= 5; round += 1) {
      for (let number = 1; number <= 40; number += 1) {
        const key = `refused:${round}:${number}`;
        notices.tell({ key, event: 'refused', taskId: undefined, sentence: 'x', next: '' });
      }
      await vi.waitFor(() => expect(entries).toHaveLength(1 + round * 40), patience());
    }
    notices.about(HALTED);
    await notices.close();
    expect(events(told).filter((event) => event === 'halt')).toEqual(['halt']);
  });

  it('keep back words that hold a secret', async () => {
    const { start, told } = aWorld();
    const notices = start();
    const { trip } = aHalt();
    const reason = 'the key AKIAIOSFODNN7ABCDEFG was found';
    notices.about(aRecord({ status: 'erik_consultation', halt: aHalt({ trip: { ...trip, reason } }) }));
    await notices.close();
    expect(told[0]?.sentence).toBe('DOC-001: halt; the text is withheld, since it holds a secret');
  });

  it('say that andon broke, and write nothing more', async () => {
    const { start, told, entries } = aWorld();
    const notices = start();
    notices.broke('the lock was lost');
    notices.about(HALTED);
    await notices.close();
    expect(events(told)).toEqual(['broken', 'halt']);
    expect(told[0]?.sentence).toBe('andon stopped: the lock was lost');
    expect(entries).toEqual([]);
  });

  it('tell after a restart of a merge that a crash left untold, but not of an old one', async () => {
    const merged = [admitted(), { ...moved('pass', 'review_complete', 'merged'), at: at(10) }];
    for (const [now, count] of [
      [at(12), 1],
      [new Date(2026, 0, 18).toISOString(), 0],
    ] as const) {
      const { start, told, said, journal, time } = aWorld();
      time.now = now;
      journal.append('DOC-001', merged);
      for (const _ of [1, 2]) {
        const notices = start();
        notices.catchUp();
        await notices.close();
      }
      expect([told.length, said.filter(({ kind }) => kind === 'notice').length]).toEqual([count, count]);
    }
  });
});

describe('notices in quiet hours', () => {
  const NIGHT = { ...HOOK, quiet_hours: '22:00-07:00', quiet_allow_high: false };

  it('wait until they end, and then tell what still stands', async () => {
    const { start, told, time, journal } = aWorld(NIGHT);
    journal.append('DOC-001', [
      admitted(),
      { ...moved('fault', 'pending_implementer', 'erik_consultation', { halt: aHalt() }), at: at(23) },
    ]);
    time.now = at(23);
    const notices = start();
    notices.about(HALTED);
    await new Promise(setImmediate);
    expect(told).toEqual([]);
    time.arrives();
    await new Promise(setImmediate);
    await notices.close();
    expect(time.now).toBe(new Date(2026, 0, 17, 7, 0).toISOString());
    expect(events(told)).toEqual(['halt']);
  });

  it('tell in the morning also what no record shows any more', async () => {
    const { start, told, time, journal } = aWorld(NIGHT);
    journal.append('DOC-001', [admitted()]);
    time.now = at(23);
    const notices = start();
    const about = { sentence: 'it happened', next: 'andon status' };
    notices.tell({ ...about, key: 'rule:1', event: 'rule', taskId: 'DOC-001' });
    notices.tell({ ...about, key: 'refused:1', event: 'refused', taskId: undefined });
    notices.tell({ ...about, key: 'hold:1', event: 'hold', taskId: 'DOC-001' }); // over by now
    await new Promise(setImmediate);
    expect(told).toEqual([]);
    time.arrives();
    await new Promise(setImmediate);
    await notices.close();
    expect(events(told)).toEqual(['rule', 'refused']);
  });

  it('tell after a restart of each merge of the night that just ended', async () => {
    const { start, told, time, journal } = aWorld(NIGHT);
    for (const [taskId, hour] of [
      ['NIGHT-1', 2],
      ['NIGHT-2', 3],
      ['DAY-1', 8],
      ['DAY-2', 9],
    ] as const)
      journal.append(taskId, [
        admitted({ contract: aContract({ taskId }) }),
        ...Array.from({ length: 50 }, () => ({ kind: 'remark', at: at(hour), text: 'gates run' }) as const),
        { ...moved('pass', 'review_complete', 'merged'), at: at(hour) },
      ]);
    time.now = at(10);
    const notices = start();
    notices.catchUp();
    await notices.close();
    // The newest merge is told again, in case that a crash came before its notice; DAY-1 was told at once.
    expect(told.map((one) => one.task_id)).toEqual(['NIGHT-1', 'NIGHT-2', 'DAY-2']);
  });

  it('tell after a restart of a task that was abandoned in the night', async () => {
    const { start, told, time, journal } = aWorld(NIGHT);
    for (const taskId of ['NIGHT-1', 'NIGHT-2'])
      journal.append(taskId, [
        admitted({ contract: aContract({ taskId }) }),
        { ...moved('abandon', 'pending_implementer', 'abandoned'), at: at(3) },
      ]);
    time.now = at(10);
    const notices = start();
    notices.catchUp();
    await notices.close();
    expect(events(told)).toEqual(['abandoned', 'abandoned']);
  });

  it('are let go by a stop', async () => {
    const { start, told, time } = aWorld(NIGHT);
    time.now = at(3);
    const notices = start();
    notices.about(HALTED);
    await notices.close();
    expect(told).toEqual([]);
  });
});
