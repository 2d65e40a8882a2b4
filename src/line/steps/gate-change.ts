import { checkBreakers } from '../breakers/index.ts';
import { formatDiffStat, listNonGreen, nameRedGates, type Change, type GateRun } from '../record/change.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { describeRedGates } from '../core/describe-red-gates.ts';
import { takeStep } from '../core/step.ts';
import { takeSecondLook } from '../gates/take-second-look.ts';
import { runGates, type CheckedBase } from '../gates/run-gates.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { GateServices, Needs, RuleServices } from '../services/services.ts';
import { ruleOnChange, ruleOnGates } from './rule-on-task.ts';
import { checklistOfTask, reviewRecordsOf } from '../messages/message-checks.ts';
import { trackTodos } from '../../rules/guards/todo-tracker.ts';
import { measureGates, measureRuns, objectToWeakening, withCountedNotes } from '../gates/measure-gates.ts';

/** Characters of all red gates' outputs together that go back to the implementer. */
const OUTPUT = 6000;

/** Runs the gates on a change, unless a breaker already objects to the change itself. `base`: their results on its base. */
export async function gateChange(
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
  if (!messages.enabled || !messages.todoTracker.enabled) return {};
  const facts = reviewRecordsOf({ ...record, gates, change });
  const { items } = trackTodos(change.notes, checklistOfTask(record), messages.todoTracker, facts);
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
