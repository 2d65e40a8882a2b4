import type { DataSet } from '../data-set.ts';
import { EXPRESSION_ESCAPES, EXPRESSION_PARITY, EXPRESSION_PARITY_MADE } from './expressions.ts';
import { ANSWER_RELEVANCE, REFUSALS } from './answers.ts';
import { AGENT_MESSAGES, MAMA_AGENT_RESPONSES } from './messages.ts';
import { NEGEX_ANNOTATIONS } from './negex-annotations.ts';
import { PLAN_VS_RULES, PLAN_VS_RULES_FRESH, PLAN_VS_RULES_MORE, PLAN_VS_RULES_TUNING } from './plan-vs-rules.ts';
import { REGEX_SAFETY, YAML_HOSTILE } from './safety.ts';
import { SECOND_ATTEMPTS } from './second-attempts.ts';
import { DETECT_SECRETS_TESTS, GITLEAKS_RULE_TESTS, SECRETLINT_FIXTURES, SECRETS_IN_FILES } from './secrets.ts';
import { SECRETS_IN_SOURCE } from './secrets-in-source.ts';
import { VARIABLE_EXTRACTION, VARIABLE_TEMPLATES } from './variables.ts';

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
  SECRETS_IN_FILES,
  SECRETS_IN_SOURCE,
  REGEX_SAFETY,
  YAML_HOSTILE,
  SECOND_ATTEMPTS,
  EXPRESSION_PARITY,
  EXPRESSION_PARITY_MADE,
  EXPRESSION_ESCAPES,
  ANSWER_RELEVANCE,
  REFUSALS,
  VARIABLE_EXTRACTION,
  VARIABLE_TEMPLATES,
  AGENT_MESSAGES,
  MAMA_AGENT_RESPONSES,
];
