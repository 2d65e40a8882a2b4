import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import type { Facts } from '../../../../src/line/record/facts.ts';
import type { Status } from '../../../../src/base/names.ts';
import { foldJournal } from '../../../../src/line/core/fold-journal.ts';
import { aChange, aHalt, aReport, admitted, called, moved, started } from '../../../support/records.ts';

const WAITS = 'erik_consultation';
const JUDGING: readonly JournalEntry[] = [
  admitted(),
  moved('review_started', 'pending_judge_review', 'review_in_progress'),
  started({ station: 'judge', call: 3 }),
  called({ station: 'judge', call: 3, answer: 'f'.repeat(64) }),
];
const leftAfter = (...entries: readonly JournalEntry[]) => foldJournal([...JUDGING, ...entries])?.answered?.digest;
const halted = (facts: Facts): JournalEntry => moved('fault', 'review_in_progress', WAITS, { ...facts, halt: aHalt() });
const chosen = (to: Status, more: object = {}, facts: Facts = {}): JournalEntry =>
  moved('resume', WAITS, to, {
    ...facts,
    choice: { halt: 'DOC-001-1', path: 1, by: 'erik', how: 'cli', effect: { to, ...more } },
  });

describe('an answer that was received', () => {
  it('is there until a step has taken it in', () => {
    expect(leftAfter()).toBe('f'.repeat(64));
    expect(leftAfter(moved('judge_complete', 'review_in_progress', 'review_complete', { report: aReport() }))).toBe(
      undefined,
    );
    expect(leftAfter(started({ station: 'judge', call: 4 }))).toBe(undefined);
    expect(
      leftAfter(moved('report_unreadable', 'review_in_progress', 'pending_judge_review', { judgeUnreadable: 'x' })),
    ).toBe(undefined);
  });

  it('outlives every question about it to a judge of rules, answered, failed or cut off', () => {
    const asks = started({ station: 'local-reviewer', call: 4, lane: 2 });
    const said = called({ station: 'local-reviewer', call: 4, lane: 2 });
    expect(leftAfter(asks)).toBeDefined();
    expect(leftAfter(asks, said)).toBeDefined();
    expect(leftAfter(asks, { ...said, ok: false })).toBeDefined();
    const cut = { kind: 'interrupted', at: said.at, station: 'local-reviewer', call: 4, usd: 0 } as const;
    expect(leftAfter(asks, cut)).toBeDefined();
  });

  it.each<[string, Facts]>([
    ["andon's own failure", { fault: 'git died' }],
    ['the cord', { cord: { by: 'erik', reason: '' } }],
    ['an edited file', { tampered: { found: 'a', expected: 'b', edited: '' } }],
  ])('outlives a halt by %s and the choice to go on as before', (_, facts) => {
    expect(leftAfter(halted(facts))).toBeDefined();
    expect(leftAfter(halted(facts), chosen('review_in_progress', { onlyGates: false }))).toBeDefined();
  });

  it.each<[string, JournalEntry]>([
    ['goes on somewhere else', chosen('pending_implementer')],
    ['takes the edited contract', chosen('review_in_progress', { contract: 'edited' })],
    ['says something to the implementer', chosen('review_in_progress', { say: 'shorter' })],
    ['brings a change of his own', chosen('review_in_progress', {}, { change: aChange() })],
  ])('is not taken when a human %s', (_, entry) => {
    expect(leftAfter(halted({ cord: { by: 'erik', reason: '' } }), entry)).toBe(undefined);
  });

  it('over which andon has failed a second time is given up, so that trying again can end differently', () => {
    const once = [halted({ fault: 'git died' }), chosen('review_in_progress')];
    expect(leftAfter(...once, halted({ fault: 'git died again' }))).toBe(undefined);
  });

  it('of a judge who was only tried is used up by what is noted of it', () => {
    const noted: JournalEntry = {
      kind: 'canary',
      at: '2026-01-16T12:00:00.000Z',
      call: 3,
      flaw: 'broken logic',
      verdict: 'FAIL',
      missed: false,
    };
    expect(leftAfter(noted)).toBe(undefined);
  });
});
