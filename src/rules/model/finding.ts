import { z } from 'zod';
import { formatPlace } from '../../base/format-place.ts';
import { closedObject, looseObject } from '../../base/shape.ts';

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One issue in a change, from a tool, a model or a person. */
export const findingSchema = closedObject(() => ({
  source: z.string().describe('Who found it: reviewer, judge, or the name of a scanner.'),
  severity: z.enum(SEVERITIES),
  category: z.string(),
  file: z.string().optional(),
  line: z.int().positive().optional(),
  description: z.string(),
  evidence: z.string().optional(),
  fix: z.string().optional(),
  by: z.array(z.string()).optional().describe('Who of several reviewers holds it, the one that found it first.'),
  weight: z
    .enum(['substantive', 'nit', 'undecided'])
    .optional()
    .describe('What a blocking finding of the judge is about, weighed by andon when the report came in.'),
  unchanged: z
    .boolean()
    .optional()
    .describe('It is about lines that were the same when the judge looked the last time, and passed unblamed.'),
  security: z.boolean().describe('A security matter; together with severity critical it feeds the paradox breaker.'),
}));
export type Finding = z.infer<ReturnType<typeof findingSchema>>;

/** Findings that send a change back: high and critical. */
export const isBlockingFinding = (finding: Finding): boolean =>
  finding.severity === 'high' || finding.severity === 'critical';

export function formatFinding(finding: Finding): string {
  const place = finding.file === undefined ? '' : ` ${formatPlace(finding.file, finding.line)}`;
  return `[${finding.severity}]${place} ${finding.description.replace(/\s+/g, ' ').trim()}`;
}

/** Maps a model's word for severity to ours; undefined when it is unknown. */
function toSeverity(written: string): Severity | undefined {
  const word = written.trim().toLowerCase();
  if (['critical', 'blocker', 'severe', 'fatal'].includes(word)) return 'critical';
  if (['high', 'major', 'error', 'important'].includes(word)) return 'high';
  if (['medium', 'moderate', 'warning', 'warn', 'normal'].includes(word)) return 'medium';
  if (['low', 'minor', 'info', 'note', 'nit', 'trivial', 'suggestion', 'style'].includes(word)) return 'low';
  return undefined;
}

/** A finding as reviewers and judges write it. */
const spokenFindingSchema = looseObject(() => ({
  severity: z.string().optional(),
  category: z.string().optional(),
  file: z.string().nullish(),
  line: z.number().int().nullish(),
  description: z.string().optional(),
  message: z.string().optional(),
  evidence: z.string().nullish(),
  fix_required: z.string().nullish(),
}));

/**
 * Reads a model's finding, an object or a text; undefined when it is empty or its severity is unknown. A text blocks;
 * where the report claims a critical security flaw, the text is that flaw.
 */
export function readFinding(spoken: unknown, source: string, critical = false): Finding | undefined {
  if (typeof spoken === 'string') {
    if (spoken.trim() === '') return undefined;
    return {
      source,
      severity: critical ? 'critical' : 'high',
      category: 'unsorted',
      description: spoken,
      security: critical,
    };
  }
  const parsed = spokenFindingSchema().safeParse(spoken);
  if (!parsed.success) return undefined;
  const { file, line, category = 'unsorted', evidence, fix_required: fix } = parsed.data;
  const description = parsed.data.description ?? parsed.data.message ?? '';
  const severity = parsed.data.severity === undefined ? 'high' : toSeverity(parsed.data.severity);
  if (description.trim() === '' || severity === undefined) return undefined;
  return {
    source,
    severity,
    category,
    description,
    security: category.toLowerCase().includes('security'),
    ...(file ? { file } : {}),
    ...(typeof line === 'number' && line > 0 ? { line } : {}),
    ...(evidence ? { evidence } : {}),
    ...(fix ? { fix } : {}),
  };
}
