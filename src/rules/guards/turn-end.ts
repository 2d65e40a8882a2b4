import { headedPart } from './checklist.ts';
import { compareWithRecords, type ReviewRecords } from './review-records.ts';
import type { MessageSettings } from '../../project/config/message-settings.ts';
import type { Session } from '../session/session.ts';
import { checkMessage, mayRetry, type ChainResult, type Refuser } from './check-message.ts';
import { type LineCounts, namedFiles } from './named-files.ts';
import { evidenceIn } from './review-evidence.ts';
import { readProse } from './prose.ts';
import { scopeWarning } from './scope-guard.ts';

export interface Turn {
  readonly text: string;
  readonly session: Session;
  /** Of the cited files, as they are now. */
  readonly lines?: LineCounts | undefined;
  readonly retries: Partial<Readonly<Record<Refuser, number>>>;
  /** What the project's rules about messages refuse, a sentence each. */
  readonly refused?: readonly string[];
  /** Its subagents still work, so nothing has to be complete yet. */
  readonly isWaiting: boolean;
}

/** The decision: the turn goes back to the agent, or it ends with notes for the user. */
export interface TurnEnd {
  readonly result: ChainResult;
  readonly back: { readonly guard: Refuser; readonly feedback: string } | undefined;
  readonly notes: readonly string[];
}

/**
 * Decides whether a turn ends. The records are the session. Beside the chain four things send it back while retries are
 * left: green tests that the session shows red or out of date, unexpected files, (once) unmentioned checklist items, and
 * the project's rules.
 */
export function endOfTurn(
  { text, session, lines, retries, isWaiting, refused = [] }: Turn,
  settings: MessageSettings,
): TurnEnd {
  const outcome = headedPart(session.asked ?? '');
  const expectedFiles = namedFiles(outcome);
  const result = checkMessage(
    text,
    {
      isDelegation: true,
      retries,
      records: { ...session, lines },
      expectedFiles,
      ...(outcome === '' ? {} : { expectedOutcome: outcome }),
      ...(expectedFiles.length === 0 ? {} : { modified: session.changed.map((path) => ({ path })) }),
    },
    settings,
  );
  const notes = [
    ...result.warnings,
    ...result.requests.map(({ path, why }) => `asks for more scope: ${path}${why === '' ? '' : ` (${why})`}`),
  ];
  if (!settings.enabled) return { result, back: undefined, notes };
  if (result.stage !== undefined)
    return { result, back: { guard: result.stage, feedback: result.feedback ?? '' }, notes };
  const reasons = [
    contradicted(text, session, settings),
    outside(result, settings),
    left(result, isWaiting),
    byRules(refused),
  ];
  const back = reasons.find(
    (one) => one !== undefined && mayRetry(retries, one.guard, one.most, settings.max_total_retries),
  );
  return { result, back, notes };
}

interface Reason {
  readonly guard: Refuser;
  readonly feedback: string;
  readonly most: number;
}

/** A report of green checks that the session contradicts; a report that admits something red is believed. */
function contradicted(
  text: string,
  records: ReviewRecords,
  { review_gate: reviewGate }: MessageSettings,
): Reason | undefined {
  if (!reviewGate.enabled || !reviewGate.require_evidence) return undefined;
  const { claims, failing } = evidenceIn(readProse(text));
  const runs = claims.filter(({ kind }) => kind === 'run');
  if (runs.length === 0 || failing.length > 0) return undefined;
  const { against } = compareWithRecords(runs, records);
  if (against.length === 0) return undefined;
  const feedback = [
    '[SYSTEM] Report rejected: this session shows otherwise.',
    ...against.slice(0, MOST_REASONS).map((one) => `Refused: ${one}.`),
    'Accepted: run it again and report the count of each command, or say that it is red.',
  ].join('\n');
  return { guard: 'ReviewGate', feedback, most: reviewGate.downgrade_after_retries };
}

function outside({ scope, requests }: ChainResult, { scope_guard: scopeGuard }: MessageSettings): Reason | undefined {
  if (scope?.severity !== 'NEEDS_REVIEW' || scopeGuard.mode !== 'block' || requests.length > 0) return undefined;
  const feedback = `${scopeWarning(scope)}\nAccepted: take back what you changed there, or ask for each file in a line of its own: SCOPE REQUEST: <path> - <why>. A human decides.`;
  return { guard: 'ScopeGuard', feedback, most: 1 };
}

function left({ todos, reminder }: ChainResult, isWaiting: boolean): Reason | undefined {
  const silent = (todos?.pending ?? []).filter((item) => todos?.admitted.includes(item) === false);
  if (isWaiting || reminder === '' || silent.length === 0) return undefined;
  const feedback = `${reminder}\nAccepted: do what is left and say so, or say of each item why it is not done.`;
  return { guard: 'TodoTracker', feedback, most: 1 };
}

function byRules(refused: readonly string[]): Reason | undefined {
  if (refused.length === 0) return undefined;
  const feedback = [
    '[SYSTEM] Message rejected by the rules of this project.',
    ...refused.map((one) => `Refused: ${one}`),
  ].join('\n');
  return { guard: 'Rules', feedback, most: 2 };
}

const MOST_REASONS = 3;
