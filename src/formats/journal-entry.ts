import { z } from 'zod';
import { briefContextSchema } from './brief-context.ts';
import { changeSchema, gateRunSchema } from './change.ts';
import { STATIONS, STATUSES } from './names.ts';
import { CHANNELS } from './notification.ts';
import { partialAnswerSchema } from './partial-answer.ts';
import { judgeReportSchema, localReviewSchema } from './review.ts';
import { rulingSchema } from './ruling.ts';
import type { TaskContract } from './task-contract.ts';
import { effectSchema, haltSchema } from './trip.ts';

const at = z.iso.datetime().describe('When, by the wall clock; order comes from the sequence number, never from this.');

/** A contract came in and may run. The document is kept as it was written. */
export const admittedSchema = z.strictObject({
  kind: z.literal('admitted'),
  at,
  document: z.record(z.string(), z.unknown()),
  digest: z.string().describe('SHA-256 of the contract as it was dropped.'),
  target: z.string().describe('Full name of the branch to merge into.'),
  base: z.string(),
  notices: z.array(z.string()),
  contract: z
    .custom<TaskContract>((value) => typeof value === 'object' && value !== null)
    .describe("The same contract in andon's one shape, paths resolved."),
});

/** An agent is about to be called (written before the call, so that a crash cannot hide it). */
export const startedSchema = z.strictObject({
  kind: z.literal('started'),
  at,
  station: z.enum(STATIONS),
  call: z.int(),
  agent: z.string(),
  model: z.string(),
  prompt: z.string().describe('SHA-256 of the brief.'),
  idleMinutes: z.number().describe('The stall limit of this call, as data: a restart knows it too.'),
  hardMinutes: z.number(),
  reserveUsd: z.number().nullable(),
  reserveTokens: z.int().nullable().optional().describe('Null = no ceiling of tokens.'),
  context: briefContextSchema.optional(),
});

/** An agent's call ended; unknown figures are null, never zero. */
export const calledSchema = z.strictObject({
  kind: z.literal('called'),
  at,
  station: z.enum(STATIONS),
  call: z.int(),
  agent: z.string(),
  model: z.string(),
  ok: z.boolean(),
  why: z.string().optional(),
  tokensIn: z.int().nullable(),
  tokensOut: z.int().nullable(),
  usd: z.number().nullable(),
  ms: z.int(),
  exit: z.int().nullable(),
  denials: z.array(z.string()).optional().describe("What the program's own permissions refused the agent."),
});

/** A call that was under way when andon died: an attempt and its reserve spent, but no strike. */
export const interruptedSchema = z.strictObject({
  kind: z.literal('interrupted'),
  at,
  station: z.enum(STATIONS),
  call: z.int(),
  usd: z.number().nullable(),
  tokens: z.int().nullable().optional().describe('What its program still reported; else the reserve is charged.'),
  ms: z.int().optional().describe('How long it ran, where andon ended it itself.'),
});

/** A call that could not take place because its program is out of reach for now; no attempt, no strike. */
export const heldSchema = z.strictObject({
  kind: z.literal('held'),
  at,
  station: z.enum(STATIONS),
  call: z.int(),
  agent: z.string(),
  reason: z.string(),
  until: z.iso.datetime().nullable().describe('When the program says it works again; null = it does not say.'),
  nudged: z.literal(true).optional().describe('A human wanted this try; it does not lengthen the next pause.'),
  usd: z.number().nullable(),
  tokensIn: z.int().nullable(),
  tokensOut: z.int().nullable(),
  ms: z.int(),
});

/** Why an attempt or answer went back, as it is told to the next brief. */
export const feedbackSchema = z.strictObject({
  from: z.enum(['gates', 'rules', 'reviewer', 'judge', 'answer', 'strike', 'human']),
  text: z.string(),
});
export type Feedback = z.infer<typeof feedbackSchema>;

/** What a station found out; each event fills in what it knows. */
export const factsSchema = z.strictObject({
  change: changeSchema.optional(),
  gates: gateRunSchema.optional(),
  rulings: z.array(rulingSchema).optional().describe('What the rules said about what the step brought.'),
  review: localReviewSchema.optional(),
  report: judgeReportSchema.optional(),
  feedback: z.array(feedbackSchema).optional(),
  strike: z
    .strictObject({
      station: z.enum(STATIONS),
      kind: z.enum(['crash', 'empty', 'unreadable', 'stall', 'too-long', 'refused']),
      why: z.string(),
    })
    .optional(),
  partial: partialAnswerSchema.optional(),
  scopeRefused: z.array(z.string()).optional().describe('Paths outside the scope that an answer asked for.'),
  protectedRefused: z.array(z.string()).optional(),
  noEvidence: z.boolean().optional().describe('A PASS without evidence that stands.'),
  judgeUnreadable: z.string().optional(),
  canary: z
    .strictObject({ flaw: z.string(), verdict: z.string() })
    .optional()
    .describe('A change that is known to be bad, and that the judge passed.'),
  rebuttal: z.array(z.string()).optional(),
  merge: z.strictObject({ commit: z.string(), tip: z.string(), target: z.string() }).optional(),
  targetMoved: z.strictObject({ base: z.string() }).optional(),
  mergeBlocked: z.strictObject({ reason: z.string(), conflictsWith: z.string().optional() }).optional(),
  fault: z.string().optional(),
  cord: z.strictObject({ by: z.string(), reason: z.string() }).optional().describe('A human stopped the line.'),
  unavailable: z.strictObject({ station: z.enum(STATIONS), reason: z.string() }).optional(),
  budget: z.string().optional(),
  budgetTokens: z.int().optional().describe('What the call that was refused needs of the ceiling of tokens.'),
  tampered: z
    .strictObject({
      found: z.string(),
      expected: z.string(),
      edited: z.string(),
      file: z.string().optional().describe('The report that was changed; without it, the contract was.'),
      ours: z.string().optional().describe('The same file as andon knows it.'),
    })
    .optional(),
  halt: haltSchema.optional(),
  choice: z
    .strictObject({
      halt: z.string(),
      path: z.union([z.literal(1), z.literal(2)]),
      by: z.string(),
      how: z.string(),
      reason: z.string().optional().describe('Why, in the words of whoever chose.'),
      effect: effectSchema,
    })
    .optional(),
  editedDocument: z.record(z.string(), z.unknown()).optional(),
});
export type Facts = z.infer<typeof factsSchema>;

/** The line moved (or went round): one entry holds the outcome and the transition, so neither can be lost alone. */
export const movedSchema = z.strictObject({
  kind: z.literal('moved'),
  at,
  event: z.string(),
  from: z.enum(STATUSES),
  to: z.enum(STATUSES),
  reason: z.string(),
  facts: factsSchema,
});

/** About to merge: what will be where, so that a restart can tell whether it happened. */
export const mergingSchema = z.strictObject({
  kind: z.literal('merging'),
  at,
  target: z.string(),
  old: z.string(),
  commit: z.string(),
  tip: z.string(),
});

/** A merged task was taken out of its target again. */
export const undoneSchema = z.strictObject({ kind: z.literal('undone'), at, commit: z.string(), by: z.string() });

/** A human paused the line of this repository, or let it go on; told of the line as a whole, not of a task. */
export const pausedSchema = z.strictObject({ kind: z.literal('paused'), at, by: z.string() });
export const unpausedSchema = z.strictObject({ kind: z.literal('unpaused'), at, by: z.string() });

/** A human was told of an event over a channel; written when that is done, so that a restart tells it no second time. */
export const notifiedSchema = z.strictObject({
  kind: z.literal('notified'),
  at,
  key: z.string().describe('What tells this event from every other.'),
  channel: z.enum(CHANNELS),
  failed: z.string().optional().describe('Why the channel could not tell it; it is not tried again.'),
});

/** What became of a soft hook, told of the rules as a whole; the same event of a task is counted once. */
export const hookedSchema = z.strictObject({
  kind: z.literal('hooked'),
  at,
  rule: z.string(),
  action: z.enum(['RAISED', 'IGNORED', 'COMPLIED']),
  task: z.string(),
  tree: z.string(),
});

/** The judge was asked about a change that is known to be bad; told by the journal alone, it moves nothing. */
export const canarySchema = z.strictObject({
  kind: z.literal('canary'),
  at,
  call: z.int(),
  flaw: z.string(),
  verdict: z.string().describe('What the judge said of it.'),
  missed: z.boolean(),
});

/** Something a reader of the story should know, without effect on it. */
export const remarkSchema = z.strictObject({
  kind: z.literal('remark'),
  at,
  text: z.string(),
  refused: z
    .literal(true)
    .optional()
    .describe('An answer to a halt that does not count; it stands until the line moves.'),
});

/** Everything the journal may hold about a task. */
export const journalEntrySchema = z.discriminatedUnion('kind', [
  admittedSchema,
  startedSchema,
  calledSchema,
  interruptedSchema,
  heldSchema,
  movedSchema,
  mergingSchema,
  undoneSchema,
  pausedSchema,
  unpausedSchema,
  notifiedSchema,
  hookedSchema,
  canarySchema,
  remarkSchema,
]);
export type JournalEntry = z.infer<typeof journalEntrySchema>;
export type Admitted = z.infer<typeof admittedSchema>;
export type Moved = z.infer<typeof movedSchema>;
export type Called = z.infer<typeof calledSchema>;
export type Held = z.infer<typeof heldSchema>;
export type Started = z.infer<typeof startedSchema>;
