import { z } from 'zod';
import { closed, spoken } from './shape.ts';

/** How bad a finding is, mildest first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One thing somebody or something found in a change. */
export const findingSchema = closed(() => ({
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

/** Findings that send a change back: high and critical ones. */
export const blocks = (finding: Finding): boolean => finding.severity === 'high' || finding.severity === 'critical';

/** A finding as one line of text for briefs and reports. */
export function inOneLine(finding: Finding): string {
  const place =
    finding.file === undefined ? '' : ` ${finding.file}${finding.line === undefined ? '' : `:${finding.line}`}`;
  return `[${finding.severity}]${place} ${finding.description.replace(/\s+/g, ' ').trim()}`;
}

/** Folds the many words models use for severity into ours; undefined when it is none of them. */
function toSeverity(written: string): Severity | undefined {
  const word = written.trim().toLowerCase();
  if (['critical', 'blocker', 'severe', 'fatal'].includes(word)) return 'critical';
  if (['high', 'major', 'error', 'important'].includes(word)) return 'high';
  if (['medium', 'moderate', 'warning', 'warn', 'normal'].includes(word)) return 'medium';
  if (['low', 'minor', 'info', 'note', 'nit', 'trivial', 'suggestion', 'style'].includes(word)) return 'low';
  return undefined;
}

/** A finding as reviewers and judges really write it. */
const spokenFindingSchema = spoken(() => ({
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
 * Reads a finding that a model wrote, as an object or as a bare text; undefined when it says nothing or names a severity
 * that is none. A bare text blocks; where the report as a whole calls a critical security flaw, it is that flaw.
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
