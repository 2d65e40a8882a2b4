import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { briefContextSchema } from './brief-context.ts';
import { STATIONS, STATUSES } from '../../base/names.ts';
import { humanCommentSchema } from '../../project/requests/comment.ts';
import { factsSchema } from './facts.ts';
import { CHANNELS } from '../../project/config/notification.ts';
import type { StepEvent } from './step-event.ts';
import type { TaskContract } from '../../project/contract/task-contract.ts';
import { closedObject } from '../../base/shape.ts';

const at = lazy(() =>
  z.iso.datetime().describe('When, by the wall clock; order comes from the sequence number, never from this.'),
);

const entry = <Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: () => Shape) =>
  closedObject(() => ({ kind: z.literal(kind), at: at(), ...shape() }));

const admittedSchema = entry('admitted', () => ({
  document: z.record(z.string(), z.unknown()),
  digest: z.string().describe('SHA-256 of the contract as it was dropped.'),
  target: z.string().describe('Full name of the branch to merge into.'),
  base: z.string(),
  notices: z.array(z.string()),
  ungated: z.literal(true).optional().describe('Neither the project nor the contract has a gate.'),
  contract: z
    .custom<TaskContract>((value) => typeof value === 'object' && value !== null)
    .describe("The same contract in andon's one shape, paths resolved."),
}));

/** An agent call begins. It is written before the call, so that a crash cannot hide it. */
const startedSchema = entry('started', () => ({
  station: z.enum(STATIONS),
  call: z.int(),
  agent: z.string(),
  model: z.string(),
  prompt: z.string().describe('SHA-256 of the brief.'),
  idleMinutes: z.number().describe('The stall limit of this call, as data: a restart knows it too.'),
  hardMinutes: z.number(),
  reserveUsd: z.number().nullable(),
  reserveTokens: z.int().nullable().optional().describe('Null = no budget in tokens.'),
  context: briefContextSchema().optional(),
  canary: z.literal(true).optional().describe('The judge is only tried, with a change that is known to be bad.'),
  reviewer: z.string().optional().describe('Which of several at the station is called.'),
  lane: z.literal(2).optional().describe('Lane 2: a model is asked whether an answer keeps a rule of the project.'),
  comments: z.int().optional().describe('The first open comments of a person, this many, are in the prompt.'),
}));

/** An agent call ended; unknown figures are null, never zero. */
const calledSchema = entry('called', () => ({
  station: z.enum(STATIONS),
  call: z.int(),
  agent: z.string(),
  model: z.string(),
  ok: z.boolean(),
  why: z.string().optional(),
  output: z.string().optional().describe('The last lines that a failed program printed.'),
  tokensIn: z.int().nullable(),
  tokensOut: z.int().nullable(),
  usd: z.number().nullable(),
  ms: z.int(),
  exit: z.int().nullable(),
  notice: z.string().optional().describe('What the user has to know or do about the program.'),
  denials: z.array(z.string()).optional().describe("What the program's own permissions refused the agent."),
  answer: z.string().optional().describe('SHA-256 of the answer as the state folder keeps it until the line moves.'),
  lane: z.literal(2).optional().describe('Lane 2: a model is asked whether an answer keeps a rule of the project.'),
}));

/** A call that andon's crash interrupted: it costs an attempt and its reservation, but no strike. */
const interruptedSchema = entry('interrupted', () => ({
  station: z.enum(STATIONS),
  call: z.int(),
  usd: z.number().nullable(),
  tokens: z.int().nullable().optional().describe('What its program still reported; else the reserve is charged.'),
  ms: z.int().optional().describe('How long it ran, at least: until andon ended it, or its last sign of life.'),
}));

/** A call whose program is unavailable for now; no attempt, no strike. */
const heldSchema = entry('held', () => ({
  station: z.enum(STATIONS),
  call: z.int(),
  agent: z.string(),
  reason: z.string(),
  until: z.iso.datetime().nullable().describe('When the program says it works again; null = it does not say.'),
  own: z
    .enum(['hours', 'night', 'ceiling'])
    .optional()
    .describe("It is andon's own wait, and no program's: no call was made."),
  estimate: z
    .strictObject({ usd: z.number(), tokens: z.int() })
    .optional()
    .describe('A model may have been asked, and not all of its usage is known: what is charged for the unknown part.'),
  nudged: z.literal(true).optional().describe('A human wanted this try; it does not lengthen the next pause.'),
  usd: z.number().nullable(),
  tokensIn: z.int().nullable(),
  tokensOut: z.int().nullable(),
  ms: z.int(),
}));

/** A wait of andon's own ended: hours opened, a ceiling reset. */
const releasedSchema = entry('released', () => ({}));

/** A transition with its outcome: one entry, so that neither is lost alone. */
const movedSchema = entry('moved', () => ({
  event: z.string() as unknown as z.ZodType<StepEvent>, // another version's name is kept
  from: z.enum(STATUSES),
  to: z.enum(STATUSES),
  reason: z.string(),
  facts: factsSchema(),
}));

/** A merge begins: records its result, so that a restart can tell whether it happened. */
const mergingSchema = entry('merging', () => ({
  target: z.string(),
  old: z.string(),
  commit: z.string(),
  tip: z.string(),
}));

const undoneSchema = entry('undone', () => ({ commit: z.string(), by: z.string() }));

/** A person paused or resumed the line of this repository; it concerns the line, not a task. */
const pausedSchema = entry('paused', () => ({ by: z.string() }));
const unpausedSchema = entry('unpaused', () => ({ by: z.string() }));

/** A halted task was parked so that others continue; its files move to its own folder. */
const parkedSchema = entry('parked', () => ({ halt: z.string() }));

/** An answered parked task is on the line again; its files are back in their usual place. */
const takenUpSchema = entry('taken_up', () => ({}));
/** A person moved or removed a waiting contract; it concerns the line. */
const rankedSchema = entry('ranked', () => ({
  by: z.string(),
  task: z.string(),
  to: z.enum(['first', 'last', 'before', 'out']),
  before: z.array(z.string()).describe('The tasks that were to come behind it.'),
}));

/** An event was sent over a channel; written afterwards, so that a restart does not send it twice. */
const notifiedSchema = entry('notified', () => ({
  key: z.string().describe('What tells this event from every other.'),
  channel: z.enum(CHANNELS),
  failed: z.string().optional().describe('Why the channel could not tell it; it is not tried again.'),
}));

/** The outcome of a soft hook, for the rules as a whole; an event of a task counts once. */
const hookedSchema = entry('hooked', () => ({
  rule: z.string(),
  action: z.enum(['RAISED', 'TOLD', 'IGNORED', 'COMPLIED']).describe('TOLD: it stood in a brief of the task.'),
  task: z.string(),
  tree: z.string(),
}));

/** The judge was asked about a change that is known to be bad; it moves no task. */
const canarySchema = entry('canary', () => ({
  call: z.int(),
  flaw: z.string(),
  verdict: z.string().describe('What the judge said of it.'),
  missed: z.boolean(),
  reviewer: z.string().optional().describe('Which of several judges was tried.'),
}));

/** `andon clean` removed refs and files of an ended task; `andon doctor --journal` skips these attempts from now on. */
const cleanedSchema = entry('cleaned', () => ({
  by: z.string(),
  refs: z.array(z.strictObject({ ref: z.string(), commit: z.string() })),
  archive: z.boolean().describe('Its folder in the archive was removed.'),
}));

/** A person told the agents of a task something; every later prompt of the task has it. */
const saidSchema = entry('said', () => ({ by: z.string(), text: z.string() }));

/** A person commented on a change while its task was under way; it goes back before a merge. */
const commentedSchema = entry('commented', () => ({
  by: z.string(),
  tree: z.string(),
  comments: z.array(humanCommentSchema()),
}));

/** A note for readers of the story, without effect. */
const remarkSchema = entry('remark', () => ({
  text: z.string(),
  refused: z
    .literal(true)
    .optional()
    .describe('An answer to a halt, or a decision on a report, that does not count; it is shown until the line moves.'),
}));

/** Replaces an entry that cannot be read; never written. */
export interface UnreadableEntry {
  readonly kind: 'unreadable';
  readonly at: string;
  readonly seq: number;
  readonly why: string;
}

export const journalEntrySchema = lazy(() =>
  z.discriminatedUnion('kind', [
    admittedSchema(),
    startedSchema(),
    calledSchema(),
    interruptedSchema(),
    heldSchema(),
    releasedSchema(),
    movedSchema(),
    mergingSchema(),
    undoneSchema(),
    pausedSchema(),
    unpausedSchema(),
    parkedSchema(),
    takenUpSchema(),
    rankedSchema(),
    notifiedSchema(),
    hookedSchema(),
    canarySchema(),
    cleanedSchema(),
    saidSchema(),
    commentedSchema(),
    remarkSchema(),
  ]),
);
export type JournalEntry = z.infer<ReturnType<typeof journalEntrySchema>> | UnreadableEntry;

export type Admitted = z.infer<ReturnType<typeof admittedSchema>>;
export type Moved = z.infer<ReturnType<typeof movedSchema>>;
export type Called = z.infer<ReturnType<typeof calledSchema>>;
export type HeldEntry = z.infer<ReturnType<typeof heldSchema>>;
export type Started = z.infer<ReturnType<typeof startedSchema>>;
