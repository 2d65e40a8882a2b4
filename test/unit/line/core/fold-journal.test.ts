import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import type { Facts } from '../../../../src/line/record/facts.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { STATIONS, STATUSES } from '../../../../src/base/names.ts';
import { foldEntry, foldJournal } from '../../../../src/line/core/fold-journal.ts';
import {
  AT,
  BASE,
  TREE,
  aChange,
  aGateRun,
  aHalt,
  aReport,
  aReview,
  admitted,
  called,
  moved,
  started,
} from '../../../support/records.ts';

const after = (...entries: readonly JournalEntry[]): TaskRecord => {
  const record = foldJournal([admitted(), ...entries]);
  if (record === undefined) throw new Error('the journal begins with an admission');
  return record;
};
const written = (facts: Facts = {}) =>
  moved('code_written', 'pending_implementer', 'pending_local_review', { change: aChange(), ...facts });
const localFail = moved('local_fail', 'pending_local_review', 'pending_implementer', {
  review: aReview({ verdict: 'FAIL' }),
  feedback: [{ from: 'reviewer', text: 'a key' }],
});
const failAgree = moved('fail_agree', 'review_complete', 'pending_implementer', {
  feedback: [{ from: 'judge', text: 'fix it' }],
});
const strike = (kind: 'crash' | 'stall' | 'refused' = 'crash') =>
  moved('strike', 'pending_implementer', 'pending_implementer', {
    strike: { station: 'implementer', kind, why: 'exit 1' },
  });
const chosen = (effect: NonNullable<Facts['choice']>['effect']) =>
  moved('resume', 'erik_consultation', effect.to, {
    choice: { halt: 'DOC-001-7', path: 1, by: 'erik', how: 'cli', effect },
  });

const facts: fc.Arbitrary<Facts> = fc.constantFrom<Facts[]>(
  {},
  { change: aChange() },
  { gates: aGateRun() },
  { review: aReview() },
  { report: aReport() },
  { feedback: [{ from: 'gates', text: 'red' }] },
  { strike: { station: 'judge', kind: 'stall', why: 'silence' } },
  { strike: { station: 'implementer', kind: 'refused', why: 'scope' }, scopeRefused: ['x'] },
  { judgeUnreadable: 'prose' },
  { rebuttal: [{ why: 'no' }] },
  { targetMoved: { base: 'f'.repeat(40) }, change: aChange() },
  { merge: { commit: 'c', tip: 't', target: 'refs/heads/main' } },
  { halt: aHalt() },
  {
    choice: {
      halt: 'x',
      path: 2,
      by: 'erik',
      how: 'cli',
      effect: { to: 'pending_implementer', stallTries: 1, fresh: true },
    },
  },
);
const event = fc.constantFrom('code_written', 'gate_red', 'local_fail', 'local_pass', 'fail_agree', 'strike', 'resume');
const status = fc.constantFrom(...STATUSES);
const station = fc.constantFrom(...STATIONS);
const entry: fc.Arbitrary<JournalEntry> = fc.oneof(
  fc.constant(admitted()),
  fc.record({ station, call: fc.nat(9), reserveUsd: fc.option(fc.integer({ min: 0, max: 9 })) }).map(started),
  fc.record({ station, call: fc.nat(9), usd: fc.option(fc.integer({ min: 0, max: 9 })), ms: fc.nat(9e5) }).map(called),
  fc
    .record({ station, call: fc.nat(9), usd: fc.option(fc.integer({ min: 0, max: 9 })) })
    .map((call) => ({ kind: 'interrupted' as const, at: AT, ...call })),
  fc.tuple(event, status, status, facts).map(([name, from, to, found]) => moved(name, from, to, found)),
  fc.constant({ kind: 'remark' as const, at: AT, text: 'by the way' }),
  fc.constant({
    kind: 'merging' as const,
    at: AT,
    target: 'refs/heads/main',
    old: BASE,
    commit: 'c'.repeat(40),
    tip: 'd'.repeat(40),
  }),
);

describe('the story of a task', () => {
  it('can be told in one go or piece by piece, in any order, and comes out the same', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 25 }), fc.array(entry, { maxLength: 25 }), (before, then) => {
        const whole = foldJournal([...before, ...then]);
        const pieces = then.reduce<TaskRecord | undefined>(foldEntry, foldJournal(before));
        expect(pieces).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it('is not changed by being read: a record is never written to', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 15 }), (entries) => {
        const text = JSON.stringify(entries);
        const deep = (value: unknown): void => {
          if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
          Object.freeze(value);
          Object.values(value).forEach(deep);
        };
        const frozen = JSON.parse(text) as JournalEntry[];
        deep(frozen);
        let record: TaskRecord | undefined;
        for (const one of frozen) {
          record = foldEntry(record, one);
          deep(record);
        }
        expect(JSON.stringify(frozen)).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it('never counts downwards', () => {
    const counters = ['reviewCycles', 'rebuttals', 'unreadableReports', 'stalls', 'callCount', 'attempt'] as const;
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 25 }), (entries) => {
        let record = foldJournal([admitted()]);
        for (const one of entries.filter(({ kind }) => kind !== 'admitted' && kind !== 'started')) {
          const next = foldEntry(record, one);
          for (const counter of counters) expect(next?.[counter]).toBeGreaterThanOrEqual(record?.[counter] ?? 0);
          expect(next?.spent.usd).toBeGreaterThanOrEqual(record?.spent.usd ?? 0);
          record = next;
        }
      }),
      { numRuns: 200 },
    );
  });

  it('begins with an admission; what stands before it is nobody’s', () => {
    expect(foldJournal([])).toBeUndefined();
    expect(foldJournal([started(), called(), written()])).toBeUndefined();
    expect(foldJournal([admitted()])).toMatchObject({ status: 'pending_implementer', attempt: 0, base: BASE });
  });
});

describe('counters', () => {
  it('count only outcomes: the intent to call is an attempt, not a strike', () => {
    expect(after(started())).toMatchObject({ attempt: 1, strikes: [], reviewCycles: 0 });
    expect(after(started(), called())).toMatchObject({ attempt: 1, openCall: undefined, strikes: [] });
    expect(after(strike()).strikes).toHaveLength(1);
  });

  it('count a change that goes back as one review cycle, whoever sent it', () => {
    const red = moved('gate_red', 'pending_implementer', 'pending_implementer', {
      change: aChange(),
      gates: aGateRun(),
      feedback: [{ from: 'gates', text: 'red' }],
    });
    expect(after(red).reviewCycles).toBe(1);
    expect(after(written(), localFail).reviewCycles).toBe(1);
    expect(after(red, written(), localFail, failAgree).reviewCycles).toBe(3);
    expect(after(strike(), strike('refused')).reviewCycles).toBe(0);
  });

  it('remember what was rejected, by whom and why', () => {
    expect(after(written(), localFail).rejected).toEqual([
      { attempt: 1, commit: aChange().commit, tree: TREE, by: 'reviewer', why: 'a key' },
    ]);
  });

  it('count local rounds in a row, until the reviewer passes or the judge sends back', () => {
    const pass = moved('local_pass', 'pending_local_review', 'pending_judge_review', { review: aReview() });
    expect(after(written(), localFail, written(), localFail).localRounds).toBe(2);
    expect(after(written(), localFail, written(), pass).localRounds).toBe(0);
    expect(after(written(), localFail, failAgree).localRounds).toBe(0);
  });

  it('start again for strikes and refused answers when a change has come about', () => {
    expect(after(strike(), strike('refused'), written())).toMatchObject({ strikes: [], refusedAnswers: 0 });
    expect(after(strike('stall'), written()).stalls).toBe(1);
  });

  it('keep refused answers apart from strikes', () => {
    expect(after(strike('refused'), strike('refused'))).toMatchObject({ strikes: [], refusedAnswers: 2 });
  });
});

describe('money', () => {
  it('is charged as reported', () => {
    expect(after(started({ reserveUsd: 0.5 }), called({ usd: 0.1 })).spent).toMatchObject({ usd: 0.1, unknownUsd: 0 });
  });

  it('is charged as reserved when nobody reported it, and unknown when nothing was reserved', () => {
    expect(after(started({ reserveUsd: 0.5 }), called({ usd: null })).spent).toMatchObject({ usd: 0.5, unknownUsd: 0 });
    expect(after(started(), called({ usd: null })).spent).toMatchObject({ usd: 0, unknownUsd: 1 });
    expect(after(started(), called({ tokensOut: null })).spent).toMatchObject({ tokens: 100, unknownTokens: 1 });
  });

  it('is gone with an interrupted call, whose attempt counts but which is no strike', () => {
    const record = after(started({ reserveUsd: 0.25 }), {
      kind: 'interrupted',
      at: AT,
      station: 'implementer',
      call: 1,
      usd: 0.25,
    });
    expect(record).toMatchObject({ attempt: 1, strikes: [], stalls: 0, openCall: undefined });
    expect(record.spent).toMatchObject({ usd: 0.25, unknownUsd: 0, unknownTokens: 1 });
  });
});

describe('a new tree', () => {
  it('makes void whatever was said about the old one', () => {
    const judged = moved('judge_complete', 'review_in_progress', 'review_complete', { report: aReport() });
    const record = after(written({ gates: aGateRun() }), judged, written());
    expect(record).toMatchObject({ gates: undefined, review: undefined, report: undefined, rebuttal: [] });
    expect(record.rounds).toHaveLength(1);
  });
});

describe('a choice', () => {
  it('sums up what was granted and never resets it', () => {
    const record = after(
      chosen({ to: 'pending_implementer', stallTries: 1, usd: 0.5, paths: ['a'] }),
      chosen({ to: 'pending_implementer', stallTries: 1, usd: 0.25, paths: ['b'], approveTree: TREE }),
    );
    expect(record.grants).toMatchObject({
      stallTries: 2,
      usd: 0.75,
      paths: ['a', 'b'],
      approved: [{ tree: TREE, by: 'erik' }],
    });
  });

  it('throws the attempt away when it says so, and remembers it as rejected by a human', () => {
    const judged = moved('judge_complete', 'review_in_progress', 'review_complete', { report: aReport() });
    const record = after(
      written({ gates: aGateRun() }),
      judged,
      chosen({ to: 'pending_implementer', fresh: true, say: 'smaller' }),
    );
    expect(record).toMatchObject({
      change: undefined,
      gates: undefined,
      review: undefined,
      report: undefined,
      rebuttal: [],
      fresh: true,
    });
    expect(record.rejected).toMatchObject([{ tree: TREE, by: 'human' }]);
    expect(record.feedback.at(-1)).toEqual({ from: 'human', text: 'smaller' });
  });

  it('takes a side that holds only until the next report', () => {
    const judged = moved('judge_complete', 'review_in_progress', 'review_complete', { report: aReport() });
    expect(after(written(), chosen({ to: 'review_complete', verdict: 'PASS' })).sided).toBe('PASS');
    expect(after(written(), chosen({ to: 'review_complete', verdict: 'PASS' }), judged).sided).toBeUndefined();
  });

  // Reported: a round of gates does not end `onlyGates`, so the implementer is never asked again. Drop `.fails` with it.
  it('that runs only the gates again is done when they have run', () => {
    const gated = moved('code_written', 'pending_implementer', 'pending_local_review', { gates: aGateRun() });
    const record = after(written(), chosen({ to: 'pending_implementer', approveTree: TREE, onlyGates: true }), gated);
    expect(record.onlyGates).toBe(false);
  });
});
