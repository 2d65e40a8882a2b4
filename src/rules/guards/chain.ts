import {
  type GitPath,
  checkScope,
  scopeRequests,
  scopeWarning,
  type ScopeCheck,
  type ScopeRequest,
} from './scope-guard.ts';
import type { ReviewRecords } from './review-records.ts';
import type { MessageSettings } from '../../project/config/standard-messages.ts';
import { namedFiles } from './named-files.ts';
import { DOWNGRADED, checkReview, downgraded, reviewFeedback, type ReviewCheck } from './review-gate.ts';
import { PRAISE_DELIVERED, praiseFeedback, validateResponse, type Validation } from './response-validator.ts';
import { trackTodos, type TodoCheck } from './todo-tracker.ts';

/** The guards in the order in which a message meets them. */
export const GUARDS = ['ResponseValidator', 'ReviewGate', 'ScopeGuard', 'TodoTracker'] as const;
export type GuardName = (typeof GUARDS)[number];
/** Who may send a message back: a guard, or the project's rules about messages. */
export type Refuser = GuardName | 'Rules';

export interface MessageContext {
  /** Whether an agent speaks to an agent; text for people is not checked. */
  readonly isDelegation: boolean;
  /** EXPECTED OUTCOME or contract in words: files that may change, and a checklist. */
  readonly expectedOutcome?: string | undefined;
  /** Files that may change, where they are known better than from words. */
  readonly expectedFiles?: readonly string[] | undefined;
  /** The changed files by git; undefined where unknown. */
  readonly modified?: readonly GitPath[] | undefined;
  readonly records?: ReviewRecords | undefined;
  readonly retries?: Partial<Readonly<Record<GuardName, number>>> | undefined;
}

/** The result for one message; the verdict of a guard that was not asked is undefined. */
export interface ChainResult {
  readonly passed: boolean;
  readonly stage?: GuardName;
  /** The asked guards, in order; none follows a refusal. */
  readonly asked: readonly GuardName[];
  /** The answer to its author; absent where it is handed on. */
  readonly feedback?: string;
  /** The text that is handed on: verdicts downgraded where needed, warnings and the reminder at its end. */
  readonly text: string;
  readonly warnings: readonly string[];
  readonly reminder: string;
  /** Doubts that let the message pass. */
  readonly unsure: readonly string[];
  readonly validation?: Validation | undefined;
  readonly review?: ReviewCheck | undefined;
  readonly scope?: ScopeCheck | undefined;
  readonly todos?: TodoCheck | undefined;
  readonly requests: readonly ScopeRequest[];
}

/** Asks every enabled guard about one message; the first refusal with retries left ends the chain. */
export function checkMessage(message: string, context: MessageContext, settings: MessageSettings): ChainResult {
  const { responseValidator, reviewGate, scopeGuard, todoTracker } = settings;
  const guards: GuardName[] = [];
  const warnings: string[] = [];
  const unsure: string[] = [];
  const requests = scopeRequests(message);
  const untouched = { passed: true, asked: guards, text: message, warnings, reminder: '', unsure, requests };
  if (!settings.enabled || !context.isDelegation) return untouched;
  const mayGoBack = (guard: GuardName, most: number): boolean =>
    mayRetry(context.retries, guard, most, settings.maxTotalRetries);
  const isAsked = (guard: GuardName, isEnabled: boolean): boolean => {
    if (isEnabled) guards.push(guard);
    return isEnabled;
  };

  const validation = isAsked('ResponseValidator', responseValidator.enabled)
    ? validateResponse(message, responseValidator)
    : undefined;
  if (validation?.unsure !== undefined) unsure.push(validation.unsure);
  if (validation?.valid === false) {
    if (mayGoBack('ResponseValidator', responseValidator.maxRetries))
      return {
        ...untouched,
        passed: false,
        stage: 'ResponseValidator',
        feedback: praiseFeedback(validation),
        validation,
      };
    warnings.push(PRAISE_DELIVERED);
  }

  const review = isAsked('ReviewGate', reviewGate.enabled)
    ? checkReview(message, reviewGate, context.records)
    : undefined;
  const isTurnedDown = review?.accepted === false;
  if (isTurnedDown && mayGoBack('ReviewGate', reviewGate.downgradeAfterRetries))
    return { ...untouched, passed: false, stage: 'ReviewGate', feedback: reviewFeedback(review), validation, review };
  if (isTurnedDown) warnings.push(DOWNGRADED);
  else if (review?.isApproval === true && context.records === undefined) unsure.push(BY_WORDS_ALONE);

  const { modified, expectedFiles = namedFiles(context.expectedOutcome ?? '') } = context;
  const scope =
    modified !== undefined && isAsked('ScopeGuard', scopeGuard.enabled)
      ? checkScope(expectedFiles, modified, scopeGuard)
      : undefined;
  if (scope?.inScope === false) warnings.push(scopeWarning(scope));

  const todos = isAsked('TodoTracker', todoTracker.enabled)
    ? trackTodos(message, context.expectedOutcome, todoTracker, context.records)
    : undefined;
  const reminder = todos?.reminder ?? '';
  const text = isTurnedDown ? downgraded(message, review.approvals) : message;
  const parts = [text, ...warnings, ...(reminder === '' ? [] : [reminder])];
  return { ...untouched, text: parts.join('\n\n'), reminder, validation, review, scope, todos };
}

const BY_WORDS_ALONE = 'nothing is on record: the evidence of this approval is its own words';

/** Whether a refuser may send a message back once more. */
export function mayRetry(
  retries: Partial<Readonly<Record<Refuser, number>>> = {},
  guard: Refuser,
  most: number,
  mostInAll: number,
): boolean {
  const inAll = Object.values(retries).reduce((sum, one) => sum + one, 0);
  return (retries[guard] ?? 0) < most && inAll < mostInAll;
}
