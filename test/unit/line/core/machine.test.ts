import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { initialTransition, transition } from 'xstate';
import type { Facts } from '../../../../src/line/record/facts.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { STATUSES, TERMINAL, type Status } from '../../../../src/base/names.ts';
import type { ResumeEffect } from '../../../../src/line/record/trip.ts';
import type { StepEvent } from '../../../../src/line/record/step-event.ts';
import { lineMachine } from '../../../../src/line/core/machine.ts';
import type { StepResult } from '../../../../src/line/core/step.ts';
import {
  AT,
  aChange,
  aFinding,
  aGateRun,
  aHalt,
  aJudgedRecord,
  aRecord,
  aReport,
  aReview,
  aStep,
} from '../../../support/records.ts';

type Snapshot = ReturnType<typeof initialTransition<typeof lineMachine>>[0];
type Given = Parameters<typeof transition<typeof lineMachine>>[2];

const WORKING = [
  'pending_implementer',
  'pending_local_review',
  'pending_judge_review',
  'review_in_progress',
  'review_complete',
] as const;

const at = (record: TaskRecord): Snapshot => initialTransition(lineMachine, { record })[0];
const statusOf = (snapshot: Snapshot): unknown => snapshot.value;
const recordOf = (snapshot: Snapshot): TaskRecord => snapshot.context.record;

/** What xstate sends when the invoked station has ended; typed by hand, because it is the machine's own event. */
const doneWith = (snapshot: Snapshot, output: StepResult): Given =>
  ({ type: `xstate.done.actor.0.line.${snapshot.value}`, output }) as unknown as Given;
const step = (snapshot: Snapshot, event: string, facts: Facts = {}): Snapshot =>
  transition(lineMachine, snapshot, doneWith(snapshot, aStep(event as StepEvent, facts)))[0];
const choose = (snapshot: Snapshot, effect: ResumeEffect): Snapshot =>
  transition(lineMachine, snapshot, {
    type: 'RESUME',
    at: AT,
    reason: 'a human chose path 1',
    choice: { halt: 'DOC-001-7', path: 1, by: 'erik', how: 'test', effect },
  })[0];

const record = (status: Status): TaskRecord =>
  status === 'pending_implementer' ? aRecord() : aJudgedRecord({ status });
const HALTED = aJudgedRecord({ status: 'erik_consultation', halt: aHalt() });

/** Every outcome that a station can have, with the facts that belong to it. */
const OUTCOMES: Readonly<Record<string, Facts>> = {
  code_written: { change: aChange(), gates: aGateRun() },
  gate_red: { change: aChange(), feedback: [{ from: 'gates', text: 'red' }] },
  strike: { strike: { station: 'implementer', kind: 'crash', why: 'exit 1' } },
  local_pass: { review: aReview() },
  local_fail: { review: aReview({ verdict: 'FAIL' }), feedback: [{ from: 'reviewer', text: 'x' }] },
  review_started: {},
  reviewer_heard: { panel: { reviewer: 'sec', round: 1, tree: 't', noVote: 'crash' } },
  judge_complete: { report: aReport() },
  report_unreadable: { judgeUnreadable: 'no JSON' },
  claim_returned: {},
  pass: { merge: { commit: 'c', tip: 't', target: 'refs/heads/main' } },
  fail_disagree: { rebuttal: [{ why: 'the file is there' }] },
  fail_agree: { feedback: [{ from: 'judge', text: 'fix it' }] },
  target_moved: { targetMoved: { base: 'a'.repeat(40) } },
  fault: { fault: 'the disk is full' },
} satisfies Partial<Record<StepEvent, Facts>>;

/** Which status each outcome leads to, from each working state; everything else stays or goes round. */
const ARROWS: Readonly<Record<(typeof WORKING)[number], Partial<Record<StepEvent, Status>>>> = {
  pending_implementer: { code_written: 'pending_local_review', gate_red: 'pending_implementer' },
  pending_local_review: {
    local_pass: 'pending_judge_review',
    local_fail: 'pending_implementer',
    target_moved: 'pending_implementer',
  },
  pending_judge_review: { review_started: 'review_in_progress', target_moved: 'pending_implementer' },
  review_in_progress: {
    judge_complete: 'review_complete',
    reviewer_heard: 'review_in_progress',
    report_unreadable: 'pending_judge_review',
    claim_returned: 'pending_judge_review',
    target_moved: 'pending_implementer',
  },
  review_complete: {
    pass: 'merged',
    fail_disagree: 'pending_judge_review',
    fail_agree: 'pending_implementer',
    target_moved: 'pending_implementer',
  },
};

describe('the line', () => {
  it.each(STATUSES)('starts at %s when that is where the record stands', (status) => {
    expect(statusOf(at(status === 'erik_consultation' ? HALTED : record(status)))).toBe(status);
  });

  it.each(Object.entries(ARROWS).flatMap(([from, to]) => Object.entries(to).map((arrow) => [from, ...arrow] as const)))(
    'goes from %s by %s to %s',
    (from, event, to) => {
      const next = step(at(record(from as Status)), event, OUTCOMES[event]);
      expect(statusOf(next)).toBe(to);
      expect(recordOf(next).status).toBe(to);
    },
  );

  it('carries the contract from the first attempt to the merge', () => {
    const events = ['code_written', 'local_pass', 'review_started', 'judge_complete', 'pass'];
    const seen = [at(aRecord())];
    for (const event of events) seen.push(step(seen.at(-1) ?? at(aRecord()), event, OUTCOMES[event]));
    expect(seen.map(statusOf)).toEqual([...WORKING, 'merged']);
    expect(recordOf(seen.at(-1) ?? at(aRecord())).history.map(({ event }) => event)).toEqual(events);
  });

  it('reaches every status, each by the shortest story', () => {
    const start = at(aRecord());
    const paths = new Map<unknown, readonly string[]>([[statusOf(start), []]]);
    const queue = [start];
    for (let now = queue.shift(); now !== undefined; now = queue.shift()) {
      const trail = paths.get(statusOf(now)) ?? [];
      const nexts = WORKING.some((status) => status === statusOf(now))
        ? Object.entries(OUTCOMES)
            .filter(([event]) => event !== 'pass' || statusOf(now) === 'review_complete')
            .map(([event, facts]) => [event, step(now, event, facts)] as const)
        : [['abandon', choose(now, { to: 'abandoned' })] as const];
      for (const [event, next] of nexts) {
        if (paths.has(statusOf(next))) continue;
        paths.set(statusOf(next), [...trail, event]);
        queue.push(next);
      }
    }
    expect([...paths.keys()].map(String).toSorted()).toEqual([...STATUSES].toSorted());
    expect(paths.get('merged')).toEqual(['code_written', 'local_pass', 'review_started', 'judge_complete', 'pass']);
    expect(paths.get('abandoned')).toEqual(['fault', 'abandon']);
  });

  it('gives the next station the record with what the last one found out', () => {
    const [next, effects] = transition(
      lineMachine,
      at(aRecord()),
      doneWith(at(aRecord()), aStep('code_written', OUTCOMES['code_written'])),
    );
    expect(recordOf(next).change).toEqual(aChange());
    expect(effects.map(({ type }) => type)).toContain('xstate.spawnChild');
  });
});

describe('a trip', () => {
  const TRIPS: Readonly<Record<string, Facts>> = {
    fault: { fault: 'the disk is full' },
    budget: { budget: 'the reserve does not fit' },
    contract_tampered: { tampered: { found: 'a', expected: 'b', edited: 'c' } },
  };

  it.each(WORKING)('comes before every other way on from %s, but for a merge that the target holds', (status) => {
    for (const [event, facts] of Object.entries(OUTCOMES).filter(([outcome]) => outcome !== 'pass')) {
      for (const [breaker, trip] of Object.entries(TRIPS)) {
        const next = step(at(record(status)), event, { ...facts, ...trip });
        expect(statusOf(next), `${event} with ${breaker}`).toBe('erik_consultation');
        expect(recordOf(next).halt?.statusBefore).toBe(status);
      }
    }
  });

  it.each(WORKING)('is none at %s once the target holds the merge, whatever else is so', (status) => {
    for (const trip of Object.values(TRIPS)) {
      const next = step(at(record(status)), 'pass', { ...OUTCOMES['pass'], ...trip });
      expect(statusOf(next)).toBe('merged');
      expect(recordOf(next).halt).toBeUndefined();
    }
  });

  it('ends the station that was at work', () => {
    const before = at(record('review_in_progress'));
    const [, effects] = transition(lineMachine, before, {
      type: 'HALT',
      step: aStep('tampered', TRIPS['contract_tampered']),
    });
    expect(effects.map(({ type }) => type)).toContain('xstate.stopChild');
  });

  it('blames the first breaker of the order and lists the others', () => {
    const halted = step(at(aRecord()), 'fault', { ...TRIPS['fault'], ...TRIPS['budget'] });
    expect(recordOf(halted).halt?.trip.breaker).toBe('fault');
    expect(recordOf(halted).halt?.also.map(({ breaker }) => breaker)).toEqual(['budget']);
    expect(recordOf(halted).halt?.paths).toHaveLength(2);
  });

  it('is bound to the tree of the change that caused it', () => {
    const halted = step(at(aRecord()), 'code_written', { change: aChange({ added: 9999 }) });
    expect(recordOf(halted).halt).toMatchObject({ trip: { breaker: 'destructive_action' }, tree: aChange().tree });
  });
});

describe('HALT from outside', () => {
  const HALT: Given = {
    type: 'HALT',
    step: aStep('tampered', { tampered: { found: 'a', expected: 'b', edited: 'c' } }),
  };

  it.each(WORKING)('stops the line at %s', (status) => {
    const [next] = transition(lineMachine, at(record(status)), HALT);
    expect(statusOf(next)).toBe('erik_consultation');
    expect(recordOf(next).halt?.trip.breaker).toBe('contract_tampered');
  });

  it.each([...WORKING, 'erik_consultation'] as const)('ends the task at %s when it brings the merge', (status) => {
    const before = at(status === 'erik_consultation' ? HALTED : record(status));
    const [next] = transition(lineMachine, before, { type: 'HALT', step: aStep('pass', OUTCOMES['pass']) });
    expect(statusOf(next)).toBe('merged');
    expect(recordOf(next).halt).toBeUndefined();
  });

  it.each(['erik_consultation', ...TERMINAL] as const)('changes nothing at %s', (status) => {
    const before = at(status === 'erik_consultation' ? HALTED : record(status));
    const [next] = transition(lineMachine, before, HALT);
    expect(statusOf(next)).toBe(status);
    expect(recordOf(next)).toBe(recordOf(before));
  });
});

describe('RESUME', () => {
  it.each(STATUSES.filter((status) => status !== 'merged' && status !== 'erik_consultation'))(
    'goes to %s when the chosen path says so',
    (to) => {
      const next = choose(at(HALTED), { to });
      expect(statusOf(next)).toBe(to);
      expect(recordOf(next)).toMatchObject({ status: to, halt: undefined });
    },
  );

  it.each(['merged', 'erik_consultation'] as const)('never goes straight to %s', (to) => {
    expect(statusOf(choose(at(HALTED), { to }))).toBe('erik_consultation');
  });

  it.each([...WORKING, ...TERMINAL])('means nothing at %s, where nobody halted', (status) => {
    const before = at(record(status));
    const next = choose(before, { to: 'pending_implementer' });
    expect(statusOf(next)).toBe(status);
    expect(recordOf(next)).toBe(recordOf(before));
  });

  it('raises one limit by what was shown, and resets no counter', () => {
    const halted = { ...HALTED, reviewCycles: 6, rebuttals: 3 };
    const next = recordOf(choose(at(halted), { to: 'pending_implementer', reviewCycles: 2 }));
    expect(next.grants.reviewCycles).toBe(2);
    expect(next).toMatchObject({ reviewCycles: 6, rebuttals: 3 });
  });
});

describe('whatever happens', () => {
  it('the machine stands where its record says, and a terminal status stays', () => {
    const outcome = fc.constantFrom(...Object.keys(OUTCOMES));
    const to = fc.constantFrom(...STATUSES);
    const move = fc.oneof(
      { weight: 5, arbitrary: outcome.map((event) => ({ do: 'step' as const, event })) },
      { weight: 1, arbitrary: to.map((status) => ({ do: 'choose' as const, status })) },
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        let now = at(aRecord());
        for (const one of moves) {
          const before = statusOf(now);
          now = one.do === 'step' ? step(now, one.event, OUTCOMES[one.event]) : choose(now, { to: one.status });
          expect(now.status).toBe('active');
          expect(statusOf(now)).toBe(recordOf(now).status);
          expect(recordOf(now).halt !== undefined).toBe(statusOf(now) === 'erik_consultation');
          if (before === 'merged' || before === 'abandoned') expect(statusOf(now)).toBe(before);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a FAIL is never merged by an outcome of the judge alone', () => {
    const failed = at(aJudgedRecord({ report: aReport({ verdict: 'FAIL', blocking: [aFinding()] }) }));
    for (const event of Object.keys(OUTCOMES).filter((name) => name !== 'pass'))
      expect(statusOf(step(failed, event, OUTCOMES[event]))).not.toBe('merged');
  });
});
