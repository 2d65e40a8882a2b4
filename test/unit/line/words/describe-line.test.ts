import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { describeDiskError } from '../../../../src/base/disk-trouble.ts';
import type { LineFacts } from '../../../../src/line/words/line-facts.ts';
import { describeTask, describeTrouble } from '../../../../src/line/words/describe-line.ts';
import { viewTask } from '../../../../src/line/words/view-task.ts';
import { describeActivity } from '../../../../src/line/words/view-activity.ts';
import { summarizeHalt } from '../../../../src/line/halts/halt-summary.ts';
import { A_LINE } from '../../../support/nights.ts';
import { aHalt, aRecord } from '../../../support/records.ts';

const AT = '2026-01-16T12:00:00.000Z';
const TASK = viewTask(aRecord({}));
const text = fc.string({ minLength: 1, maxLength: 20 }).map((word) => `w${word.replace(/[^a-z]/gi, '')}`);
const may = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { nil: null });

const tasks = fc.record({
  working: may(fc.constant({ station: 'judge', model: 'm', since: AT })),
  hold: may(
    fc.record({
      station: fc.constant('judge'),
      reason: text,
      since: fc.constant(AT),
      until: may(fc.constant(AT)),
      own: may(fc.constantFrom('hours', 'night', 'ceiling')),
    }),
  ),
  halt: may(
    fc.record({
      id: text,
      breaker: fc.constant('budget'),
      reason: text,
      paths: fc.constant(['1: a', '2: b']),
      reach: fc.constantFrom('task', 'line'),
      send_back: may(text),
      refused: may(text),
      summary: may(fc.record({ path: fc.constantFrom(1 as const, 2 as const), why: text })).map((suggestion) => ({
        ...summarizeHalt(aRecord(), aHalt()),
        suggestion,
      })),
    }),
  ),
});

const facts: fc.Arbitrary<LineFacts> = fc.record({
  watchdog: may(
    fc.record({
      pid: fc.nat(),
      doing: fc.constantFrom('watch', 'undo'),
      waits: may(fc.record({ errno: fc.constantFrom('EDQUOT', 'EROFS', ''), why: text, since: fc.constant(AT) })),
    }),
  ),
  paused: fc.constant(null),
  night: fc.constant(null),
  blocked: may(text),
  task: may(tasks.map((some) => ({ ...TASK, ...some }))),
  activity: may(
    fc.record({
      is: fc.constantFrom('outside', 'working', 'held', 'unwatched', 'checking'),
      phrase: text,
      why: text,
      since: fc.constant(AT),
      command: may(text),
    }),
  ),
  parked: fc.constant([]),
  next_try: may(fc.constant(AT)),
  judge_is_outside: fc.boolean(),
  waiting: fc.uniqueArray(text, { maxLength: 30 }),
  queue: fc.constant([]),
  refusals: fc.array(fc.record({ file: text, faults: fc.nat(), first: text, at: fc.constant(AT) }), {
    maxLength: 12,
  }),
  proposal: may(text),
  decision: fc.constantFrom(null, '_handoff/DECISION.json does not count: it is empty'),
  edited: may(text),
  former_repository: may(text),
  barred: may(text),
  journal_lost: may(text),
  unwell: fc.array(fc.record({ name: text, detail: text, remedy: may(text), at: fc.constant(AT) }), {
    maxLength: 12,
  }),
});

const said = (one: LineFacts): string =>
  [...describeTrouble(one), ...(one.task === null ? [] : describeTask(one.task, one))]
    .map((line) => line.text)
    .join('\n');

describe('the line in words', () => {
  it('says everything that the facts say, whatever comes together', () => {
    fc.assert(
      fc.property(facts, (one) => {
        const words = said(one);
        const wait = one.watchdog?.waits;
        if (wait) expect(words).toContain(describeDiskError(wait));
        for (const must of [one.blocked, one.barred, one.journal_lost])
          if (must !== null) expect(words).toContain(must);
        for (const { file, first } of one.refusals) expect(words).toMatch(new RegExp(`${file}: .*${first}`));
        for (const { name, detail } of one.unwell)
          expect(words).toMatch(new RegExp(`${name} is red in andon doctor: ${detail}`));
        if (one.waiting.length > 0)
          expect(words).toContain(
            one.waiting.length === 1 ? 'a contract waits' : `${one.waiting.length} contracts wait`,
          );
        for (const name of one.waiting.slice(0, 12)) expect(words).toContain(name);
        if (one.task === null) return;
        if (one.task.halt !== null)
          expect(words).toContain(`${one.task.halt.summary.phrase} (budget): ${one.task.halt.reason}`);
        const suggestion = one.task.halt?.summary.suggestion ?? null;
        if (suggestion !== null) expect(words).toContain(`suggested: path ${suggestion.path}, ${suggestion.why}`);
        if (one.activity !== null) expect(words).toContain(describeActivity(one.activity));
        if (one.activity?.command != null) expect(words).toContain(`now: ${one.activity.command}`);
        if (one.former_repository !== null) expect(words).toContain(one.former_repository);
      }),
    );
  });

  it('say of a watchdog that gives no answer that nothing moves, and how it goes on', () => {
    fc.assert(
      fc.property(facts, (some) => {
        const watchdog = { pid: 7, doing: 'watch', waits: null, silent: true } as const;
        const one = { ...some, watchdog };
        expect(said(one)).toContain('the watchdog gives no answer (it is stopped, or very busy)\n  kill -CONT 7');
        const asCommand = { ...one, watchdog: { ...watchdog, doing: 'undo' } };
        expect(said(asCommand)).not.toContain('gives no answer');
      }),
    );
  });
});

it('says of a first change that is checked that it is there', () => {
  const answered = { ...TASK, gates_since: AT };
  expect(describeTask(answered, A_LINE)[0]?.text).toContain('the first change is checked');
  expect(describeTask(TASK, A_LINE)[0]?.text).toContain('no change yet');
});
