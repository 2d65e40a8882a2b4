import { addComments } from './comment-path.ts';
import type { PathScope } from '../../base/paths.ts';
import type { Moved } from '../record/journal-entry.ts';
import {
  GRANTED_AMOUNTS,
  type ApprovedTree,
  type GrantedAmount,
  type Grants,
  type TaskRecord,
  type Rejected,
} from '../record/task-record.ts';
import type { Halt, ResumeEffect } from '../record/trip.ts';
import type { Change } from '../record/change.ts';

/** What a task may change: by its contract, as a person granted at its halts, and `more`. */
export const getScope = (
  { contract: { constraints }, grants }: Pick<TaskRecord, 'contract' | 'grants'>,
  more: readonly string[] = [],
): PathScope => ({
  allowedPaths: [...constraints.allowedPaths, ...grants.paths, ...more],
  forbiddenPaths: constraints.forbiddenPaths,
  protectedPaths: constraints.protectedPaths,
});

/** Applies the effect of a person's chosen path: as in the halt report, summed up, nothing reset. */
export function takeChoice(
  record: TaskRecord,
  { reason, at }: Moved,
  { halt, path, by, effect, say, comments }: NonNullable<Moved['facts']['choice']>,
  answered: Halt | undefined,
): TaskRecord {
  const { grants: before } = record;
  const grants: Grants = {
    ...before,
    ...mapAmounts((amount) => before[amount] + (effect[amount] ?? 0)),
    paths: [...before.paths, ...(effect.paths ?? [])],
    shrink: before.shrink || effect.shrink === true,
    waived: [...before.waived, ...(effect.waive ?? [])],
    gates: [...before.gates, ...(effect.gates ?? []).map((one) => ({ ...one, halt }))],
    weakened: [...before.weakened, ...(effect.allowWeakened ?? [])],
    approved: [
      ...before.approved,
      ...(effect.approveTree === undefined
        ? []
        : [{ tree: effect.approveTree, breaker: answered?.trip.breaker, halt, by }]),
    ],
  };
  const fresh = effect.fresh === true;
  const commented = comments === undefined ? record : addComments(takeBack(record), comments, { by, at });
  const next: TaskRecord = {
    ...commented,
    grants,
    // A person who merges the change all the same takes the open comments back.
    comments: effect.verdict === 'PASS' ? [] : commented.comments,
    words: say === undefined ? commented.words : [...commented.words, { by, at, text: say }],
    judgedOutside: record.judgedOutside || effect.judgeOutside === true,
    base: effect.base ?? record.base,
    fresh,
    strikes: commented.strikes.map((strike) => ({ ...strike, isAnswered: true as const })),
    onlyGates: effect.onlyGates === true,
    // A chosen side is valid until its report is replaced.
    sided: effect.verdict ?? (effect.to === 'review_complete' ? record.sided : undefined),
    feedback: effect.say === undefined ? record.feedback : [...record.feedback, { from: 'human', text: effect.say }],
    ...(fresh ? { change: undefined, ...NO_REVIEWS } : {}),
    takenBack: effect.mergeAgain === undefined ? record.takenBack : [...record.takenBack, effect.mergeAgain],
    lastChoice: { halt, ...(path === undefined ? {} : { path }), by, effect },
  };
  const why = effect.say === undefined ? reason : `${reason}: ${effect.say}`;
  if (record.change === undefined || !turnsDown(effect)) return next;
  const inWords = say !== undefined || comments !== undefined;
  return rememberDiscarded(next, record.change, 'human', why, inWords);
}

/** A shorter file may lose most of its lines in any answer: there it says nothing of an incomplete one. */
export const LEAST_LINES_TO_KEEP_HALF = 10;

/** Whether answers may leave out more than half of a file: asked for in the contract, or granted at a halt. */
export const mayShrink = ({ contract: { constraints }, grants }: Pick<TaskRecord, 'contract' | 'grants'>): boolean =>
  constraints.allowDeletes || constraints.allowShrink === true || grants.shrink;

/** The breakers that a person overruled for exactly this change. */
export const listApprovals = ({ change, grants }: TaskRecord): readonly ApprovedTree[] =>
  grants.approved.filter(({ tree }) => tree === change?.tree);

/** The implementer is called next: failures of another station are not its own. */
const takeBack = (record: TaskRecord): TaskRecord => ({
  ...record,
  strikes: record.strikes.filter(({ station }) => station === 'implementer'),
});

/** Whether a path sends the change back; made again on another base, the same change is no return to rejected work. */
const turnsDown = ({ to, fresh, base, verdict }: ResumeEffect): boolean =>
  fresh === true ? base === undefined : to === 'pending_implementer' && verdict === 'FAIL';

const mapAmounts = (of: (amount: GrantedAmount) => number): Record<GrantedAmount, number> =>
  Object.fromEntries(GRANTED_AMOUNTS.map((amount) => [amount, of(amount)])) as Record<GrantedAmount, number>;

export const NO_GRANTS: Grants = {
  ...mapAmounts(() => 0),
  paths: [],
  shrink: false,
  waived: [],
  gates: [],
  weakened: [],
  approved: [],
};

/** The state that a new change, or its loss, invalidates. */
export const NO_REVIEWS = {
  gates: undefined,
  weakeningReport: undefined,
  review: undefined,
  report: undefined,
  panel: undefined,
  askedAnew: undefined,
  rebuttal: [],
} as const satisfies Partial<TaskRecord>;

export const rememberDiscarded = (
  record: TaskRecord,
  { attempt, commit, tree, print }: Change,
  by: Rejected['by'],
  why: string,
  inWords = false,
): TaskRecord => ({
  ...record,
  rejected: [
    ...record.rejected,
    { attempt, commit, tree, print, by, why, ...(inWords ? { inWords: true as const } : {}) },
  ],
});
