import { z } from 'zod';
import { STATIONS, type StationId } from '../../base/names.ts';
import { baseRedSchema, gateConsentSchema } from './base-run.ts';
import { humanCommentSchema } from '../../project/requests/comment.ts';
import { changeSchema, gateRunSchema } from './change.ts';
import { weakeningReportSchema } from '../../rules/model/weakening.ts';
import { takeoverSchema } from './implementers.ts';
import { judgeReportSchema, localReviewSchema, panelTurnSchema, rebuttalPointSchema } from './review.ts';
import { rulingSchema } from '../../rules/model/ruling.ts';
import { effectSchema, haltSchema } from './trip.ts';
import { closedObject } from '../../base/shape.ts';
import { formatCount } from '../../base/format-count.ts';

const mergeBlockedSchema = closedObject(() => ({
  reason: z.string(),
  conflictsWith: z.string().optional(),
  wide: z.literal(true).optional().describe('Nothing can be merged there now, whatever the change is.'),
  takenBack: z.string().optional().describe('The merge that was reverted.'),
  inTheWay: z.array(z.string()).readonly().optional().describe('The files that were the reason.'),
}));

/** The base commit of the task from now on. */
const targetMovedSchema = closedObject(() => ({
  base: z.string(),
  toFix: z.literal(true).optional().describe('The change had been sent back, and is to be mended on the new base.'),
}));

/** Why an attempt or answer went back, for the next brief. */
const feedbackSchema = closedObject(() => ({
  from: z.enum(['gates', 'weakening', 'rules', 'reviewer', 'judge', 'answer', 'strike', 'human']),
  text: z.string(),
}));
export type AgentFeedback = z.infer<ReturnType<typeof feedbackSchema>>;

/** The facts of a step; each event fills in its own. */
export const factsSchema = closedObject(() => ({
  change: changeSchema().optional(),
  gates: gateRunSchema().optional(),
  baseRed: baseRedSchema().optional(),
  consents: z
    .array(gateConsentSchema())
    .optional()
    .describe('What a human said about a gate at the halt of another task, and what holds for this one too.'),
  weakeningReport: weakeningReportSchema()
    .optional()
    .describe('What the change does to its gates and tests, before they run.'),
  rulings: z.array(rulingSchema()).optional().describe('What the rules said about what the step brought.'),
  review: localReviewSchema().optional(),
  report: judgeReportSchema().optional(),
  panel: panelTurnSchema().optional().describe('What one of several reviewers said, or that it said nothing.'),
  panelAgain: z
    .array(z.strictObject({ reviewer: z.string(), why: z.string() }))
    .optional()
    .describe('Reviewers whose missing votes prevent a quorum: they are asked again, with the reason.'),
  feedback: z.array(feedbackSchema()).optional(),
  todos: z
    .array(todoStateSchema())
    .optional()
    .describe('Requirements and acceptance criteria, and which of them the change is known to meet.'),
  strike: z
    .strictObject({
      station: z.enum(STATIONS),
      kind: z.enum(['crash', 'empty', 'unreadable', 'stall', 'too-long', 'unchanged', 'refused']),
      why: z.string(),
      output: z.string().optional().describe('The last lines that a failed program printed.'),
      wants: z
        .enum(['rejected attempt', 'forbidden deletion', 'shortened file'])
        .optional()
        .describe('What a refused answer would have done again, so that its halt is called by that name.'),
    })
    .optional(),
  partial: partialAnswerSchema().optional(),
  takeover: takeoverSchema().optional().describe('From here on the next implementer of the list works.'),
  scopeRefused: z.array(z.string()).optional().describe('Paths outside the scope that an answer asked for.'),
  protectedRefused: z.array(z.string()).optional(),
  noEvidence: z.boolean().optional().describe('A PASS without valid evidence.'),
  judgeUnreadable: z.string().optional(),
  canary: z
    .strictObject({ flaw: z.string(), verdict: z.string(), reviewer: z.string().optional() })
    .optional()
    .describe('A change that is known to be bad, and that the judge passed.'),
  rebuttal: z.array(rebuttalPointSchema()).optional(),
  merge: z.strictObject({ commit: z.string(), tip: z.string(), target: z.string() }).optional(),
  targetMoved: targetMovedSchema().optional(),
  mergeBlocked: mergeBlockedSchema().optional(),
  fault: z.string().optional(),
  unreadable: z.int().optional().describe('The entry that cannot be read, and of which this halt tells.'),
  cord: z
    .strictObject({
      by: z.string(),
      reason: z.string(),
      reach: z.literal('task').optional().describe('Only this task was meant; without it, the line.'),
    })
    .optional()
    .describe('A human stopped the line, or this task.'),
  unavailable: z.strictObject({ station: z.enum(STATIONS), reason: z.string() }).optional(),
  budget: z.string().optional(),
  budgetPart: z.enum(['usd', 'tokens', 'minutes']).optional().describe('The part of the budget that was too small.'),
  budgetTokens: z.int().optional().describe('What the call that was refused needs of the budget in tokens.'),
  budgetRound: z
    .strictObject({ usd: z.number(), tokens: z.int(), minutes: z.number() })
    .optional()
    .describe('What the rest of the round takes, by the last calls at its stations.'),
  tampered: z
    .strictObject({
      found: z.string(),
      expected: z.string(),
      edited: z.string(),
      file: z.string().optional().describe('The report that was changed; without it, the contract was.'),
      ours: z.string().optional().describe('The same file as andon knows it.'),
    })
    .optional(),
  halt: haltSchema().optional(),
  choice: z
    .strictObject({
      halt: z.string(),
      path: z
        .union([z.literal(1), z.literal(2)])
        .optional()
        .describe('Without it, the change is sent back with comments.'),
      comments: z.array(humanCommentSchema()).optional().describe('Comments, in the words of the person who chose.'),
      by: z.string(),
      how: z.string(),
      reason: z.string().optional().describe('The reason, in the words of the person who chose.'),
      say: z.string().optional().describe('A sentence for the agents, in the words of the person who chose.'),
      effect: effectSchema(),
    })
    .optional(),
  editedDocument: z.record(z.string(), z.unknown()).optional(),
}));
export type Facts = z.infer<ReturnType<typeof factsSchema>>;

/** A failed call as it counts at its station. */
export interface Strike {
  readonly station: StationId;
  readonly kind: string;
  readonly why: string;
  readonly output?: string | undefined;
  /** A person answered after it: the next try is shown everything again. */
  readonly isAnswered?: true;
  /** A later answer arrived, so it is no longer the last thing that failed. */
  readonly isPast?: true;
}

/** A failure in full: its reason, and below it the last lines that the program printed, unless they only repeat it. */
export function describeStrike({ kind, why, output }: Strike): string {
  const reason = `${kind}: ${why}`;
  return output === undefined || why.includes(output) ? reason : `${reason}\n\nIt printed at last:\n${output}`;
}

/** One requirement or acceptance criterion, and its evidence. */
const todoStateSchema = closedObject(() => ({
  text: z.string(),
  state: z
    .enum(['evidence', 'words', 'pending'])
    .describe(
      'evidence: its files were changed or its command was green; words: the implementer claims it; pending: neither.',
    ),
}));
export type TodoState = z.infer<ReturnType<typeof todoStateSchema>>;

/** A checklist in one line. Git and gates show that something was done for an item, never that it holds. */
export function formatTodos(todos: readonly TodoState[]): string {
  const countTodos = (state: TodoState['state']): number => todos.filter((one) => one.state === state).length;
  return `${formatCount(todos.length, 'item')}: ${countTodos('evidence')} with ${SHOWN}, ${countTodos('words')} claimed done, ${countTodos('pending')} open; none of this shows that an item holds`;
}

/** Whether anything is known of any item; a list of open items says nothing about a change. */
export const isTracked = (todos: readonly TodoState[]): boolean => todos.some(({ state }) => state !== 'pending');

export const listTodoRows = (todos: readonly TodoState[]): readonly string[] =>
  todos.map(({ text, state }) => `${text} (${MARKS[state]})`);

const SHOWN = 'a changed file or a green command';
const MARKS: Readonly<Record<TodoState['state'], string>> = {
  evidence: 'the file it names was changed, or the command it names was green',
  words: 'claimed done, not shown',
  pending: 'open',
};

const blockSchema = closedObject(() => ({ search: z.string(), replace: z.string() }));

/** An answer with search/replace blocks that match nothing: the rest is kept, and only these are requested again. */
const partialAnswerSchema = closedObject(() => ({
  head: z.string().describe('The commit that the edits were written against; for another one they mean nothing.'),
  kept: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('write'), path: z.string(), content: z.string() }),
        z.strictObject({ kind: z.literal('replace'), path: z.string(), blocks: z.array(blockSchema()) }),
        z.strictObject({ kind: z.literal('delete'), path: z.string() }),
      ]),
    )
    .describe('Edits that are good and applied together with the corrected ones.'),
  failed: z.array(
    z.strictObject({
      path: z.string(),
      ...blockSchema().shape,
      why: z.string().describe('With the closest real lines.'),
    }),
  ),
}));
export type PartialAnswer = z.infer<ReturnType<typeof partialAnswerSchema>>;
