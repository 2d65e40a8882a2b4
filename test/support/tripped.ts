import type { Breaker } from '../../src/line/breakers/breaker.ts';
import { breakers } from '../../src/line/breakers/index.ts';
import type { Weakening } from '../../src/rules/model/weakening.ts';
import type { JudgeReport } from '../../src/line/record/review.ts';
import type { TaskRecord } from '../../src/line/record/task-record.ts';
import type { BreakerId, Path } from '../../src/line/record/trip.ts';
import { TREE, aChange, aFinding, aReport, aReview, pathsOf } from './records.ts';

const STRIKE = { station: 'implementer', kind: 'crash', why: 'exit 1' } as const;
const COUNTS = { tests: 3, assertions: 3, skipped: 0 };
const WEAKENING: Weakening = { kind: 'tests_lost', what: 'tests 3 -> 2', files: ['test/add.test.js'], mark: 'm1' };
const RULED = {
  rule: 'no-todo',
  title: 'No TODO',
  priority: 'P0',
  handler: 'TERMINATE',
  hard: false,
  does: 'stop',
  message: 'TODO is not allowed',
  file: 'docs/a.md',
  line: 3,
  fingerprint: 'f1',
} as const;
const TASTE = aReport({
  verdict: 'FAIL',
  said: 'FAIL',
  blocking: [aFinding({ weight: 'nit' }), aFinding({ weight: 'nit' })],
});

const reported = (report: JudgeReport): Partial<TaskRecord> => ({
  report,
  lastFacts: { report },
});

/** What makes each breaker trip. */
const TRIPPING: Readonly<Record<BreakerId, Partial<TaskRecord>>> = {
  contract_tampered: { lastFacts: { tampered: { found: 'a', expected: 'b', edited: 'c' } } },
  fault: { lastFacts: { fault: 'the disk is full' } },
  judge_halt: reported(aReport({ verdict: 'CRITICAL_HALT', blocking: [aFinding()] })),
  rule_violation: {
    lastFacts: {
      rulings: [{ moment: 'change', phase: 'IMPLEMENTATION', score: 0, found: [RULED], unchecked: [] }],
    },
  },
  scope: { scopeRefusals: 9, lastFacts: { scopeRefused: ['src/x.ts'] } },
  weakened_gate: {
    timesWeakened: 2,
    lastFacts: {
      weakeningReport: { tree: TREE, weakenings: [WEAKENING], notes: [], before: COUNTS, after: COUNTS },
    },
  },
  destructive_action: { change: aChange({ added: 9999 }) },
  paradox: { review: aReview({ critical: true }), report: aReport() },
  hallucination_loop: {
    refusedAnswers: 99,
    lastFacts: { strike: { ...STRIKE, kind: 'refused', wants: 'rejected attempt' } },
  },
  rebuttal_limit: { rebuttals: 99, lastFacts: { rebuttal: [{ why: 'the file is there' }] } },
  gpt_energy: { ...reported(TASTE), rounds: [TASTE, TASTE] },
  review_cycle_limit: { reviewCycles: 99, lastFacts: { feedback: [{ from: 'gates', text: 'red' }] } },
  unreadable_report: { unreadableReports: 9, lastFacts: { judgeUnreadable: 'no JSON' } },
  stalled: { strikes: [STRIKE, STRIKE] },
  budget: { lastFacts: { budget: 'the reserve does not fit' } },
  merge_blocked: { lastFacts: { mergeBlocked: { reason: 'docs/guide.md conflicts' } } },
  base_red: {
    lastFacts: {
      baseRed: {
        gate: 'test',
        run: 'npm test',
        commit: 'e'.repeat(40),
        tree: TREE,
        outcome: 'red',
        exit: 1,
        output: 'not ok 1',
        key: 'k',
        also: [],
      },
    },
  },
  unavailable: { lastFacts: { unavailable: { station: 'judge', reason: 'the server is down' } } },
  cord: { lastFacts: { cord: { by: 'erik', reason: '' } } },
};

/** A record that trips this breaker: the given one, changed as little as that needs. */
export function trippedBy(id: BreakerId, record: TaskRecord): TaskRecord {
  if (find(id).check(record) !== undefined) return record;
  const tripping = TRIPPING[id];
  const tripped = { ...record, ...tripping, lastFacts: { ...tripping.lastFacts, ...record.lastFacts } };
  if (find(id).check(tripped) === undefined) throw new Error(`the record does not trip ${id}`);
  return tripped;
}

export const haltPaths = (id: BreakerId, record: TaskRecord): [Path, Path] => [
  ...pathsOf(find(id), trippedBy(id, record)),
];

function find(id: BreakerId): Breaker {
  const breaker = breakers.find((one) => one.id === id);
  if (breaker === undefined) throw new Error(`there is no breaker ${id}`);
  return breaker;
}
