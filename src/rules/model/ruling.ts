import { z } from 'zod';
import type { Finding } from './finding.ts';
import { HANDLERS, PHASES, PRIORITIES, SUPPRESSORS, VIOLATION_TYPES, type Phase } from './rule-words.ts';
import { formatDoubt } from './inspection.ts';
import { formatPlace } from '../../base/format-place.ts';
import { closedObject } from '../../base/shape.ts';

const RULED_MOMENTS = ['contract', 'fixes', 'change', 'gates', 'review', 'report'] as const;
export type RuledMoment = (typeof RULED_MOMENTS)[number];

/** Each moment of a task: the phase of its rules, and who speaks. */
export const MOMENTS_OF_TASK: Readonly<Record<RuledMoment, { readonly phase: Phase; readonly agent: string }>> = {
  contract: { phase: 'TASKS', agent: 'Architect' },
  fixes: { phase: 'TASKS', agent: 'FloorManager' },
  change: { phase: 'IMPLEMENTATION', agent: 'Implementer' },
  gates: { phase: 'TEST', agent: 'Implementer' },
  review: { phase: 'REVIEW', agent: 'LocalReviewer' },
  report: { phase: 'REVIEW', agent: 'Judge' },
};

/** One violation and its handling; secrets are masked. */
const ruledSchema = closedObject(() => ({
  rule: z.string(),
  title: z.string(),
  priority: z
    .enum(PRIORITIES)
    .describe('As it counts here and now: a soft hook that was ignored too often counts for more.'),
  handler: z.enum(HANDLERS),
  hard: z.boolean(),
  does: z
    .enum(['stop', 'quick_fix', 'regenerate', 'log', 'hook', 'later', 'suppressed', 'not_sure'])
    .describe(
      'stop: the line halts. regenerate: the answer goes back to its author. later: its priority may not act in this phase; it is recorded. not_sure: the words do not decide; it is shown.',
    ),
  message: z.string(),
  suggestion: z.string().optional(),
  file: z.string().optional(),
  line: z.int().optional(),
  excerpt: z.string().optional(),
  fingerprint: z.string(),
  fix: z.strictObject({ type: z.string(), most: z.int() }).optional(),
  by: z.enum(SUPPRESSORS).optional().describe('What suppressed it; a word of yours at a halt waives.'),
  until: z.enum(PHASES).optional().describe('The phase in which what is put off surfaces.'),
  notify: z.literal(true).optional().describe('A person is notified.'),
  rollback: z
    .boolean()
    .optional()
    .describe('Whether the work begins again from the target; without it, where the line stops.'),
  penalty: z
    .union([z.int(), z.literal('MAX')])
    .optional()
    .describe('What it adds to the review cycles.'),
  violation: z.enum(VIOLATION_TYPES).optional().describe('How an answer fails the rule.'),
  reason: z.string().optional().describe('What was computed or judged of the answer.'),
  not_sure: z.string().optional().describe('The words alone do not decide: what would.'),
  because: z.string().optional().describe('Why it does not do what its rule says.'),
}));
export type RuledFinding = z.infer<ReturnType<typeof ruledSchema>>;

export const rulingSchema = closedObject(() => ({
  moment: z.enum(RULED_MOMENTS),
  phase: z.enum(PHASES),
  score: z.int(),
  found: z.array(ruledSchema()),
  unchecked: z.array(z.string()).describe('What could not be checked; it is never a pass.'),
}));
export type Ruling = z.infer<ReturnType<typeof rulingSchema>>;

/** The violations that stop the line, over several rulings. */
export const listStopping = (rulings: readonly Ruling[]): readonly RuledFinding[] =>
  rulings.flatMap(({ found }) => found.filter(({ does }) => does === 'stop'));

/** A violation as a review finding; those that its handler sends back block. */
export const toFinding = (one: RuledFinding): Finding => ({
  source: 'rules',
  severity: one.does === 'quick_fix' ? 'high' : one.priority === 'P3' ? 'low' : 'medium',
  category: 'rule',
  ...(one.file === undefined ? {} : { file: one.file }),
  ...(one.line === undefined || one.line < 1 ? {} : { line: one.line }),
  description: `[${one.rule}] ${one.message}${one.suggestion === undefined ? '' : ` ${one.suggestion}`}`,
  ...(one.excerpt === undefined || one.excerpt === '' ? {} : { evidence: one.excerpt }),
  security: false,
});

export const listDoubts = ({ found }: Ruling): readonly RuledFinding[] =>
  found.filter(({ not_sure: answer, does }) => answer !== undefined && does !== 'suppressed');

export function formatRuling(one: RuledFinding): string {
  if (one.not_sure !== undefined) return formatDoubt(one.rule, one.reason ?? '', one.not_sure);
  const { rule, message, suggestion, file, line, excerpt } = one;
  const place = file === undefined ? '' : ` ${formatPlace(file, line)}`;
  const seen = excerpt === undefined || excerpt === '' ? '' : ` (${excerpt})`;
  return `[${rule}]${place} ${message}${seen}${suggestion === undefined ? '' : ` ${suggestion}`}`
    .replace(/\s+/g, ' ')
    .trim();
}
