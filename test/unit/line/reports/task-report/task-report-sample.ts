import type { JournalEntry } from '../../../../../src/line/record/journal-entry.ts';
import type { Facts } from '../../../../../src/line/record/facts.ts';
import type { StepEvent } from '../../../../../src/line/record/step-event.ts';
import type { Status } from '../../../../../src/base/names.ts';
import {
  viewTaskDetails,
  type ReportFacts,
  type TaskDetails,
} from '../../../../../src/line/reports/task-report/task-details.ts';
import { foldJournal } from '../../../../../src/line/core/fold-journal.ts';
import {
  COMMIT,
  aChange,
  aFinding,
  aGate,
  aGateRun,
  aHalt,
  aReport,
  aReview,
  admitted,
  called,
  moved,
  started,
} from '../../../../support/records.ts';
import { held } from '../../../../support/held.ts';

/** A moment so many seconds after the task was dropped. */
export const at = (seconds: number): string =>
  new Date(Date.parse('2026-01-16T12:00:00.000Z') + seconds * 1000).toISOString();
export const after = (seconds: number, entry: JournalEntry): JournalEntry => ({ ...entry, at: at(seconds) });
export const step = (seconds: number, event: StepEvent, from: Status, to: Status, facts: Facts = {}): JournalEntry =>
  after(seconds, moved(event, from, to, facts));

const red = aGateRun(aGate({ outcome: 'red', blocks: true, exit: 1, output: 'one failed' }));
export const undone = { kind: 'undone', at: at(900), commit: 'f'.repeat(40), by: 'erik' } as const;
export const merge = { commit: '9'.repeat(40), tip: '9'.repeat(40), target: 'refs/heads/main' };
export const choice = {
  halt: 'DOC-001-7',
  path: 1,
  by: 'erik',
  how: 'andon resume',
  effect: { to: 'review_complete', verdict: 'PASS' },
} as const;
const failing = aReport({
  verdict: 'FAIL',
  blocking: [
    aFinding({ weight: 'substantive', line: 3 }),
    aFinding({ weight: 'nit', line: 40, description: 'a name', category: 'style' }),
  ],
});

/** A red gate, a FAIL, a usage limit, a halt over night, a merge. */
export const EVENTFUL: readonly JournalEntry[] = [
  admitted(),
  after(1, started()),
  after(61, called()),
  step(70, 'gate_red', 'pending_implementer', 'pending_implementer', { change: aChange(), gates: red }),
  after(71, started({ call: 2 })),
  after(100, called({ call: 2 })),
  step(110, 'code_written', 'pending_implementer', 'pending_local_review', {
    change: aChange({ attempt: 2, commit: '2'.repeat(40) }),
    gates: aGateRun(),
  }),
  step(130, 'local_pass', 'pending_local_review', 'pending_judge_review', { review: aReview() }),
  step(130, 'review_started', 'pending_judge_review', 'review_in_progress'),
  after(131, started({ station: 'judge', call: 3 })),
  after(132, held({ call: 3 })),
  after(700, started({ station: 'judge', call: 4 })),
  after(701, held({ call: 4 })),
  after(1000, started({ station: 'judge', call: 5 })),
  after(1030, called({ station: 'judge', call: 5, agent: 'claude', model: 'sonnet', usd: 0.5, ms: 30_000 })),
  step(1031, 'judge_complete', 'review_in_progress', 'review_complete', { report: failing }),
  step(1032, 'fail_disagree', 'review_complete', 'pending_judge_review', { rebuttal: [{ why: 'it is there' }] }),
  step(1032, 'review_started', 'pending_judge_review', 'review_in_progress'),
  after(1033, started({ station: 'judge', call: 6 })),
  after(1063, called({ station: 'judge', call: 6, agent: 'claude', model: 'sonnet', usd: 0.5, ms: 30_000 })),
  step(1064, 'judge_complete', 'review_in_progress', 'erik_consultation', {
    halt: aHalt(),
    report: aReport({
      verdict: 'FAIL',
      blocking: [aFinding({ line: 42, description: 'the name', category: 'style' })],
    }),
  }),
  step(31_064, 'resume', 'erik_consultation', 'review_complete', { choice }),
  step(31_070, 'pass', 'review_complete', 'merged', { merge }),
];

export function detailsOf(entries: readonly JournalEntry[], now = at(40_000), isChainWhole = true): TaskDetails {
  const record = foldJournal(entries);
  if (record === undefined) throw new Error('the journal opens a record');
  return viewTaskDetails(record, entries, { now, refs: new Map([[COMMIT, 'refs/andon/DOC-001/1']]), isChainWhole });
}
export const reportOf = (...told: Parameters<typeof detailsOf>): ReportFacts => detailsOf(...told).report;
export const until = (event: string): readonly JournalEntry[] =>
  EVENTFUL.slice(
    0,
    EVENTFUL.findIndex((entry) => entry.kind === 'moved' && entry.event === event),
  );
