import type { Rule } from '../../rule-model/rule.ts';
import type { RulePlace } from '../../rule-model/rule-words.ts';
import { isJudged } from './judge.ts';

/** Whether a rule is held against what agents answer, by one of the two lanes: such an answer can go back and be given anew. */
export const isOfAnswers = (rule: Rule): boolean =>
  (rule.enforcement_expression !== undefined || isJudged(rule)) && ANSWERS.includes(rule.match?.on ?? 'response');

const ANSWERS: readonly RulePlace[] = ['response', 'report'];
