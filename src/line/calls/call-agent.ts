import { readHeldUse } from '../../agents/budget/charge.ts';
import { getLastLines } from '../../base/crash-reason.ts';
import type { LedgerReserve } from '../../agents/ledger.ts';
import type { BriefContext } from '../record/brief-context.ts';
import { listNearlySpent } from '../breakers/budget.ts';
import { computeHardLimit, computeStallLimit } from '../breakers/stalled.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Started } from '../record/journal-entry.ts';
import type { RoleStation, StationId } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { CallAmounts } from '../../agents/budget/compute-reserve.ts';
import { normaliseUsage } from '../../agents/budget/normalise-usage.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { computeNextTry } from '../core/compute-next-try.ts';
import type { AgentFailure, CallOutcome, EditPlace, Brief } from '../../agents/agent.ts';
import { beginCall, claimCall, type CallClaim, type Claimed, waitUntilOrNudged } from '../night/hold-back.ts';
import { findPastUse } from '../night/past-tasks.ts';
import { waitWhilePaused } from '../night/pause.ts';
import { countUnreported, settleCall, type EndedCall } from './settle-call.ts';
import { runAgent } from '../../agents/calls/run-agent.ts';
import { loadReceivedAnswer, renderAnswer, saveReceived, type Received } from './received-answer.ts';
import { shareOutput } from './share-output.ts';
import { Stopped } from '../journal/stopped.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { computeCallReserve, resolveWorker } from './resolve-worker.ts';
import type { Worker } from '../../agents/calls/resolve-driver.ts';
import type { CallServices, Needs } from '../services/services.ts';
import { createFaultOutcome } from '../core/step.ts';

/** The agent to ask: the worker of the station, or one that the caller chose. */
type CallTarget =
  | { readonly station: RoleStation; readonly worker?: never }
  | { readonly station: RoleStation | 'floor-manager'; readonly worker: Worker };

/** One of several workers of a station, and the number of calls left in its round, this one included. */
export interface CallSeat {
  readonly name: string;
  readonly share: number;
}

/** A call that a station wants. */
type Call = CallTarget & {
  readonly brief: Brief;
  /** How the brief was chosen, for the journal. */
  readonly context?: BriefContext;
  /** The judge is only tried. */
  readonly canary?: true;
  /** The call is about an answer that was received before and waits. The caller keeps this answer. */
  readonly lane?: 2;
  /** Another model of the same program. */
  readonly model?: string;
  readonly folder: string;
  readonly seat?: CallSeat | undefined;
  /** Others decide without it, so the line does not wait for its program. */
  readonly mayBeMissed?: boolean;
  /** The copy of the project that the implementer edits directly. */
  readonly edit?: EditPlace;
  readonly signal: AbortSignal;
};

/**
 * One call of an agent. While its program is unavailable the line waits, visibly, and repeats the call. An answer
 * that was received before a crash, a full disk or a halt is taken from its file: a paid answer is not requested twice.
 */
export async function callAgent(
  services: CallServices,
  log: StepJournal,
  call: Call,
): Promise<Outcome<Received, CallFailure>> {
  const kept = call.lane === undefined ? loadReceivedAnswer(services, log, call) : undefined;
  if (kept !== undefined) return success(kept);
  for (;;) {
    const waited = call.mayBeMissed === true ? NOT_HELD : await waitWhileHeld(services, log, call);
    if (waited.tooLate !== undefined) return failure({ by: 'hold', reason: waited.tooLate });
    const result = await callOnce(services, log, call, waited.nudged);
    if (result !== undefined) return result;
  }
}

/** Others decide without an unavailable worker. */
const NOT_HELD = { nudged: false, tooLate: undefined } as const;

/**
 * The retry after a provider limit or an outage: waits until a held call may be tried again, or a person wants it now;
 * `tooLate` is the reason when the wait ends before.
 */
async function waitWhileHeld(
  services: Needs<'bell' | 'clock' | 'handoff' | 'journal' | 'nudge' | 'say' | 'settings'>,
  { record }: StepJournal,
  { station, signal }: Call,
): Promise<{ readonly tooLate?: string; readonly nudged: boolean }> {
  if (record.hold?.station !== station || record.hold.own !== undefined) return { nudged: false };
  const next = computeNextTry(record.hold, services.settings.hold);
  if ('tooLate' in next) return { tooLate: next.tooLate, nudged: false };
  const early = next.at > services.clock.now();
  if (early) {
    services.say({ kind: 'word', level: 'info', text: `${record.taskId}: tries ${station} again at ${next.at}` });
    await waitUntilOrNudged(services, next.at, signal);
  }
  if (signal.aborted) throw new Stopped();
  await waitWhilePaused(services, signal); // a pause that came while the call waited holds it too
  return { nudged: early && next.at > services.clock.now() };
}

/**
 * One try: reserve, intent, run, outcome; undefined when the call is to be made again. The intent is durable before the
 * program starts.
 */
async function callOnce(
  services: CallServices,
  log: StepJournal,
  call: Call,
  nudged: boolean,
): Promise<Outcome<Received, CallFailure> | undefined> {
  const planned = planCall(services, log.record, call);
  if (!planned.ok) return planned;
  const { worker, idleMinutes, claim } = planned.value;
  const claimed = await claimCall(services, log, claim, call.signal);
  const started = describeStart(services, log.record, call, { worker, idleMinutes, claimed });
  const { taskId } = log.record;
  await beginCall(services, claimed, async () => {
    await call.edit?.layOut();
    if (call.signal.aborted) throw new Stopped();
    services.folders.keepCall(taskId, started.call, 'prompt', withoutSecrets(call.brief.prompt));
    log.note(started);
  });
  const output = shareOutput(services, { taskId, call: started.call, station: call.station });
  const running = runAgent(worker, claimed, {
    brief: call.brief,
    folder: call.folder,
    idleMinutes,
    signal: call.signal,
    show: (piece) => output.show(piece),
    ...(call.station === 'implementer' && call.edit === undefined ? { isAnswerCode: true } : {}),
    ...(call.edit === undefined ? {} : { edit: call.edit }),
  });
  const ran = await running.finally(() => output.end());
  const { context } = call;
  const result = ran.ok
    ? success({ ...ran.value, startedAt: started.at, ...(context === undefined ? {} : { context }) })
    : ran;
  const before = log.record;
  const ended = await noteEnd(services, log, call, { started, result, nudged });
  settleCall(services, taskId, started, ended);
  if (ended.kind === 'interrupted') throw new Stopped();
  if (ended.kind === 'held')
    return call.mayBeMissed === true ? failure({ by: 'hold', reason: ended.reason }) : undefined;
  warnOfBudget(services, log, before);
  if (result.ok) return result;
  const why = explainFailure(result.why, before, planned.value, claimed);
  return why === undefined ? undefined : failure(why);
}

/** Notes how a call ended. An answer that its step goes on from is made durable first, word for word. */
async function noteEnd(
  services: CallServices,
  log: StepJournal,
  { lane, signal }: Call,
  end: { readonly started: Started; readonly result: Outcome<Received, AgentFailure>; readonly nudged: boolean },
): Promise<EndedCall> {
  const { started, result, nudged } = end;
  if (result.ok && lane === undefined) return saveReceived(services, log, result.value, signal);
  if (result.ok)
    services.folders.keepCall(log.record.taskId, started.call, 'answer', withoutSecrets(renderAnswer(result.value)));
  const ended = result.ok
    ? describeCalled(services, started, result)
    : describeFailed(services, started, result.why, nudged);
  log.note(ended);
  return ended;
}

/** The user's own end of a call, an unavailable program, or a failure. */
function describeFailed(services: Needs<'clock'>, started: Started, why: AgentFailure, nudged: boolean): EndedCall {
  if (why.kind === 'aborted') return describeInterrupted(services, started, why);
  if (why.kind === 'unavailable') return describeHeld(services, started, why, nudged);
  return describeCalled(services, started, failure(why));
}

/** Why a call failed; undefined when only the user's own limits ended it, so that it is made again. */
function explainFailure(
  why: AgentFailure,
  { calls }: TaskRecord,
  { claim, leftMinutes }: PlannedCall,
  claimed: Claimed,
): CallFailure | undefined {
  if (why.kind === 'stall' && leftMinutes !== undefined && why.ms >= leftMinutes * 60_000)
    return {
      by: 'budget',
      part: 'minutes',
      reason: `the call was ended when the last ${leftMinutes.toFixed(1)} minutes were used`,
    };
  const last = calls.findLast(({ station }) => station === claim.station);
  if (isCutOffByUser(why, last, claim, claimed)) return undefined;
  if (why.kind !== 'spent') return { by: 'agent', failure: why };
  return { by: 'budget', reason: why.detail, ...(why.part === undefined ? {} : { part: why.part }) };
}

/** A call within the limits of its task; the limits of the user come when it is claimed. */
interface PlannedCall {
  readonly worker: Pick<Worker, 'agent' | 'model'>;
  readonly idleMinutes: number;
  readonly claim: CallClaim;
  /** The rest of the minutes that the task may use; undefined = no limit. */
  readonly leftMinutes: number | undefined;
}

/** Who is called and with how much; a failure when the budget of the task leaves too little. */
function planCall(services: CallServices, record: TaskRecord, call: Call): Outcome<PlannedCall, CallFailure> {
  const { station, lane, brief, seat } = call;
  const { agent, model: usual, limits } = call.worker ?? resolveWorker(services, record, call.station, seat?.name);
  const { model = usual } = call;
  const known =
    lane === undefined ? findPastUse(services.journal, record, station, { agent: agent.id, model }) : undefined;
  const reserve = computeCallReserve(record, agent.capabilities, brief.prompt, known, seat?.share);
  if (!reserve.ok) return failure({ by: 'budget', ...reserve.why });
  const { minutes: leftMinutes } = reserve.value;
  const granted = record.grants.timeoutMinutes;
  const atMost = (limit: number | undefined): number => (limit ?? Number.POSITIVE_INFINITY) + granted;
  const hardLimit = Math.min(computeHardLimit(record, station), atMost(limits.hardMinutes));
  return success({
    worker: { agent, model },
    idleMinutes: Math.min(computeStallLimit(record, station), atMost(limits.idleMinutes)),
    leftMinutes,
    claim: {
      station,
      agent,
      prompt: brief.prompt,
      ...reserve.value,
      minutes: Math.min(hardLimit, leftMinutes ?? Number.POSITIVE_INFINITY),
      known,
    },
  });
}

/** The journal's entry for a call that begins. */
function describeStart(
  { digest }: Needs<'digest'>,
  { comments }: TaskRecord,
  { station, lane, brief, context, canary, seat }: Call,
  {
    worker: { agent, model },
    idleMinutes,
    claimed: { key, usd, tokens, minutes },
  }: Pick<PlannedCall, 'worker' | 'idleMinutes'> & { readonly claimed: Claimed },
): Started {
  return {
    kind: 'started',
    at: key.at,
    station,
    call: key.call,
    agent: agent.id,
    model,
    prompt: digest(brief.prompt),
    idleMinutes,
    hardMinutes: minutes,
    reserveUsd: usd,
    reserveTokens: tokens,
    ...(context === undefined ? {} : { context }),
    ...(canary === undefined ? {} : { canary }),
    ...(lane === undefined ? {} : { lane }),
    ...(station === 'implementer' && lane === undefined && comments.length > 0 ? { comments: comments.length } : {}),
    ...(seat === undefined ? {} : { reviewer: seat.name }),
  };
}

/** A call that was answered or has failed. */
function describeCalled({ clock }: Needs<'clock'>, started: Started, result: CallOutcome): EndedCall {
  const { station, call, agent, model, lane } = started;
  const answer = result.ok ? result.value : result.why;
  return {
    kind: 'called',
    at: clock.now(),
    station,
    call,
    agent,
    model,
    ...(result.ok
      ? { ok: true }
      : { ok: false, why: withoutSecrets(`${result.why.kind}: ${result.why.detail}`), ...getPrintedLines(result.why) }),
    ...normaliseUsage(answer),
    ms: answer.ms,
    exit: answer.exit,
    ...(lane === undefined ? {} : { lane }),
  };
}

/** A call whose program cannot be reached now. */
function describeHeld({ clock }: Needs<'clock'>, started: Started, why: AgentFailure, nudged: boolean): EndedCall {
  const { station, call, agent } = started;
  return {
    kind: 'held',
    at: clock.now(),
    station,
    call,
    agent,
    reason: withoutSecrets(why.detail),
    until: why.until ?? null,
    ...(nudged ? { nudged: true } : {}),
    ...readHeldUse(why),
    ms: why.ms,
  };
}

/** A call that andon's own end has ended; unknown dollars count as they were reserved. */
function describeInterrupted({ clock }: Needs<'clock'>, started: Started, why: AgentFailure): EndedCall {
  const { station, call, reserveUsd } = started;
  const { usd, tokensIn, tokensOut } = normaliseUsage(why);
  return {
    kind: 'interrupted',
    at: clock.now(),
    station,
    call,
    usd: usd ?? countUnreported(reserveUsd),
    tokens: tokensIn === null || tokensOut === null ? null : tokensIn + tokensOut,
    ms: why.ms,
  };
}

/** Tells a human, once for each budget, that most of it is used. */
function warnOfBudget(services: Needs<'clock'>, log: StepJournal, before: TaskRecord): void {
  for (const text of listNearlySpent(before, log.record)) log.note({ kind: 'remark', at: services.clock.now(), text });
}

/** Why a call gave no answer: the budget, a wait that was too long, or the agent itself. */
export type CallFailure =
  | {
      readonly by: 'budget';
      readonly reason: string;
      readonly part?: keyof CallAmounts;
      readonly tokens?: number;
    }
  | { readonly by: 'hold'; readonly reason: string }
  | { readonly by: 'agent'; readonly failure: AgentFailure };

/** The outcome of a step whose call failed: a strike, or a fault that only a person can correct. */
export function createCallFailureOutcome(station: StationId, why: CallFailure): StepOutcome {
  if (why.by === 'budget')
    return {
      event: 'budget_refused',
      reason: why.reason,
      facts: {
        budget: why.reason,
        ...(why.part === undefined ? {} : { budgetPart: why.part }),
        ...(why.tokens === undefined ? {} : { budgetTokens: why.tokens }),
      },
    };
  if (why.by === 'hold')
    return { event: 'unavailable', reason: why.reason, facts: { unavailable: { station, reason: why.reason } } };
  const { kind, detail } = why.failure;
  if (kind === 'missing' || kind === 'refused' || kind === 'unavailable') return createFaultOutcome(detail);
  const strike = {
    station,
    kind: kind === 'aborted' || kind === 'spent' ? 'crash' : kind,
    why: detail,
    ...getPrintedLines(why.failure),
  } as const;
  return { event: kind === 'stall' ? 'timeout' : 'strike', reason: `${kind}: ${detail}`, facts: { strike } };
}

/** The last lines that a failed program printed, as they are shown and kept. Masked before long lines are cut, which may split a secret. */
export function getPrintedLines({ output = '' }: AgentFailure): { readonly output?: string } {
  const lines = getLastLines(withoutSecrets(output));
  return lines === '' ? {} : { output: lines };
}

/**
 * Whether a call was ended by the user's own limits and not by those of its task: a ceiling, or the end of a night. It is
 * no failure: the call waits until these leave enough. One that is cut off twice in a row, as by `ceilings.call`, does not.
 */
export function isCutOffByUser(
  { kind, ms }: Pick<AgentFailure, 'kind' | 'ms'>,
  last: { readonly why?: string | undefined } | undefined,
  asked: Pick<CallClaim, 'usd' | 'tokens' | 'minutes'>,
  granted: LedgerReserve,
): boolean {
  const isLess = (given: number | null, wanted = Number.POSITIVE_INFINITY): boolean => given !== null && given < wanted;
  if (last?.why?.startsWith(`${kind}: `) === true) return false;
  if (kind === 'stall') return isLess(granted.minutes, asked.minutes) && ms >= granted.minutes * 60_000;
  return kind === 'spent' && (isLess(granted.usd, asked.usd) || isLess(granted.tokens, asked.tokens));
}
