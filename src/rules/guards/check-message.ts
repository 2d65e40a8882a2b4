import {
  type GitPath,
  checkScope,
  scopeRequests,
  scopeWarning,
  type ScopeCheck,
  type ScopeRequest,
} from './scope-guard.ts';
import type { ReviewRecords } from './review-records.ts';
import type { MessageSettings } from '../../project/config/message-settings.ts';
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
  const draft: Draft = {
    passed: true,
    asked: [],
    text: message,
    warnings: [],
    reminder: '',
    unsure: [],
    requests: scopeRequests(message),
  };
  if (!settings.enabled || !context.isDelegation) return draft;
  for (const guard of GUARDS) {
    if (!isAsked(guard, context, settings)) continue;
    draft.asked.push(guard);
    const refusal = ASK[guard](draft, message, context, settings);
    if (refusal === undefined) continue;
    if (mayRetry(context.retries, guard, refusal.most, settings.max_total_retries))
      return { ...draft, passed: false, stage: guard, feedback: refusal.feedback };
    draft.warnings.push(refusal.warning);
  }
  const { review, reminder, warnings } = draft;
  const text = review?.accepted === false ? downgraded(message, review.approvals) : message;
  return { ...draft, text: [text, ...warnings, ...(reminder === '' ? [] : [reminder])].join('\n\n') };
}

/** A result while the guards are asked. */
type Draft = { -readonly [Key in keyof ChainResult]: ChainResult[Key] } & {
  asked: GuardName[];
  warnings: string[];
  unsure: string[];
};

/** What a guard objects to: the answer to the author, how often it goes back, and the warning once that is used up. */
interface Refusal {
  readonly feedback: string;
  readonly most: number;
  readonly warning: string;
}

function isAsked(guard: GuardName, { modified }: MessageContext, settings: MessageSettings): boolean {
  const isEnabled = {
    ResponseValidator: settings.response_validator.enabled,
    ReviewGate: settings.review_gate.enabled,
    ScopeGuard: modified !== undefined && settings.scope_guard.enabled,
    TodoTracker: settings.todo_tracker.enabled,
  };
  return isEnabled[guard];
}

type AskGuard = (
  draft: Draft,
  message: string,
  context: MessageContext,
  settings: MessageSettings,
) => Refusal | undefined;

/** How each guard is asked: it writes its finding into the draft, and returns what goes back. */
const ASK: Readonly<Record<GuardName, AskGuard>> = {
  ResponseValidator(draft, message, _, { response_validator: responseValidator }) {
    const validation = validateResponse(message, responseValidator);
    draft.validation = validation;
    if (validation.unsure !== undefined) draft.unsure.push(validation.unsure);
    if (validation.valid) return undefined;
    return { feedback: praiseFeedback(validation), most: responseValidator.max_retries, warning: PRAISE_DELIVERED };
  },
  ReviewGate(draft, message, { records }, { review_gate: reviewGate }) {
    const review = checkReview(message, reviewGate, records);
    draft.review = review;
    if (!review.accepted)
      return { feedback: reviewFeedback(review), most: reviewGate.downgrade_after_retries, warning: DOWNGRADED };
    if (review.isApproval && records === undefined) draft.unsure.push(BY_WORDS_ALONE);
    return undefined;
  },
  ScopeGuard(draft, _, { modified = [], expectedOutcome = '', expectedFiles }, { scope_guard: scopeGuard }) {
    draft.scope = checkScope(expectedFiles ?? namedFiles(expectedOutcome), modified, scopeGuard);
    if (!draft.scope.inScope) draft.warnings.push(scopeWarning(draft.scope));
    return undefined;
  },
  TodoTracker(draft, message, { expectedOutcome, records }, { todo_tracker: todoTracker }) {
    draft.todos = trackTodos(message, expectedOutcome, todoTracker, records);
    draft.reminder = draft.todos.reminder;
    return undefined;
  },
};

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
