import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { foldJournal } from '../../../../src/line/core/fold-journal.ts';
import { describeTask } from '../../../../src/line/words/describe-line.ts';
import { viewTask } from '../../../../src/line/words/view-task.ts';
import { describeActivity, viewActivity } from '../../../../src/line/words/view-activity.ts';
import type { Activity, LineFacts } from '../../../../src/line/words/line-facts.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { A_LINE } from '../../../support/nights.ts';
import { AT, aHalt, aRecord, admitted, called, started } from '../../../support/records.ts';

const may = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });
const hold = { station: 'judge' as const, reason: 'usage limit', since: AT, at: AT, until: null, tries: 1 };

const records = fc
  .record({
    halt: may(fc.constant(aHalt())),
    parked: may(fc.constant(AT)),
    openCall: may(fc.constant(started({ station: 'judge' }))),
    hold: may(fc.constantFrom(hold, { ...hold, own: 'hours' as const, reason: 'closed' })),
    status: fc.constantFrom('pending_implementer' as const, 'pending_judge_review' as const, 'merged' as const),
  })
  .map((changes) => aRecord({ ...changes, statusReason: 'the last step' }));
const waits = { errno: 'ENOSPC', why: 'no space left', since: AT };
const dogs = fc.constantFrom<LineFacts['watchdog']>(
  null,
  { pid: 7, doing: 'undo', waits: null },
  { pid: 7, doing: 'watch', waits: null },
  { pid: 7, doing: 'watch', waits },
  { pid: 7, doing: 'watch', waits: null, silent: true },
);
const lines = fc.record({
  watchdog: dogs,
  blocked: fc.constantFrom(null, 'paused by me'),
  former_repository: fc.constantFrom(null, 'begun elsewhere'),
  judge_is_outside: fc.boolean(),
});

describe('what a task does', () => {
  it('is the strongest of all that is true of it', () => {
    fc.assert(
      fc.property(records, lines, (record, facts) => {
        const line = { ...A_LINE, ...facts };
        const { watchdog } = line;
        const expected: readonly (readonly [unknown, Activity['is'], string])[] = [
          [record.status === 'merged', 'ended', 'the last step'],
          [record.halt, 'halted', 'Floor manager and judge disagree (rebuttal_limit): '],
          [record.parked, 'set aside', 'answered; goes on when the line is free'],
          [line.former_repository, 'stuck', 'begun elsewhere'],
          [watchdog?.waits, 'stuck', 'nothing runs'],
          [watchdog?.silent, 'stuck', 'nothing moves: the watchdog gives no answer'],
          [watchdog?.doing !== 'watch', 'unwatched', 'no watchdog is running'],
          [record.openCall, 'working', `the judge works since ${AT}`],
          [record.hold, 'held', record.hold?.reason ?? ''],
          [line.blocked, 'blocked', 'nothing starts: paused by me'],
          [line.judge_is_outside && record.status === 'pending_judge_review', 'outside', 'waits for a judge: type'],
          [record.status === 'pending_implementer', 'checking', `the gates of the base run since ${AT}`],
          [true, 'next step', 'the last step'],
        ];
        const [, is, words] = expected.find(([applies]) => Boolean(applies)) ?? [];
        const activity = viewActivity(record, line);
        expect(activity.is).toBe(is);
        expect(describeActivity(activity)).toContain(words);
      }),
    );
  });

  it('is never said to be work while nothing can work', () => {
    fc.assert(
      fc.property(records, lines, (record, facts) => {
        const line = { ...A_LINE, ...facts };
        const { watchdog } = line;
        if (watchdog?.doing === 'watch' && watchdog.waits === null && watchdog.silent !== true) return;
        const activity = viewActivity(record, line);
        const words = describeTask(viewTask(record), { ...line, activity }).map(({ text }) => text);
        expect([...words, describeActivity(activity)].join(' ')).not.toContain('works since');
      }),
    );
  });

  it('is known of the journal alone where the line is unknown', () => {
    const { is, phrase } = viewActivity(aRecord(), undefined);
    expect([is, phrase]).toEqual(['next step', 'being written']);
    expect(viewActivity(aRecord({ openCall: started() }), undefined).phrase).toBe('the implementer works');
  });
});

describe('a task whose implementer has answered', () => {
  const entries = [admitted(), started(), called({ answer: 'a'.repeat(64) })];
  const record = foldJournal(entries) as TaskRecord;

  it('is at its gates, and no longer being written', () => {
    const activity = viewActivity(record, A_LINE);
    expect(activity).toMatchObject({ is: 'checking', phrase: 'its gates run', since: record.calls.at(-1)?.at });
    expect(describeActivity(activity)).toBe(`its gates run since ${activity.since}: the implementer has answered`);
    expect(viewActivity({ ...record, ungated: true }, A_LINE).phrase).toBe('its change is checked');
  });

  it('is being written while nothing runs, and before the answer', () => {
    expect(viewActivity(record, { ...A_LINE, watchdog: null }).why).toBe('no watchdog is running (being written)');
    const asked = foldJournal(entries.slice(0, 2)) as TaskRecord;
    expect(viewActivity(asked, A_LINE).phrase).toBe('the implementer works');
  });
});
