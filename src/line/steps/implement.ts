import { isJudgedOutside } from '../core/find-outside-wait.ts';
import { computeStallLimit } from '../breakers/stalled.ts';
import { getNextImplementer } from '../record/implementers.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { toBranchName } from '../../base/names.ts';
import type { Agent } from '../../agents/agent.ts';
import { findEarlyGreen } from '../core/gate-verdict.ts';
import { success } from '../../base/outcome.ts';
import { briefEditor, briefImplementer } from '../stations/brief-implementer.ts';
import { checkBase, runGates, type CheckedBase } from '../gates/run-gates.ts';
import { callAgent, createCallFailureOutcome } from '../calls/call-agent.ts';
import { Stopped } from '../journal/stopped.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { prepareEditCopy } from '../../agents/calls/run-agent.ts';
import { selectImplementerFiles, readConventions } from '../calls/select-implementer-files.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';
import type { CallServices, GateServices, Needs, RuleServices } from '../services/services.ts';
import { commitChange, findBranchInUse, type NotCommitted } from '../git/commit-change.ts';
import { listInstructions } from './apply-rules.ts';
import { noteTold, listReminders } from './follow-hooks.ts';
import { ruleOnContract, ruleOnChange, ruleOnGates } from './rule-on-task.ts';
import { refuseAnswer, takeAnswer, takeEdited } from './take-answer.ts';
import { createFaultOutcome, takeStep } from '../core/step.ts';
import { checkBreakers } from '../breakers/index.ts';
import { formatDiffStat, listNonGreen, nameRedGates, type Change, type GateRun } from '../record/change.ts';
import type { Facts } from '../record/facts.ts';
import { describeRedGates } from '../words/describe-red-gates.ts';
import { takeSecondLook } from '../gates/take-second-look.ts';
import { checklistOfTask, reviewRecordsOf } from '../stations/message-checks.ts';
import { trackTodos } from '../../rules/guards/todo-tracker.ts';
import { measureGates, measureRuns, objectToWeakening, withCountedNotes } from '../gates/measure-gates.ts';

/** A change of nothing is no attempt. */
const NOTHING_LEFT =
  'With this answer every file is again as it was before the task: nothing would be left of the change. The requirements are not met by that.';

type ImplementServices = CallServices & GateServices & Needs<'audit' | 'nonce' | 'notices' | 'project'>;

/** One run of the implementer: brief, call, read, apply in the object database, publish, gates. */
export async function implement(
  services: ImplementServices,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { record } = log;
  const ruled = await ruleOnContract(services, log, signal);
  if (ruled !== undefined) return ruled;
  const gated = record.onlyGates ? record.change : undefined;
  const hindrance = gated === undefined ? await explainNoCall(services, record) : undefined;
  if (hindrance !== undefined) return createFaultOutcome(hindrance);
  if (signal.aborted) throw new Stopped();
  const base = await checkBase(services, record, signal);
  if (!base.ok) return base.why;
  if (gated !== undefined) return gateChange(services, record, gated, base.value, signal, {});
  const useless = findEarlyGreen(base.value.job.gates, base.value.runs, toBranchName(record.target));
  if (useless !== undefined) return createFaultOutcome(useless);
  const head = record.fresh || record.change === undefined ? record.base : record.change.commit;
  const { agent, model, edits } = resolveWorker(services, record, 'implementer');
  const window = edits ? undefined : await windowOf(agent, model, computeStallLimit(record, 'implementer'), signal);
  if (signal.aborted) throw new Stopped();
  const consented = base.value.forImplementer.map((text) => ({ from: 'human' as const, text }));
  const briefed = { ...record, feedback: [...record.feedback, ...consented] };
  const reminders = await listReminders(services);
  const rules = await listInstructions(services, record, 'change');
  const conventions = await readConventions(services, record, head);
  const words = { reminders, rules, conventions };
  const brief = edits
    ? success(briefEditor(briefed, { nonce: services.nonce(), ...words }))
    : briefImplementer(briefed, { ...(await selectImplementerFiles(services, record, head, window)), ...words });
  if (!brief.ok) return createTooLongOutcome(record, { ...brief.why, window: window ?? 0, model });
  const transcript = await callAgent(services, log, {
    station: 'implementer',
    brief: brief.value,
    context: brief.value.context,
    folder: services.folders.empty(record.taskId),
    ...(edits ? { edit: prepareEditCopy(services, record, head, agent) } : {}),
    signal,
  });
  if (!transcript.ok) return createCallFailureOutcome('implementer', transcript.why);
  noteTold(services, record, reminders, head);
  const { text, startedAt, edited, context: shown = brief.value.context } = transcript.value;
  const taken = await (edited === undefined
    ? takeAnswer(services, log, { head, text, inPart: shown.parts ?? [] }, signal)
    : takeEdited(services, log, { head, text, edited }, signal));
  if (!taken.ok) return taken.why;
  const { changes, notes, rulings, objection } = taken.value;
  // Where a rule could not be decided, the received answer is kept. A change that breaks a rule is kept, so that it can be waived.
  if (objection !== undefined && objection.event !== 'rule_violated') return objection;
  const made = await commitChange(services, log.record, head, changes, { notes, at: startedAt, by: model || agent.id });
  if (!made.ok) return refuseChange(log.record, made.why);
  const change = made.value;
  if (objection !== undefined) return { ...objection, facts: { ...objection.facts, change } };
  const facts = rulings.length === 0 ? { change } : { change, rulings: [...rulings] };
  return gateChange(services, log.record, change, base.value, signal, facts);
}

/** Why the implementer cannot be asked: its branch is in use, or a program that the task needs is not there. */
async function explainNoCall(services: ImplementServices, record: TaskRecord): Promise<string | undefined> {
  const inUse = await findBranchInUse(services, record.taskId);
  return inUse === undefined
    ? findUnfitProgram(services, record)
    : `${inUse.sentence}; to go on, ${inUse.remedy} and take path 1`;
}

function refuseChange(record: TaskRecord, why: NotCommitted): StepOutcome {
  if (why.by === 'git') return createFaultOutcome(why.reason);
  if (why.by === 'nothing') return refuseAnswer(record, [NOTHING_LEFT], {});
  const reasons = why.strayed.map((path) => `${path}: is outside the scope of this task`);
  return refuseAnswer(record, reasons, { scopeRefused: [...why.strayed] });
}

/** A server that hangs while it loads the model must not hold up the call, whose own limit reports it. */
async function windowOf(
  agent: Agent,
  model: string,
  minutes: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.ceil(minutes * 60_000)); // `AbortSignal.timeout` would outlive the answer
  try {
    return await agent.windowOf?.(model, AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** The outcome of a brief that is too long at its smallest: a strike where the contract has another implementer, else a fault. */
function createTooLongOutcome(
  record: TaskRecord,
  { needs, room, window, model }: Readonly<Record<'needs' | 'room' | 'window', number>> & { readonly model: string },
): StepOutcome {
  const why = `the smallest prompt (about ${needs} tokens) does not fit the window of ${window} tokens that is allocated for ${model} (room for ${room}); \`andon doctor --fix\` makes a model with a larger one, or name fewer files in the contract`;
  return getNextImplementer(record) === undefined
    ? createFaultOutcome(why)
    : {
        event: 'strike',
        reason: `too-long: ${why}`,
        facts: { strike: { station: 'implementer', kind: 'too-long', why } },
      };
}

/**
 * Why a program that this task needs is not what its role needs, as `andon doctor` says it; asked before the first agent
 * costs anything. A program that was found fit is not asked again.
 */
async function findUnfitProgram(
  services: Needs<'agents' | 'settings' | 'profiles'>,
  record: TaskRecord,
): Promise<string | undefined> {
  const stations = [
    'implementer',
    'local-reviewer',
    ...(isJudgedOutside(record, services.settings) ? [] : (['judge'] as const)),
  ] as const;
  const { reviewers = [], judges = [] } = record.contract.roles;
  const panel = [
    ...reviewers.map((name) => resolveWorker(services, record, 'local-reviewer', name)),
    ...(stations.some((one) => one === 'judge') ? judges : []).map((name) =>
      resolveWorker(services, record, 'judge', name),
    ),
  ];
  const needed = new Set(
    [...stations.map((station) => resolveWorker(services, record, station)), ...panel].map(({ agent }) => agent),
  );
  const worker = resolveWorker(services, record, 'implementer');
  const cage = worker.edits ? worker.agent.editing?.unavailable() : undefined;
  const whys = await Promise.all([...[...needed].map(explainUnfit), ...(cage === undefined ? [] : [cage])]);
  return whys.find((why) => why !== undefined);
}

async function explainUnfit(agent: Agent): Promise<string | undefined> {
  if (agent.fit === undefined || FIT.has(agent)) return undefined;
  const found = await agent.fit();
  if (!found.ok) return found.why;
  FIT.add(agent);
  return undefined;
}

const FIT = new WeakSet<Agent>();

/** Characters of all red gates' outputs together that go back to the implementer. */
const OUTPUT = 6000;

/** Runs the gates on a change, unless a breaker already objects to the change itself. `base`: their results on its base. */
async function gateChange(
  services: GateServices & RuleServices & Needs<'notices'>,
  record: TaskRecord,
  change: Change,
  base: CheckedBase,
  signal: AbortSignal,
  facts: Facts,
): Promise<StepOutcome> {
  const ready: StepOutcome = { event: 'code_written', reason: `change ready: ${formatDiffStat(change)}`, facts };
  const step = { ...ready, at: services.clock.now(), noted: [] };
  if (checkBreakers(takeStep(record, step, record.status)).length > 0) return ready;
  const ruled = await ruleOnChange(services, record, change, facts);
  if (ruled.objection !== undefined) return ruled.objection;
  const { report: uncounted, counted } = await measureGates(services, record, change);
  const weakeningReport = withCountedNotes(uncounted, counted);
  const weakened = objectToWeakening(weakeningReport, facts);
  if (weakened !== undefined) return weakened;
  const run = await runGates(services, base.job, base.runs, change, signal);
  if (!run.ok) return { event: 'fault', reason: run.why, facts: { ...facts, weakeningReport, fault: run.why } };
  const result = await measureRuns(services, record, change, weakeningReport, run.value);
  const todos = todosOf(services, record, change, run.value);
  const gated = { ...facts, ...base.facts, gates: run.value, weakeningReport: result, ...todos };
  const objection = describeRed(record, run.value, gated) ?? objectToWeakening(result, gated);
  if (objection !== undefined) return objection;
  const request = { record, change, report: result, base, run: run.value };
  const { report, decides } = await takeSecondLook(services, request, 'with the change', signal);
  const twice = decides ? report : { ...report, weakenings: [...report.weakenings, ...counted] };
  const seen = { ...gated, weakeningReport: twice };
  const weaker = objectToWeakening(twice, seen);
  if (weaker !== undefined) return weaker;
  const { rulings, objection: against } = await ruleOnGates(services, record, change, run.value, ruled.rulings, seen);
  if (against !== undefined) return against;
  return {
    ...ready,
    reason: `${ready.reason}; ${gateWords(run.value)}`,
    facts: { ...seen, ...(rulings.length === 0 ? {} : { rulings: [...rulings] }) },
  };
}

/** A change with a red gate goes back with what the gates printed; undefined when none is red. */
function describeRed(record: TaskRecord, { results }: GateRun, facts: Facts): StepOutcome | undefined {
  const red = results.filter(({ blocks }) => blocks);
  if (red.length === 0) return undefined;
  const hidden = new Set(record.contract.holdout.gates.map(({ name }) => name));
  const shown = red.filter(({ name }) => !hidden.has(name));
  const text = [
    ...(shown.length === 0 ? [] : [describeRedGates(shown, OUTPUT)]),
    ...(shown.length < red.length ? ['A check that is not shown to you failed; meet every requirement.'] : []),
  ].join('\n\n');
  return {
    event: 'gate_red',
    reason: `red: ${nameRedGates(red, record.contract.holdout.gates)}`,
    facts: { ...facts, feedback: [{ from: 'gates', text }] },
  };
}

/** What git, gates and the implementer's notes say of each item of the task's checklist; nothing where it is not tracked. */
function todosOf(
  { settings: { messages } }: Needs<'settings'>,
  record: TaskRecord,
  change: Change,
  gates: GateRun,
): Pick<Facts, 'todos'> {
  if (!messages.enabled || !messages.todo_tracker.enabled) return {};
  const facts = reviewRecordsOf({ ...record, gates, change });
  const { items } = trackTodos(change.notes, checklistOfTask(record), messages.todo_tracker, facts);
  return { todos: items.map(({ text, state }) => ({ text: text.slice(0, 400), state })) };
}

function gateWords(run: GateRun): string {
  const { results } = run;
  if (results.length === 0) return 'no gates';
  const green = results.filter(({ outcome }) => outcome === 'green').map(({ name }) => name);
  const compared = listNonGreen(run).map(({ name }) => name);
  const named = green.length === 0 ? '' : `; green: ${green.join(', ')}`;
  const chosen = compared.length === 0 ? '' : `; compared test by test, as you chose: ${compared.join(', ')}`;
  return `${green.length} of ${results.length} gates green${chosen}${named}`;
}
