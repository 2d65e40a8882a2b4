import type { DataSet } from '../data-set.ts';
import { EXPRESSION_ESCAPES, EXPRESSION_PARITY, EXPRESSION_PARITY_MADE } from './expressions.ts';
import { ANSWER_GROUNDING, ANSWER_RELEVANCE, REFUSALS } from './answers.ts';
import { NEGEX_ANNOTATIONS } from './negex-annotations.ts';
import { PLAN_VS_RULES, PLAN_VS_RULES_FRESH, PLAN_VS_RULES_MORE, PLAN_VS_RULES_TUNING } from './plan-vs-rules.ts';
import { REGEX_SAFETY, YAML_HOSTILE } from './safety.ts';
import { SECOND_ATTEMPTS } from './second-attempts.ts';
import { DETECT_SECRETS_TESTS, GITLEAKS_RULE_TESTS, SECRETLINT_FIXTURES } from './secrets.ts';

/** Every kind of data set that can be measured. */
export const SETS: readonly DataSet[] = [
  PLAN_VS_RULES,
  PLAN_VS_RULES_TUNING,
  PLAN_VS_RULES_MORE,
  PLAN_VS_RULES_FRESH,
  NEGEX_ANNOTATIONS,
  GITLEAKS_RULE_TESTS,
  DETECT_SECRETS_TESTS,
  SECRETLINT_FIXTURES,
  REGEX_SAFETY,
  YAML_HOSTILE,
  SECOND_ATTEMPTS,
  EXPRESSION_PARITY,
  EXPRESSION_PARITY_MADE,
  EXPRESSION_ESCAPES,
  ANSWER_RELEVANCE,
  REFUSALS,
  ANSWER_GROUNDING,
];
