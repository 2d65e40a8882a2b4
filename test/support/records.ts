import type { Change, GateResult, GateRun } from '../../src/line/record/change.ts';
import type { ChangedFile } from '../../src/base/changed-file.ts';
import type { Finding } from '../../src/rules/model/finding.ts';
import type { Admitted, Called, JournalEntry, Moved, Started } from '../../src/line/record/journal-entry.ts';
import type { Facts } from '../../src/line/record/facts.ts';
import type { TaskRecord } from '../../src/line/record/task-record.ts';
import type { Status } from '../../src/base/names.ts';
import { type JudgeReport, type LocalReview } from '../../src/line/record/review.ts';
import type { StepEvent } from '../../src/line/record/step-event.ts';
import type { TaskContract } from '../../src/project/contract/task-contract.ts';
import { parseContract } from '../../src/project/contract/task-contract-schema.ts';
import type { Halt, Path } from '../../src/line/record/trip.ts';
import type { Breaker } from '../../src/line/breakers/breaker.ts';
import { foldJournal } from '../../src/line/core/fold-journal.ts';
import type { StepResult } from '../../src/line/core/step.ts';

/** The moment at which everything happens, unless a test says otherwise. */
export const AT = '2026-01-16T12:00:00.000Z';
export const BASE = 'b'.repeat(40);
export const COMMIT = 'c'.repeat(40);
export const TREE = 'd'.repeat(40);
export const DIGEST = 'e'.repeat(64);

/** A contract as a user writes it: the smallest that is accepted, with the parts that most tests ask for. */
export const DOCUMENT: Readonly<Record<string, unknown>> = {
  schema_version: '1.0',
  task_id: 'DOC-001',
  project: 'Project-A',
  roles: { implementer: 'qwen2.5-coder', local_reviewer: 'deepseek-r1', judge: 'claude-code-cli' },
  constraints: { allowed_paths: ['docs/'], forbidden_paths: ['docs/secret/'] },
  specification: {
    source_files: [{ path: 'docs/auth.md', hash: '' }],
    target_file: 'docs/guide.md',
    requirements: ['Merge the two guides'],
  },
};

/** A contract in andon's own shape, read from the document above. */
export function aContract(changes: Partial<TaskContract> = {}): TaskContract {
  const parsed = parseContract(JSON.stringify(DOCUMENT));
  if (!parsed.ok) throw new Error(`the contract of the tests is not valid: ${JSON.stringify(parsed.why)}`);
  return { ...parsed.value.contract, ...changes };
}

/** A contract with other limits. */
export function withLimits(limits: Partial<TaskContract['limits']>): TaskContract {
  const contract = aContract();
  return { ...contract, limits: { ...contract.limits, ...limits } };
}

/** A contract with other constraints. */
export function withConstraints(constraints: Partial<TaskContract['constraints']>): TaskContract {
  const contract = aContract();
  return { ...contract, constraints: { ...contract.constraints, ...constraints } };
}

/** A task that was just admitted: nothing has happened to it. */
export function aRecord(changes: Changes = {}): TaskRecord {
  const record = foldJournal([admitted()]);
  if (record === undefined) throw new Error('an admitted contract opens a record');
  return { ...record, ...changes };
}

/** What a test changes of a record. */
export type Changes = Partial<TaskRecord>;

/** A task with a change that stands at the floor manager's desk: gated, reviewed and judged. */
export function aJudgedRecord(changes: Changes = {}): TaskRecord {
  return aRecord({
    status: 'review_complete',
    attempt: 1,
    change: aChange(),
    gates: aGateRun(),
    review: aReview(),
    report: aReport(),
    ...changes,
  });
}

/** A small, healthy change of one file. */
export function aChange(changes: Partial<Change> = {}): Change {
  return {
    attempt: 1,
    commit: COMMIT,
    tree: TREE,
    base: BASE,
    files: [aFile()],
    added: 10,
    deleted: 0,
    lost: 0,
    projectLines: null,
    notes: 'merged both guides',
    ...changes,
  };
}

export const aFile = (changes: Partial<ChangedFile> = {}): ChangedFile => ({
  path: 'docs/guide.md',
  status: 'added',
  oldMode: '000000',
  newMode: '100644',
  added: 10,
  deleted: 0,
  ...changes,
});

export const aGate = (changes: Partial<GateResult> = {}): GateResult => ({
  name: 'tests',
  run: 'npm test',
  outcome: 'green',
  base: 'green',
  blocks: false,
  exit: 0,
  ms: 1200,
  output: '',
  ...changes,
});

export const aGateRun = (...results: readonly GateResult[]): GateRun => ({
  tree: TREE,
  cage: 'bubblewrap',
  results: results.length === 0 ? [aGate()] : [...results],
});

/** Something the judge found; blocking by itself. */
export const aFinding = (changes: Partial<Finding> = {}): Finding => ({
  source: 'judge',
  severity: 'high',
  category: 'correctness',
  file: 'docs/guide.md',
  line: 3,
  description: 'the second guide is missing',
  security: false,
  ...changes,
});

/** A local review without findings. */
export const aReview = (changes: Partial<LocalReview> = {}): LocalReview => ({
  tree: TREE,
  verdict: 'PASS',
  critical: false,
  findings: [],
  ...changes,
});

/** A PASS of the judge, proven by a line of the judged tree. */
export function aReport(changes: Partial<JudgeReport> = {}): JudgeReport {
  return {
    tree: TREE,
    commit: COMMIT,
    contractDigest: DIGEST,
    said: changes.verdict === undefined || changes.verdict === 'NEEDS_REVIEW' ? 'PASS' : changes.verdict,
    verdict: 'PASS',
    why: '',
    summary: 'Everything that was asked for is there.',
    blocking: [],
    fixes: [],
    suggestions: [],
    securityFlags: [],
    evidence: [{ file: 'docs/guide.md', line: 1, quote: '# Guide', found: true }],
    digest: 'f'.repeat(64),
    ...changes,
  };
}

/** The two paths of a breaker at a record that trips it. */
export function pathsOf(breaker: Breaker, record: TaskRecord): readonly [Path, Path] {
  const conflict = breaker.check(record);
  if (conflict === undefined) throw new Error('the record does not trip the breaker');
  return conflict.paths;
}

/** A halt by the rebuttal limit, with both ways on. */
export function aHalt(changes: Partial<Halt> = {}): Halt {
  return {
    id: 'DOC-001-7',
    trip: {
      breaker: 'rebuttal_limit',
      reason: '3 rebuttals, more than the 2 allowed',
      sides: [
        { who: 'floor manager', says: 'the file is there' },
        { who: 'judge', says: 'the file is missing' },
      ],
    },
    also: [],
    paths: [
      { title: 'Side with the floor manager', does: 'Merges.', effect: { to: 'review_complete', verdict: 'PASS' } },
      { title: 'Side with the judge', does: 'Fixes.', effect: { to: 'review_complete', verdict: 'FAIL' } },
    ],
    statusBefore: 'review_complete',
    tree: TREE,
    ...changes,
  };
}

/** The choice of one path of a halt. */
export const aChoice = ({ id, paths }: Halt, path: 1 | 2 = 1): NonNullable<Facts['choice']> => ({
  halt: id,
  path,
  by: 'erik',
  how: 'test',
  effect: (path === 1 ? paths[0] : paths[1]).effect,
});

/** What a run of a station gave back. */
export function aStep(event: StepEvent, facts: Facts = {}, noted: readonly JournalEntry[] = []): StepResult {
  return { at: AT, noted, event, reason: `because of ${event}`, facts };
}

/** The journal entry with which every task begins. */
export const admitted = (changes: Partial<Admitted> = {}): Admitted => ({
  kind: 'admitted',
  at: AT,
  document: { ...DOCUMENT },
  digest: DIGEST,
  target: 'refs/heads/main',
  base: BASE,
  notices: [],
  contract: aContract(),
  ...changes,
});

export const started = (changes: Partial<Started> = {}): Started => ({
  kind: 'started',
  at: AT,
  station: 'implementer',
  call: 1,
  agent: 'ollama',
  model: 'qwen2.5-coder',
  prompt: DIGEST,
  idleMinutes: 10,
  hardMinutes: 60,
  reserveUsd: null,
  ...changes,
});

export const called = (changes: Partial<Called> = {}): Called => ({
  kind: 'called',
  at: AT,
  station: 'implementer',
  call: 1,
  agent: 'ollama',
  model: 'qwen2.5-coder',
  ok: true,
  tokensIn: 100,
  tokensOut: 20,
  usd: 0,
  ms: 60_000,
  exit: 0,
  ...changes,
});

export const moved = (event: StepEvent, from: Status, to: Status, facts: Facts = {}): Moved => ({
  kind: 'moved',
  at: AT,
  event,
  from,
  to,
  reason: `because of ${event}`,
  facts,
});
