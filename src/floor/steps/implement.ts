import { stallLimit } from '../../breakers/stalled.ts';
import type { LineRecord } from '../../formats/line-record.ts';
import type { Agent } from '../../ports/agent.ts';
import { briefImplementer } from '../../stations/implementer.ts';
import { branchInUse } from '../branch-in-use.ts';
import { callAgent, withoutTranscript } from '../call-agent.ts';
import { Stopped } from '../step-log.ts';
import type { StepLog, StepOutcome } from '../step-log.ts';
import { viewForImplementer } from '../view-for-implementer.ts';
import { whoWorks } from '../who-works.ts';
import type { World } from '../world.ts';
import { commitChange } from './apply-change.ts';
import { gateChange } from './gate-change.ts';
import { ruleOnContract } from './keep-rules.ts';
import { refused, takeAnswer } from './take-answer.ts';

/** One run of the implementer: brief, call, read, apply in the object database, publish, gates. */
export async function implement(world: World, log: StepLog, signal: AbortSignal): Promise<StepOutcome> {
  const { record } = log;
  const ruled = await ruleOnContract(world, record);
  if (ruled !== undefined) return ruled;
  if (record.onlyGates && record.change !== undefined) return gateChange(world, record, record.change, signal, {});
  const inUse = await branchInUse(world, record.taskId);
  if (inUse !== undefined) {
    const fault = `${inUse.sentence}; to go on, ${inUse.remedy} and take path 1`;
    return { event: 'fault', reason: fault, facts: { fault } };
  }
  const head = record.fresh || record.change === undefined ? record.base : record.change.commit;
  const { agent, model } = whoWorks(world, record, 'implementer');
  const window = await windowOf(agent, model, stallLimit(record, 'implementer'), signal);
  if (signal.aborted) throw new Stopped();
  const brief = briefImplementer(record, await viewForImplementer(world, record, head, window));
  if (!brief.ok) return doesNotFit(world, record, { ...brief.why, window: window ?? 0, model });
  const { context } = brief.value;
  const folder = world.folders.empty(record.taskId);
  const transcript = await callAgent(world, log, {
    station: 'implementer',
    brief: brief.value,
    context,
    folder,
    signal,
  });
  if (!transcript.ok) return withoutTranscript('implementer', transcript.why);

  const { text, startedAt } = transcript.value;
  const taken = await takeAnswer(world, log.record, { head, text, inPart: context.parts ?? [] });
  if (!taken.ok) return taken.why;
  const { changes, notes } = taken.value;
  const change = await commitChange(world, log.record, head, changes, { notes, at: startedAt, by: model });
  if (change.ok) return gateChange(world, log.record, change.value, signal, { change: change.value });
  if (change.why.by === 'git')
    return { event: 'fault', reason: change.why.reason, facts: { fault: change.why.reason } };
  const reasons = change.why.strayed.map((path) => `${path}: is outside the scope of this task`);
  return refused(log.record, reasons, { scopeRefused: [...change.why.strayed] });
}

/** A server that hangs while it loads the model must not hold up the call, whose own limit tells of it. */
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

/** Even the smallest brief is too long: another model is asked where you named one; else a human must see to it. */
function doesNotFit(
  world: World,
  record: LineRecord,
  { needs, room, window, model }: Readonly<Record<'needs' | 'room' | 'window', number>> & { readonly model: string },
): StepOutcome {
  const why = `the smallest prompt (about ${needs} tokens) does not fit the window of ${window} tokens that is allocated for ${model} (room for ${room}); \`andon doctor --fix\` makes a model with a larger one, or name fewer files in the contract`;
  const strike = { station: 'implementer', kind: 'too-long', why } as const;
  const next = whoWorks(world, { ...record, strikes: [...record.strikes, strike] }, 'implementer').model;
  return next === model
    ? { event: 'fault', reason: why, facts: { fault: why } }
    : { event: 'strike', reason: `too-long: ${why}`, facts: { strike } };
}
