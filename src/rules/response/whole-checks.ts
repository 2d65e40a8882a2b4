import type { AnswerCheck } from '../model/rule-opinion.ts';
import type { RuleMatch } from '../model/inspection.ts';
import type { Rule } from '../model/rule.ts';
import type { Enforcement } from '../run-rules.ts';

/** Relevance or grounding as a result beside those of rules. */
export type FurtherCheck = NonNullable<Enforcement['further']>[number];

/** The names under which the two stand among the results of rules. */
export const RELEVANCE = 'relevance';
export const GROUNDING = 'grounding';

/** What came of relevance: whether the response addresses what was asked. */
export const relevanceResult = (check: AnswerCheck): FurtherCheck => ({
  rule: wholeRule(RELEVANCE, 'Relevance Check', 'the response does not address what was asked'),
  matches: [matchOf(check, 'relevance_failed')],
});

/** What came of grounding: whether the context carries the response. */
export const groundingResult = (check: AnswerCheck): FurtherCheck => ({
  rule: wholeRule(GROUNDING, 'Grounding Check', 'the context does not carry the response'),
  matches: [matchOf(check, 'grounding_failed')],
});

function matchOf(
  { status, score, details, bypass }: AnswerCheck,
  violation: 'relevance_failed' | 'grounding_failed',
): RuleMatch {
  const reason = `${details}${score === undefined ? '' : ` (score ${score.toFixed(2)})`}${bypass ? ' (bypass)' : ''}`;
  const base = { layer: 'exact', confidence: score ?? 1, reason, places: [] } as const;
  if (status === 'passed') return { ...base, status: 'PASS' };
  // Who cannot tell says so; that is no reason against a response, and no pass either.
  if (status === 'abstained') return { ...base, status: 'NOT_COVERED' };
  return { ...base, status: 'VIOLATED', violation };
}

/** A check that no rule file names counts as a hard constraint of its own once it is switched on. */
const wholeRule = (id: string, title: string, message: string): Rule => ({
  id,
  version: '1.0.0',
  title,
  severity: 'HIGH',
  priority: 'P1',
  modality: 'MUST',
  category: 'response',
  tags: [],
  stack: [],
  phase: ['REVIEW'],
  handler: 'QUICK_FIX',
  scope: 'GLOBAL',
  is_hard_constraint: true,
  checks: [],
  on_missing: 'not_applicable',
  message,
  agents: [],
  attached_tool_ids: [],
  waivable: true,
  tests: { violates: [], passes: [] },
  metadata: {},
});
