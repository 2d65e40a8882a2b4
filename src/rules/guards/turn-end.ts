import type { MessageSettings } from '../../rule-model/message-settings.ts';
import type { Session } from '../../session/session.ts';
import { checkMessage } from './chain.ts';
import type { ChainResult, GuardName } from './chain.ts';
import { headedPart } from './checklist.ts';
import { evidenceIn } from './evidence.ts';
import { namedFiles } from './named-files.ts';
import { readProse } from './prose.ts';
import { holdAgainst } from './hold-against.ts';
import type { ReviewRecords } from './review-records.ts';
import { scopeWarning } from './scope-guard.ts';

/** What a turn of an agent that works outside the line ended with. */
export interface Turn {
  readonly text: string;
  readonly session: Session;
  /** How many lines each file has that the text cites a line of; undefined where nobody looked. */
  readonly lines?: ReadonlyMap<string, number> | undefined;
  /** How often each guard has sent this turn back already. */
  readonly retries: Partial<Readonly<Record<GuardName | 'Rules', number>>>;
  /** Others still work for it, so nothing has to be complete yet. */
  readonly isWaiting: boolean;
}

/** What becomes of it: it goes back to the agent, or it ends; `told` is for whoever uses the agent. */
export interface TurnEnd {
  readonly result: ChainResult;
  readonly back: { readonly guard: GuardName; readonly feedback: string } | undefined;
  readonly told: readonly string[];
}

/**
 * Decides whether a turn ends. The records are what really happened in the session. Beside the chain three things send
 * it back while retries are left: tests that it says are green and the session shows to be red or out of date, files
 * that nobody expected, and (once) items of the checklist that it says nothing of.
 */
export function endOfTurn({ text, session, lines, retries, isWaiting }: Turn, settings: MessageSettings): TurnEnd {
  const outcome = headedPart(session.asked ?? '');
  const expectedFiles = namedFiles(outcome);
  const records: ReviewRecords = {
    runs: session.runs,
    read: session.read,
    shown: session.shown,
    ...(lines === undefined ? {} : { lines }),
  };
  const result = checkMessage(
    text,
    {
      isDelegation: true,
      retries,
      records,
      expectedFiles,
      ...(outcome === '' ? {} : { expectedOutcome: outcome }),
      ...(expectedFiles.length === 0 ? {} : { modified: session.changed.map((path) => ({ path })) }),
      done: { changed: session.changed, runs: session.runs },
    },
    settings,
  );
  const told = [
    ...result.warnings,
    ...result.requests.map(({ path, why }) => `asks for more scope: ${path}${why === '' ? '' : ` (${why})`}`),
  ];
  if (!settings.enabled) return { result, back: undefined, told };
  if (result.stage !== undefined)
    return { result, back: { guard: result.stage, feedback: result.feedback ?? '' }, told };
  const inAll = Object.values(retries).reduce((sum, one) => sum + one, 0);
  const reasons =
    inAll >= settings.maxTotalRetries
      ? []
      : [contradicted(text, records, settings), outside(result, settings), left(result, isWaiting)];
  const back = reasons.find((one) => one !== undefined && (retries[one.guard] ?? 0) < one.most);
  return { result, back, told };
}

interface Reason {
  readonly guard: GuardName;
  readonly feedback: string;
  /** So often it goes back for this. */
  readonly most: number;
}

/** It says that checks are green, and the session shows otherwise. Whoever tells of something red himself is honest. */
function contradicted(text: string, records: ReviewRecords, { reviewGate }: MessageSettings): Reason | undefined {
  if (!reviewGate.enabled || !reviewGate.requireEvidence) return undefined;
  const { claims, failing } = evidenceIn(readProse(text));
  const runs = claims.filter(({ kind }) => kind === 'run');
  if (runs.length === 0 || failing.length > 0) return undefined;
  const { against } = holdAgainst(runs, records);
  if (against.length === 0) return undefined;
  const feedback = [
    '[SYSTEM] Report rejected: this session shows otherwise.',
    ...against.slice(0, MOST_TOLD).map((one) => `Refused: ${one}.`),
    'Accepted: run it again and report what it says, or say that it is red.',
  ].join('\n');
  return { guard: 'ReviewGate', feedback, most: reviewGate.downgradeAfterRetries };
}

function outside({ scope, requests }: ChainResult, { scopeGuard }: MessageSettings): Reason | undefined {
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

const MOST_TOLD = 3;
