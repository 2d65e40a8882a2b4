import type { AnswerCheck } from '../model/rule-opinion.ts';
import { createMatch, type RuleMatch } from '../model/inspection.ts';
import { ruleSchema } from '../model/rule.ts';
import { LADDER } from '../enforce/ladder.ts';
import { normalise } from '../load/normalise.ts';
import type { Enforcement } from '../run-rules.ts';

/** Relevance or grounding as a result beside those of rules. */
export type FurtherCheck = NonNullable<Enforcement['further']>[number];

/** The names under which the two stand among the results of rules. */
export const RELEVANCE = 'relevance';
export const GROUNDING = 'grounding';

const WHOLE_CHECKS = {
  relevance: { title: 'Relevance Check', message: 'the response does not address what was asked' },
  grounding: { title: 'Grounding Check', message: 'the context does not carry the response' },
};

/** The result of a check that no rule file names: it counts as a hard constraint of its own. */
export function toWholeCheck(id: keyof typeof WHOLE_CHECKS, check: AnswerCheck): FurtherCheck {
  const written = { id, ...WHOLE_CHECKS[id], severity: 'HIGH', phase: 'REVIEW', category: 'response', checks: [] };
  const { rule } = normalise(ruleSchema().parse({ ...written, is_hard_constraint: true }), LADDER);
  return { rule: { ...rule, waivable: true }, matches: [matchOf(check, `${id}_failed`)] };
}

function matchOf(
  { status, score, details, bypass }: AnswerCheck,
  violation: 'relevance_failed' | 'grounding_failed',
): RuleMatch {
  const reason = `${details}${score === undefined ? '' : ` (score ${score.toFixed(2)})`}${bypass ? ' (bypass)' : ''}`;
  // Who cannot tell says so; that is no reason against a response, and no pass either.
  const statuses = { passed: 'PASS', abstained: 'NOT_COVERED', failed: 'VIOLATED' } as const;
  const match = createMatch('exact', statuses[status], score ?? 1, reason);
  return status === 'failed' ? { ...match, violation } : match;
}
