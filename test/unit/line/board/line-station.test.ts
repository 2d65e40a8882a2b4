import { expect, it } from 'vitest';
import { findLineStation } from '../../../../src/line/board/line-station.ts';
import { foldJournal } from '../../../../src/line/core/fold-journal.ts';
import type { JournalEntry } from '../../../../src/line/record/journal-entry.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { aChange, aHalt, admitted, called, moved, started } from '../../../support/records.ts';

const WRITTEN = moved('code_written', 'pending_implementer', 'pending_local_review', { change: aChange() });
const at = (entries: readonly JournalEntry[], isWorking = true): string | null =>
  findLineStation(foldJournal([admitted(), ...entries]) as TaskRecord, isWorking);

it('puts a task at its writer, at the gates between two calls, and at its reviewer', () => {
  expect(at([started()])).toBe('writing');
  expect(at([started(), called()])).toBe('gates');
  expect(at([started(), called()], false)).toBe('writing');
  expect(at([started(), called(), WRITTEN])).toBe('gates');
  expect(at([started(), called(), WRITTEN, started({ call: 2, station: 'local-reviewer' })])).toBe('review');
});

it('leaves a halted task where it halted, and an abandoned one nowhere', () => {
  const halt = aHalt({ statusBefore: 'pending_judge_review' });
  expect(at([moved('judge_complete', 'pending_judge_review', 'erik_consultation', { halt })], false)).toBe('judge');
  expect(at([moved('abandon', 'erik_consultation', 'abandoned')], false)).toBeNull();
});
