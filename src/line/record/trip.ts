import { z } from 'zod';
import { gateConsentSchema } from './base-run.ts';
import { STATUSES } from '../../base/names.ts';
import { closedObject } from '../../base/shape.ts';

/** In order of blame: of several tripped breakers, the first is the reason. */
export const BREAKERS = [
  'contract_tampered',
  'fault',
  'judge_halt',
  'rule_violation',
  'scope',
  'weakened_gate',
  'destructive_action',
  'paradox',
  'hallucination_loop',
  'rebuttal_limit',
  'gpt_energy',
  'review_cycle_limit',
  'unreadable_report',
  'stalled',
  'budget',
  'merge_blocked',
  'base_red',
  'unavailable',
  'cord',
] as const;
export type BreakerId = (typeof BREAKERS)[number];

/** The effect of a resume on the record: where the line continues, and its new permissions. */
export const effectSchema = closedObject(() => ({
  to: z.enum(STATUSES),
  rebuttals: z.int().optional().describe('Raises max_rebuttals by this much.'),
  reviewCycles: z.int().optional().describe('Raises max_review_cycles by this much.'),
  stallTries: z.int().optional().describe('Forgives this many more failures of an agent.'),
  scopeTries: z.int().optional().describe('Forgives this many more answers outside the scope.'),
  polishRounds: z.int().optional().describe('Allows this many more rounds about taste alone.'),
  reportTries: z.int().optional().describe('Forgives this many more unreadable reports.'),
  usd: z.number().optional(),
  tokens: z.int().optional(),
  minutes: z.number().optional(),
  timeoutMinutes: z.number().optional().describe('Raises the stall limit by this much.'),
  diffSize: z.int().optional(),
  approveTree: z.string().optional().describe('This tree, and no other, may pass the breaker.'),
  shrink: z.boolean().optional().describe('Answers may shorten files, as with allow_shrink.'),
  paths: z.array(z.string()).optional().describe('Widens allowed_paths by exactly these.'),
  onlyGates: z.boolean().optional().describe('The tree stays; the line goes on at its gates.'),
  fresh: z.boolean().optional().describe('The next attempt starts from the target branch again.'),
  base: z.string().optional().describe('The commit of the target branch to build on from now on.'),
  verdict: z.enum(['PASS', 'FAIL']).optional().describe('Whose side the human took on the last report.'),
  contract: z.enum(['edited', 'journal']).optional().describe('Which version of the contract holds.'),
  waive: z.array(z.string()).optional().describe('These findings of rules, by fingerprint, may stand in this task.'),
  gates: z
    .array(gateConsentSchema())
    .optional()
    .describe('Gates that may be other than green on the base, and how; [] asks the target again.'),
  waitFor: z.string().optional().describe('Only in older journals.'),
  allowWeakened: z
    .array(z.string())
    .optional()
    .describe('Gates and tests may be weakened in exactly these ways, by their marks.'),
  judgeOutside: z.boolean().optional().describe('From now on an external judge judges this task.'),
  mergeAgain: z.string().optional().describe('This merge was made and taken back; the task may be merged once more.'),
  implementer: z.string().optional().describe('This implementer takes the work over; a person named it.'),
  nextImplementer: z.boolean().optional().describe('The next implementer of the contract takes the work over.'),
  say: z.string().optional().describe('Told to the implementer in its next brief.'),
}));
export type ResumeEffect = z.infer<ReturnType<typeof effectSchema>>;

const pathSchema = closedObject(() => ({
  title: z.string(),
  does: z.string(),
  effect: effectSchema(),
  typed: z.literal(true).optional().describe('Requires typing the task id.'),
  reasoned: z.literal(true).optional().describe('Taken only with a reason, which is recorded.'),
}));
export type Path = z.infer<ReturnType<typeof pathSchema>>;

/** The scope of a halt: its task, which is parked while others continue; or the whole line. */
const REACHES = ['task', 'line'] as const;
export type HaltReach = (typeof REACHES)[number];

/** Why the line must stop: the figures, and the positions of the parties in their own words. */
const tripSchema = closedObject(() => ({
  breaker: z.enum(BREAKERS),
  reason: z.string(),
  sides: z.array(z.strictObject({ who: z.string(), says: z.string() })),
}));
export type Trip = z.infer<ReturnType<typeof tripSchema>>;

/** A halt: the blamed trip, the others, both paths, and what the choice is bound to. */
export const haltSchema = closedObject(() => ({
  id: z.string(),
  trip: tripSchema(),
  also: z.array(tripSchema()),
  paths: z.tuple([pathSchema(), pathSchema()]),
  statusBefore: z.enum(STATUSES),
  reach: z.enum(REACHES).optional().describe('How wide it is; a halt that does not say stops the line.'),
  tree: z.string().nullable(),
  nonce: z
    .string()
    .optional()
    .describe('Unguessable, and told in its report only: an answer in a file names it, so none lay there before.'),
}));
export type Halt = z.infer<ReturnType<typeof haltSchema>>;

/** The scope of a halt; without one, in older entries, it stops the line. */
export const haltReach = ({ reach }: Halt): HaltReach => reach ?? 'line';
