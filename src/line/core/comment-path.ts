import { GRANTED_AMOUNTS, type GrantedAmount, type TaskRecord } from '../record/task-record.ts';
import type { BreakerId, Path, ResumeEffect } from '../record/trip.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { countComments, formatComment, type HumanComment, type OpenComment } from '../../project/requests/comment.ts';

/** Halts at which something else must be decided before any attempt can go on: the contract, or a gate of the base. */
const UNDECIDED: readonly BreakerId[] = ['contract_tampered', 'base_red'];

/** Raises that decide about the change or its agent; comments are such a decision themselves. */
const DECIDING: readonly GrantedAmount[] = ['rebuttals', 'timeoutMinutes', 'diffSize'];

/** What a path permits so that the task can go on at all, without any decision about the change. */
const PERMITS: readonly (keyof ResumeEffect)[] = [
  ...GRANTED_AMOUNTS.filter((amount) => !DECIDING.includes(amount)),
  'mergeAgain',
];

/**
 * The answer to a halt in place of its two paths: the change goes back with a person's comments. It permits what the
 * paths permit, so that the same halt does not follow at once. Undefined without a halt, without a change, and where something else must be decided first.
 */
export function createCommentPath({ halt, change }: Pick<TaskRecord, 'halt' | 'change'>): Path | undefined {
  if (halt === undefined || change === undefined) return undefined;
  if ([halt.trip, ...halt.also].some(({ breaker }) => UNDECIDED.includes(breaker))) return undefined;
  const effects = halt.paths.map(({ effect }) => effect);
  const permits = Object.fromEntries(
    PERMITS.flatMap((key) => {
      const value = effects.map((effect) => effect[key]).find((one) => one !== undefined);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  // The change conflicts with its target, so no attempt on top of it could be merged.
  const base = effects.map((effect) => effect.base).find((one) => one !== undefined);
  const raise = [permits['usd'], permits['tokens'], permits['minutes']].some((one) => one !== undefined);
  return {
    title: 'Send it back with your comments',
    does: [
      `Your comments are required fixes of the next attempt, which starts from ${base === undefined ? 'this one' : 'the current target branch'}.`,
      raise ? 'The budget is raised as by path 1.' : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
    effect: {
      to: 'pending_implementer',
      verdict: 'FAIL',
      ...permits,
      ...(base === undefined ? {} : { base, fresh: true }),
    },
  };
}

/** Adds a person's comments: required fixes for the implementer, and words that every later prompt contains. */
export function addComments(
  record: TaskRecord,
  comments: readonly HumanComment[],
  { by, at }: { readonly by: string; readonly at: string },
): TaskRecord {
  const about = record.change?.attempt ?? record.attempt;
  return {
    ...record,
    comments: [...record.comments, ...comments.map((one) => ({ ...one, about }))],
    words: [...record.words, { by, at, text: `on attempt ${about}: ${comments.map(formatComment).join('; ')}` }],
  };
}

/** The first `count` open comments are in the prompt of the attempt that begins. */
export const markAsked = (comments: readonly OpenComment[], count: number, attempt: number): readonly OpenComment[] =>
  comments.map((one, at) => (at < count ? { ...one, asked: attempt } : one));

/** The comments that are still required fixes once a change has passed its gates. */
export const dropAnswered = ({ comments, change }: TaskRecord): readonly OpenComment[] =>
  comments.filter(({ asked }) => asked === undefined || asked > (change?.attempt ?? 0));

/** Why a change goes back, in the words of the person who commented on it. */
export const explainComments = (comments: readonly HumanComment[]): string =>
  `sent back with ${countComments(comments)}: ${comments.map((one) => toTerminalLine(formatComment(one), WIDTH)).join('; ')}`;

/** A reason is a line of the story; the comments themselves are kept whole. */
const WIDTH = 300;
