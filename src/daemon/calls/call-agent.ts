import type { BriefContext } from '../../record/brief-context.ts';
import { listNearlySpent } from '../../line/breakers/budget.ts';
import { computeHardLimit, computeStallLimit } from '../../line/breakers/stalled.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { Started } from '../../record/journal-entry.ts';
import type { RoleStation, StationId } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { normaliseUsage } from '../../record/usage.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { computeNextTry } from '../../line/hold.ts';
import type { EditPlace, AgentFailure } from '../../ports/agent.ts';
import type { Brief } from '../../line/stations/brief.ts';
import { beginCall, claimCall } from '../night/claim-call.ts';
import { waitUntilOrNudged } from '../night/hold-back.ts';
import { useBefore } from '../night/past-tasks.ts';
import { waitWhilePaused } from '../night/pause.ts';
import { settleCall, type EndedCall } from '../../wiring/settle-call.ts';
import { runAgent } from './run-agent.ts';
import { isCutOffByUser } from './cut-off.ts';
import { saveReceived, loadReceivedAnswer, type Received } from './received-answer.ts';
import { shareOutput } from './share-output.ts';
import { Stopped, type StepJournal, type StepOutcome } from '../journal/step-journal.ts';
import { computeCallReserve, divideReserve, resolveWorker, type Worker } from './resolve-worker.ts';
import type { CallServices, Needs } from '../../wiring/services.ts';

/** The agent to ask: the worker of the station, or one that the caller chose. */
type Asked =
  | { readonly station: RoleStation; readonly worker?: never }
  | { readonly station: RoleStation | 'floor-manager'; readonly worker: Worker };

/** What a station asks of an agent. */
type Call = Asked & {
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
  /** One of several workers of the station, and the number of calls left in its round, this one included. */
  readonly seat?: { readonly name: string; readonly share: number };
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
): Promise<Outcome<Received, NoTranscript>> {
  const kept = call.lane === undefined ? loadReceivedAnswer(services, log, call) : undefined;
  if (kept !== undefined) return success(kept);
  for (;;) {
    const waited = call.mayBeMissed === true ? NOT_HELD : await waitWhileHeld(services, log, call);
    if (waited.tooLate !== undefined) return failure({ by: 'hold', reason: waited.tooLate });
    const result = await callOnce(services, log, call, waited.nudged);
    if (result === 'cut off') continue;
    if (result !== 'held') return result;
    if (call.mayBeMissed === true) return failure({ by: 'hold', reason: log.record.hold?.reason ?? 'out of reach' });
  }
}

/** Others decide without an unavailable worker. */
const NOT_HELD = { nudged: false, tooLate: undefined } as const;

/** Waits until a held call may be tried again, or a human wants it now; gives the reason when its leash ends before. */
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
  await waitWhilePaused(services, signal); // who pauses while a call waits does not want it made when its time comes
  return { nudged: early && next.at > services.clock.now() };
}

/** Reserve, intent, run, outcome. The intent is durable before the program starts. */
async function callOnce(
  services: CallServices,
  log: StepJournal,
  call: Call,
  nudged: boolean,
): Promise<Outcome<Received, NoTranscript> | 'held' | 'cut off'> {
  const { taskId } = log.record;
  const {
    agent,
    model: usual,
    limits,
  } = call.worker ?? resolveWorker(services, log.record, call.station, call.seat?.name);
  const { station, brief, model = usual, lane } = call;
  const known =
    lane === undefined ? useBefore(services.journal, log.record, station, { agent: agent.id, model }) : undefined;
  const whole = computeCallReserve(log.record, agent.capabilities, call.brief.prompt, known);
  const reserve = whole.ok ? divideReserve(whole.value, call.seat?.share ?? 1, call.brief.prompt, known) : whole;
  if (!reserve.ok) return failure({ by: 'budget', ...reserve.why });
  const { timeoutMinutes: granted } = log.record.grants;
  const atMost = (limit: number | undefined): number => (limit ?? Number.POSITIVE_INFINITY) + granted;
  const idleMinutes = Math.min(computeStallLimit(log.record, call.station), atMost(limits.idleMinutes));
  const { minutes: leftMinutes } = reserve.value;
  const minutes = Math.min(
    computeHardLimit(log.record, call.station),
    leftMinutes ?? Number.POSITIVE_INFINITY,
    atMost(limits.hardMinutes),
  );
  const request = { station, agent, prompt: brief.prompt, ...reserve.value, minutes, known };
  const claimed = await claimCall(services, log, request, call.signal);
  const { usd: reserveUsd, tokens: reserveTokens, minutes: hardMinutes } = claimed;
  const { call: number, at: startedAt } = claimed.key;
  services.folders.keepCall(taskId, number, 'prompt', withoutSecrets(call.brief.prompt));
  const who = { station: call.station, call: number, agent: agent.id, model };
  const started: Started = {
    kind: 'started',
    at: startedAt,
    ...who,
    prompt: services.digest(call.brief.prompt),
    idleMinutes,
    hardMinutes,
    reserveUsd,
    reserveTokens,
    ...(call.context === undefined ? {} : { context: call.context }),
    ...(call.canary === undefined ? {} : { canary: call.canary }),
    ...(lane === undefined ? {} : { lane }),
    ...(station === 'implementer' && lane === undefined && log.record.comments.length > 0
      ? { comments: log.record.comments.length }
      : {}),
    ...(call.seat === undefined ? {} : { reviewer: call.seat.name }),
  };
  beginCall(services, claimed, () => log.note(started));
  const end = (entry: EndedCall): void => {
    log.note(entry);
    settleCall(services, taskId, started, entry);
  };

  const output = shareOutput(services, { taskId, call: number, station });
  const running = runAgent({ agent, model }, claimed, {
    brief,
    folder: call.folder,
    idleMinutes,
    signal: call.signal,
    show: (piece) => output.show(piece),
    ...(station === 'implementer' && call.edit === undefined ? { isAnswerCode: true } : {}),
    ...(call.edit === undefined ? {} : { edit: call.edit }),
  });
  const result = await running.finally(() => output.end());
  if (!result.ok && result.why.kind === 'aborted') {
    const { usd, tokensIn, tokensOut } = normaliseUsage(result.why);
    const { ms } = result.why;
    end({
      kind: 'interrupted',
      at: services.clock.now(),
      station: call.station,
      call: number,
      usd: usd ?? reserveUsd,
      tokens: tokensIn === null || tokensOut === null ? null : tokensIn + tokensOut,
      ms,
    });
    throw new Stopped();
  }
  const answer = result.ok ? result.value : result.why;
  const used = { ...normaliseUsage(answer), ms: answer.ms };
  if (!result.ok && result.why.kind === 'unavailable') {
    const { detail, until = null } = result.why;
    end({
      kind: 'held',
      at: services.clock.now(),
      station,
      call: number,
      agent: agent.id,
      reason: withoutSecrets(detail),
      until,
      ...(nudged ? { nudged: true } : {}),
      ...used,
    });
    return 'held';
  }
  const before = log.record;
  if (result.ok) {
    const received: Received = {
      ...result.value,
      startedAt,
      ...(call.context === undefined ? {} : { context: call.context }),
    };
    if (lane === undefined) {
      await saveReceived(services, log, received, call.signal);
      const called = log.noted.at(-1);
      if (called?.kind === 'called') settleCall(services, taskId, started, called);
    } else {
      const { text, structured, exit } = received;
      const message = structured === undefined ? text : JSON.stringify(structured, null, 2);
      services.folders.keepCall(taskId, number, 'answer', withoutSecrets(message.slice(0, LONGEST_OPINION)));
      end({ kind: 'called', at: services.clock.now(), ...who, ok: true, ...used, exit, lane });
    }
    warnOfBudget(services, log, before);
    return success(received);
  }
  end({
    kind: 'called',
    at: services.clock.now(),
    ...who,
    ok: false,
    why: withoutSecrets(`${result.why.kind}: ${result.why.detail}`),
    ...used,
    exit: answer.exit,
    ...(lane === undefined ? {} : { lane }),
  });
  warnOfBudget(services, log, before);
  const wasLast = leftMinutes !== undefined && answer.ms >= leftMinutes * 60_000;
  if (result.why.kind === 'stall' && wasLast)
    return failure({
      by: 'budget',
      reason: `the call was ended when the last ${leftMinutes.toFixed(1)} minutes were used`,
    });
  if (isCutOffByUser(result.why, before, { station, asked: request, claimed })) return 'cut off';
  if (result.why.kind === 'spent') return failure({ by: 'budget', reason: result.why.detail });
  return failure({ by: 'agent', failure: result.why });
}

/** More of a model's words about a rule would not be read. */
const LONGEST_OPINION = 100_000;

/** Tells a human, once for each ceiling, that most of it is used. */
function warnOfBudget(services: Needs<'clock'>, log: StepJournal, before: LineRecord): void {
  for (const text of listNearlySpent(before, log.record)) log.note({ kind: 'remark', at: services.clock.now(), text });
}

/** Why there is no transcript: the ledger, a hold that outlived its leash, or the agent itself. */
export type NoTranscript =
  | { readonly by: 'budget'; readonly reason: string; readonly tokens?: number }
  | { readonly by: 'hold'; readonly reason: string }
  | { readonly by: 'agent'; readonly failure: AgentFailure };

/** What a missing transcript means for the line: a strike, or something only a human can mend. */
export function withoutTranscript(station: StationId, why: NoTranscript): StepOutcome {
  if (why.by === 'budget')
    return {
      event: 'budget_refused',
      reason: why.reason,
      facts: { budget: why.reason, ...(why.tokens === undefined ? {} : { budgetTokens: why.tokens }) },
    };
  if (why.by === 'hold')
    return { event: 'unavailable', reason: why.reason, facts: { unavailable: { station, reason: why.reason } } };
  const { kind, detail } = why.failure;
  if (kind === 'missing' || kind === 'refused' || kind === 'unavailable')
    return { event: 'fault', reason: detail, facts: { fault: detail } };
  const strike = {
    station,
    kind: kind === 'aborted' || kind === 'spent' ? 'crash' : kind,
    why: detail,
  } as const;
  return { event: kind === 'stall' ? 'timeout' : 'strike', reason: `${kind}: ${detail}`, facts: { strike } };
}
