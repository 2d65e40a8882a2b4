import { computeStallLimit } from '../../../src/line/breakers/stalled.ts';
import type { Facts as Found } from '../../../src/line/record/facts.ts';
import type { TaskRecord } from '../../../src/line/record/task-record.ts';
import type { StepEvent } from '../../../src/line/record/step-event.ts';
import { STATUSES, VERDICTS, type StationId, type Status } from '../../../src/base/names.ts';
import { classifyFinding } from '../../../src/line/stations/classify-finding.ts';
import { foldEntry } from '../../../src/line/core/fold-journal.ts';
import { createMoveEntry, takeStep, listTrips } from '../../../src/line/core/step.ts';
import { readReport } from '../../../src/line/stations/read-judge-report.ts';
import {
  aChange,
  aChoice,
  aFinding,
  aGateRun,
  aJudgedRecord,
  aRecord,
  aReport,
  aReview,
  aStep,
  moved,
} from '../../support/records.ts';
import { simulatedClock } from '../../support/simulated-clock.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';
import { numberOf, runShape, textsOf, type Shape } from '../shapes.ts';
import { deletion, insistence, removal, rounds, scenario } from './breakers-line.ts';
import { LEDGER, afterCalls, contractOf } from './tasks-of-rows.ts';
import { createCallFailureOutcome } from '../../../src/line/calls/call-agent.ts';
import { watchSilence } from '../../../src/sandbox/processes/watch-silence.ts';

const MINUTE = 60_000;

/** The figures of a row, brought about by the outcomes of stations, never set by hand; and whether the line halts. */
export const breakers: Runner = ({ input }) => runShape(SHAPES, input);

const SHAPES: readonly Shape[] = [
  { known: 'rebuttal_count', fields: ['rebuttal_count', 'max_rebuttals', 'complexity', ...LEDGER], run: rebuttals },
  deletion,
  { known: 'local_review', fields: ['local_review', 'judge_verdict'], run: contradiction },
  { known: 'current_hash', fields: ['current_hash', 'history'], run: comeback },
  {
    known: 'reports',
    fields: ['reports', 'verdicts', 'review_cycle_count', 'max_review_cycles', 'complexity'],
    run: judgedRounds,
  },
  {
    known: 'status',
    fields: ['status', 'minutes_in_status', 'timeout_minutes', 'wall_clock_jump_minutes', 'monotonic_minutes'],
    run: silence,
  },
  { known: 'review_cycle_count', fields: ['review_cycle_count', 'max_review_cycles', 'complexity'], run: cycles },
  insistence,
  scenario,
  removal,
  rounds('current_text'),
  rounds('current'),
  { known: 'cost_usd', fields: LEDGER, run: bill },
  { known: 'tokens_used', fields: LEDGER, run: bill },
];

/** What a step's outcome does to the line: the breaker that trips, and the record after it. */
function after(record: TaskRecord, event: StepEvent, facts: Found, to: Status): { record: TaskRecord; answer: Facts } {
  const step = aStep(event, facts);
  const trips = listTrips(record, step);
  const answer = { halt: trips.length > 0, breaker: trips[0]?.breaker ?? null };
  return { record: takeStep(record, step, to), answer };
}

const QUIET: Facts = { halt: false, breaker: null };

function rebuttals(input: Facts): Facts {
  let record = afterCalls(
    aJudgedRecord({ contract: contractOf(input), report: aReport({ verdict: 'FAIL', blocking: [aFinding()] }) }),
    input,
  );
  let answer = QUIET;
  for (let count = 0; count < numberOf(input, 'rebuttal_count'); count += 1)
    ({ record, answer } = after(
      record,
      'fail_disagree',
      { rebuttal: [{ why: 'the file is there' }] },
      'review_complete',
    ));
  return answer;
}

/** A change that is written when the calls of the task have cost so much. */
function bill(input: Facts): Facts {
  return written(afterCalls(aRecord({ contract: contractOf(input) }), input), 'tree', 1).answer;
}

function contradiction(input: Facts): Facts {
  const { local_review: review, judge_verdict: said } = input;
  const verdict = VERDICTS.find((known) => known === said);
  if (!isFacts(review) || verdict === undefined) throw new Error('the row names no review or no known verdict');
  const unknown = Object.keys(review).filter((key) => !['passed', 'critical', 'issues', 'flags'].includes(key));
  if (unknown.length > 0) throw new Error(`the runner does not know ${unknown.join(', ')} of a local review`);
  const critical = review['critical'] === true || textsOf(review, 'flags').includes('CRITICAL_SECURITY_FLAW');
  const findings = textsOf(review, 'issues').map((description) => aFinding({ source: 'local', description }));
  const local = aReview({ verdict: review['passed'] === false || critical ? 'FAIL' : 'PASS', critical, findings });
  const record = aJudgedRecord({ status: 'review_in_progress', report: undefined, review: local });
  const report = aReport({ verdict, ...(verdict === 'PASS' ? {} : { blocking: [aFinding()] }) });
  return after(record, 'judge_complete', { report }, 'review_complete').answer;
}

/** Trees, each judged as a row says, and at last the current one. */
function comeback(input: Facts): Facts {
  const history = input['history'];
  if (!Array.isArray(history)) throw new Error('history must be a list');
  let record = aRecord();
  for (const [at, round] of history.entries()) {
    if (!isFacts(round)) throw new Error('a round of the history is no object');
    record = judgedAs(written(record, String(round['file_hash']), at + 1).record, String(round['verdict']));
  }
  return written(record, String(input['current_hash']), history.length + 1).answer;
}

const written = (record: TaskRecord, tree: string, attempt: number): ReturnType<typeof after> =>
  after(record, 'code_written', { change: aChange({ tree, attempt }), gates: aGateRun() }, 'pending_local_review');

function judgedAs(record: TaskRecord, verdict: string): TaskRecord {
  const known = VERDICTS.find((one) => one === verdict);
  if (known === undefined) throw new Error(`no verdict is called ${verdict}`);
  const report = aReport({ tree: record.change?.tree ?? '', verdict: known });
  const judged = aStep('judge_complete', { report });
  if (known === 'PASS') return takeStep(record, judged, 'review_complete');
  if (known !== 'CRITICAL_HALT') {
    const complete = takeStep(record, judged, 'review_complete');
    return takeStep(
      complete,
      aStep('fail_agree', { feedback: [{ from: 'judge', text: 'no' }] }),
      'pending_implementer',
    );
  }
  const halted = foldEntry(record, createMoveEntry(record, judged, 'erik_consultation')) ?? record;
  if (halted.halt === undefined) throw new Error('the judge did not halt the line');
  const choice = aChoice(halted.halt);
  return foldEntry(halted, moved('resume', halted.status, choice.effect.to, { choice })) ?? halted;
}

/** Rounds in which the judge reports what a row names; rounds that a row only counts went back from the local review. */
function judgedRounds(input: Facts): Facts {
  const { reports, verdicts = [] } = input;
  let record = aRecord({ contract: contractOf(input) });
  if (!Array.isArray(reports)) {
    record = written(record, 'tree', 1).record;
    const read = readReport(reports, record, {
      bound: 'by name',
      weigh: () => ({ line: 1, found: true, proves: true, why: '' }),
    });
    if (read.ok) throw new Error('this report is readable');
    return after(record, 'report_unreadable', { judgeUnreadable: read.why }, 'pending_judge_review').answer;
  }
  if (!Array.isArray(verdicts)) throw new Error('verdicts must be a list');
  const earlier = numberOf(input, 'review_cycle_count', reports.length) - reports.length;
  for (let at = 1; at <= earlier; at += 1) record = sentBack(record, 'local_fail', at);
  let answer = QUIET;
  for (const [at, descriptions] of reports.entries()) {
    const attempt = Math.max(0, earlier) + at + 1;
    record = written(record, `tree ${attempt}`, attempt).record;
    const report = reportOf(record, textsOf({ descriptions }, 'descriptions'), String(verdicts[at] ?? 'FAIL'));
    ({ record, answer } = after(record, 'judge_complete', { report }, 'review_complete'));
    record = takeStep(
      record,
      aStep('fail_agree', { feedback: [{ from: 'judge', text: 'no' }] }),
      'pending_implementer',
    );
  }
  return answer;
}

/** A report as the judge's station reads it, its findings weighed as the line weighs them. */
function reportOf(record: TaskRecord, descriptions: readonly string[], verdict: string): NonNullable<Found['report']> {
  const issues = descriptions.map((description) => ({ severity: 'high', category: '', description, file: '' }));
  const value = { task_id: record.taskId, verdict, summary: '', blocking_issues: issues, evidence: [] };
  const read = readReport(value, record, {
    bound: 'by claim',
    weigh: () => ({ line: 1, found: true, proves: true, why: '' }),
  });
  if (!read.ok) throw new Error(`the row makes no readable report: ${read.why}`);
  const around = { others: [], forbiddenPaths: [] };
  return {
    ...read.value,
    blocking: read.value.blocking.map((one) => ({ ...one, weight: classifyFinding(one, around) })),
  };
}

function cycles(input: Facts): Facts {
  let record = aRecord({ contract: contractOf(input) });
  const count = numberOf(input, 'review_cycle_count');
  if (count === 0) return QUIET;
  for (let at = 1; at < count; at += 1) record = sentBack(record, 'fail_agree', at);
  const last = written(record, `tree ${count}`, count).record;
  return after(last, 'fail_agree', { feedback: [{ from: 'judge', text: 'no' }] }, 'pending_implementer').answer;
}

function sentBack(record: TaskRecord, event: 'local_fail' | 'fail_agree', attempt: number): TaskRecord {
  const from = event === 'local_fail' ? 'reviewer' : 'judge';
  const ready = written(record, `tree ${attempt}`, attempt).record;
  return takeStep(ready, aStep(event, { feedback: [{ from, text: 'no' }] }), 'pending_implementer');
}

/** Who works at a status, also by the names of 2.0; at the others there is nobody who could fall silent. */
const WORKERS: Readonly<Record<string, StationId | undefined>> = {
  pending_implementer: 'implementer',
  implementation_in_progress: 'implementer',
  pending_local_review: 'local-reviewer',
  review_in_progress: 'judge',
  judge_review_in_progress: 'judge',
};

/** A worker who shows nothing, on a simulated clock; and what the line makes of it. */
async function silence(input: Facts): Promise<Facts> {
  const status = String(input['status']);
  const station = WORKERS[status];
  if (station === undefined && !STATUSES.some((known) => known === status))
    throw new Error(`no status is called ${status}`);
  const awake = numberOf(input, 'monotonic_minutes', numberOf(input, 'minutes_in_status', 0)) * MINUTE;
  if (station === undefined) return QUIET;
  const record = aRecord({ contract: contractOf(input) });
  const clock = simulatedClock();
  let stalled = false;
  const limit = computeStallLimit(record, station) * MINUTE;
  const watch = watchSilence(
    clock,
    limit,
    () => Promise.resolve(undefined),
    () => (stalled = true),
  );
  clock.jump(numberOf(input, 'wall_clock_jump_minutes', 0) * MINUTE);
  await clock.advance(awake);
  watch.stop();
  if (!stalled) return QUIET;
  const usage = { tokensIn: null, tokensOut: null, usd: null, ms: awake, exit: null };
  const { event, facts } = createCallFailureOutcome(station, {
    by: 'agent',
    failure: { kind: 'stall', detail: 'silent', ...usage },
  });
  return after(record, event, facts, 'pending_implementer').answer;
}
