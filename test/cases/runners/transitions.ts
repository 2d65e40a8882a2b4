import { initialTransition, transition } from 'xstate';
import type { Facts as Found } from '../../../src/line/record/facts.ts';
import type { TaskRecord } from '../../../src/line/record/task-record.ts';
import type { StepEvent } from '../../../src/line/record/step-event.ts';
import { STATUSES, type Status } from '../../../src/base/names.ts';
import { renderContract } from '../../../src/line/words/contract-document.ts';
import { lineMachine } from '../../../src/line/core/machine.ts';
import {
  AT,
  aChange,
  aChoice,
  aFinding,
  aGateRun,
  aJudgedRecord,
  aRecord,
  aReport,
  aReview,
  aStep,
} from '../../support/records.ts';
import type { Facts, Runner } from '../run-cases.ts';

type Snapshot = ReturnType<typeof initialTransition<typeof lineMachine>>[0];
type Sent = Parameters<typeof transition<typeof lineMachine>>[2];

/** One event at one status of the machine: where it leads, or that it means nothing there. */
export const transitions: Runner = ({ input }) => {
  const { status, event, last_transition_id: repeated } = input;
  if (typeof status !== 'string' || typeof event !== 'string') throw new Error('the row names no status or no event');
  if (event === 'resume') return resume(String(input['decision']));
  if (repeated !== undefined) return twice(event, status);
  const before = at(recordAt(status, event));
  return change(before, send(before, event));
};

/** Names of the older revision and of 2.0 for what the machine calls otherwise (line.md §2). */
const STATUS_NAMES: Readonly<Record<string, Status>> = {
  judge_review_in_progress: 'review_in_progress',
  pending_rebuttal: 'review_complete',
};
const REBUTTAL = 'the file is there';
const FEEDBACK: NonNullable<Found['feedback']> = [{ from: 'judge', text: 'no' }];

function statusNamed(name: string): Status {
  const status = STATUS_NAMES[name] ?? STATUSES.find((known) => known === name);
  if (status === undefined) throw new Error(`the machine has no status ${name}`);
  return status;
}

function recordAt(name: string, event: string): TaskRecord {
  // A critical halt is what the judge's own outcome says, before anybody decides on its report.
  const status = event === 'critical_halt' ? 'review_in_progress' : statusNamed(name);
  if (event === 'fail_disagree' || event === 'fail_agree') return aJudgedRecord({ status, report: failing() });
  if (status === 'pending_implementer') return aRecord();
  if (event !== 'rebuttal_limit_exceeded') return aJudgedRecord({ status });
  return aJudgedRecord({ status, rebuttals: aRecord().contract.limits.maxRebuttals, report: failing() });
}

const failing = () => aReport({ verdict: 'FAIL', said: 'FAIL', blocking: [aFinding()] });

/** The outcome that a row's event stands for: of which status its station is, and the facts that belong to it. */
const OUTCOMES: Readonly<Record<string, readonly [of: Status, event: StepEvent, facts: Found]>> = {
  code_written: ['pending_implementer', 'code_written', { change: aChange(), gates: aGateRun() }],
  local_pass: ['pending_local_review', 'local_pass', { review: aReview() }],
  local_fail: ['pending_local_review', 'local_fail', { review: aReview({ verdict: 'FAIL' }), feedback: FEEDBACK }],
  lock_acquired: ['pending_judge_review', 'review_started', {}],
  review_started: ['pending_judge_review', 'review_started', {}],
  judge_complete: ['review_in_progress', 'judge_complete', { report: aReport() }],
  critical_halt: ['review_in_progress', 'judge_complete', { report: aReport({ verdict: 'CRITICAL_HALT' }) }],
  pass: ['review_complete', 'pass', { merge: { commit: 'c', tip: 't', target: 'refs/heads/main' } }],
  fail_agree: ['review_complete', 'fail_agree', { feedback: FEEDBACK }],
  conditional: ['review_complete', 'fail_agree', { feedback: FEEDBACK }],
  fail_disagree: ['review_complete', 'fail_disagree', { rebuttal: [{ why: REBUTTAL }] }],
  rebuttal_accepted: ['review_complete', 'fail_disagree', { rebuttal: [{ why: REBUTTAL }] }],
  rebuttal_limit_exceeded: ['review_complete', 'fail_disagree', { rebuttal: [{ why: REBUTTAL }] }],
};

const at = (record: TaskRecord): Snapshot => initialTransition(lineMachine, { record })[0];

/** Sends what xstate sends when the station of a status has ended, or a halt from outside. */
function send(before: Snapshot, event: string): Snapshot {
  if (event === 'circuit_breaker_halt') {
    const tampered = { found: 'a', expected: 'b', edited: 'c' };
    return transition(lineMachine, before, { type: 'HALT', step: aStep('tampered', { tampered }) })[0];
  }
  const outcome = OUTCOMES[event];
  if (outcome === undefined) throw new Error(`no outcome of a station is called ${event}`);
  const [of, name, facts] = outcome;
  const done = { type: `xstate.done.actor.0.line.${of}`, output: aStep(name, facts) };
  return transition(lineMachine, before, done as unknown as Sent)[0];
}

/** The status that a contract shows then, in the spelling of 2.0, as the rows have it. */
function shownAs({ context: { record } }: Snapshot): unknown {
  const written = renderContract({ ...record, document: { ...record.document, schema_version: '2.0' } });
  return (JSON.parse(written) as Facts)['status'];
}

function change(before: Snapshot, after: Snapshot): Facts {
  const changed = after.value !== before.value || after.context.record !== before.context.record;
  return { status: shownAs(after), changed, ...(changed ? {} : { error: 'InvalidTransition' }) };
}

/** The outcome that led to a status, once more: a station that is heard twice. */
function twice(event: string, status: string): Facts {
  const before = send(at(aRecord()), event);
  if (before.value !== status) throw new Error(`${event} does not lead to ${status}`);
  return change(before, send(before, event));
}

/** A halt by the judge's own word, and the way out that does what the human decided. */
function resume(decision: string): Facts {
  const halted = transition(lineMachine, at(aJudgedRecord({ status: 'review_in_progress', report: undefined })), {
    type: 'xstate.done.actor.0.line.review_in_progress',
    output: aStep('judge_complete', { report: aReport({ verdict: 'CRITICAL_HALT', blocking: [aFinding()] }) }),
  } as unknown as Sent)[0];
  const { halt } = halted.context.record;
  const index = halt?.paths.findIndex(({ title }) => title.toLowerCase().includes(decision)) ?? -1;
  if (halt === undefined || index === -1) throw new Error(`no way out of a halt is called ${decision}`);
  const choice = aChoice(halt, index === 0 ? 1 : 2);
  return change(halted, transition(lineMachine, halted, { type: 'RESUME', at: AT, reason: decision, choice })[0]);
}
