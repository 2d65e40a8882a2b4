import { z } from 'zod';
import { givenCommentsSchema } from './comment.ts';
import { lazy } from '../../base/lazy.ts';
import { looseObject } from '../../base/shape.ts';

/** Longer than a person types at a halt, and short beside any window. */
export const LONGEST_SENTENCE = 2000;

export const choiceChanges = () => ({
  say: z.string().trim().min(1).max(LONGEST_SENTENCE).optional().describe('A sentence for the agents of the task.'),
  allow: z.array(z.string().min(1).max(500)).max(50).optional().describe('Paths that the task may change as well.'),
  model: z.string().min(1).max(200).optional().describe('The implementer from now on.'),
  budget_usd: z.number().positive().max(100_000).optional().describe('The budget of the whole task in US dollars.'),
  budget_minutes: z
    .number()
    .positive()
    .max(100_000)
    .optional()
    .describe("The budget of the whole task in minutes of agents' time."),
  max_diff_size: z
    .int()
    .positive()
    .max(1_000_000)
    .optional()
    .describe('The most added and deleted lines of the change.'),
});
export type ChoiceChanges = z.infer<z.ZodObject<ReturnType<typeof choiceChanges>>>;

/** Requests of a command to the daemon that holds the lock. */
export const requestSchema = lazy(() =>
  z.discriminatedUnion('do', [
    z.strictObject({
      do: z.literal('resume'),
      taskId: z.string(),
      path: z.union([z.literal(1), z.literal(2)]),
      haltId: z.string().optional(),
      confirm: z.string().optional(),
      reason: z.string().max(500).optional(),
      ...choiceChanges(),
      by: z.string(),
      how: z.string(),
    }),
    z.strictObject({
      do: z.literal('say'),
      taskId: z.string(),
      text: z.string().trim().min(1).max(LONGEST_SENTENCE),
      by: z.string(),
    }),
    z.strictObject({
      do: z.literal('comment'),
      taskId: z.string(),
      haltId: z.string().optional().describe('The halt that is answered with the comments.'),
      tree: z.string().optional().describe('The tree that was commented on.'),
      comments: givenCommentsSchema(),
      by: z.string(),
      how: z.string(),
    }),
    z.strictObject({ do: z.literal('abandon'), taskId: z.string(), by: z.string() }),
    z.strictObject({
      do: z.literal('halt'),
      taskId: z.string().optional().describe('Only this task is meant; without it, the line.'),
      by: z.string(),
      reason: z.string(),
    }),
    z.strictObject({ do: z.literal('retry'), taskId: z.string(), by: z.string() }),
    z.strictObject({ do: z.literal('pause'), by: z.string() }),
    z.strictObject({
      do: z.literal('unpause'),
      since: z.string().optional().describe('Only this pause is meant, by its moment.'),
      by: z.string(),
    }),
    z.strictObject({
      do: z.literal('move'),
      contract: z.string().describe('The task of a contract that waits, or the name of its file.'),
      to: z.enum(['first', 'last', 'before']),
      before: z.string().optional(),
      by: z.string(),
    }),
    z.strictObject({ do: z.literal('withdraw'), contract: z.string(), by: z.string() }),
    z.strictObject({
      do: z.literal('hook'),
      rule: z.string().max(64),
      action: z.enum(['IGNORED', 'COMPLIED']).describe('Outcome, as the checked text shows it.'),
      answer: z.enum(['IGNORE', 'COMPLY']),
      text: z.string().max(64).describe('The digest of that text: the same answer about it counts once.'),
      by: z.string().max(100),
    }),
    z.strictObject({ do: z.literal('undo'), taskId: z.string(), by: z.string() }),
    z.strictObject({
      do: z.literal('clean'),
      before: z.string().describe('Only of tasks that ended before this moment.'),
      attempts: z.boolean(),
      by: z.string(),
    }),
    z.strictObject({ do: z.literal('stop'), by: z.string() }).describe('End the process that watches.'),
  ]),
);
export type Request = z.infer<ReturnType<typeof requestSchema>>;

/** The daemon's answer: the task's status, or why the request was refused. */
export const requestReplySchema = lazy(() =>
  z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), status: z.string(), reason: z.string(), commit: z.string().nullable() }),
    z.strictObject({
      ok: z.literal(false),
      code: z.string(),
      sentence: z.string(),
      remedy: z.string(),
      exitCode: z.literal([1, 2]),
    }),
  ]),
);
export type RequestReply = z.infer<ReturnType<typeof requestReplySchema>>;

/** The last lines of a running call's output, as the daemon hands them to boards. Secrets are masked. */
export const outputTailSchema = looseObject(() => ({
  call: z.int(),
  station: z.string().max(40),
  /** How many lines came before the first of these. */
  first: z.int().min(0),
  lines: z.array(z.string()),
}));
export type OutputTail = z.infer<ReturnType<typeof outputTailSchema>>;
