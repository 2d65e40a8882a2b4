import { createMatch, type RuleMatch, type Subject } from '../model/inspection.ts';
import { judgeOpinionSchema, ruleOpinionSchema } from '../model/rule-opinion.ts';
import { looksForSomething, type Rule } from '../model/rule.ts';
import type { RulePlace } from '../model/rule-words.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { CheckTools } from '../checks/check.ts';
import { selectTargets } from '../checks/search-targets.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';

/** Whether a judge checks responses against a rule: it demands something and is not computable. */
export const isJudged = ({ action_text: action, enforcement_expression: expression, match, checks }: Rule): boolean =>
  action !== undefined &&
  action.trim() !== '' &&
  expression === undefined &&
  !looksForSomething(match) &&
  checks.length === 0;

/** Whether a lane checks answers of agents against a rule: such an answer can be sent back. */
export const isOfAnswers = (rule: Rule): boolean =>
  (rule.enforcement_expression !== undefined || isJudged(rule)) && ANSWERS.includes(rule.match?.on ?? 'response');

const ANSWERS: readonly RulePlace[] = ['response', 'report'];

/**
 * Lane 2: what a judge says of a response and a rule that nothing can compute. Nothing where no judge was brought along
 * (not asked for) or the rule needs no judge; a judge without an opinion leaves the rule undecided.
 */
export async function judgeResponse(rule: Rule, subject: Subject, tools: CheckTools): Promise<readonly RuleMatch[]> {
  const { judge } = tools;
  if (judge === undefined || !isJudged(rule)) return [];
  const texts = selectTargets(subject, rule.match?.on ?? 'response', rule.match);
  return Promise.all(texts.map(({ haystack }) => judge(rule, haystack.text)));
}

/**
 * A judge's answer as what the lane says. Only the one field that the shape names is a verdict; a violation counts only
 * with words that stand in the text, which code looks up.
 */
export function matchFromJudge(value: unknown, text: string): RuleMatch {
  const parsed = judgeOpinionSchema().safeParse(value);
  if (!parsed.success) return createUndecided('the judge gave no answer of the shape that was asked for');
  const { verdict, reason, quote } = parsed.data;
  const why = toTerminalLine(maskSecrets(reason), 300);
  if (verdict === 'PASS') return createMatch('llm', 'PASS', SURE, why);
  if (verdict === 'UNDECIDED') return createUndecided(why);
  if (!containsPlainQuote(quote, text))
    return createUndecided(
      `the judge says VIOLATED and quotes words that are not there: ${toTerminalLine(maskSecrets(quote), 120)}`,
    );
  const place = { excerpt: toTerminalLine(maskSecrets(quote), 200), matched: plain(quote) };
  const match = createMatch('llm', 'VIOLATED', SURE, why === '' ? 'the judge gives no reason' : why, [place]);
  return { ...match, violation: 'llm_judge_failed' };
}

/** A model's answer about a rule in prose. Only the one field that the shape names is a status. */
export function matchFromOpinion(value: unknown): RuleMatch {
  const parsed = ruleOpinionSchema().safeParse(value);
  if (!parsed.success) return createUndecided('the language model gave no answer of the shape that was asked for');
  const { status, confidence, reason } = parsed.data;
  return createMatch('llm', status, confidence, toTerminalLine(maskSecrets(reason), 300));
}

/** The result without a decision: never a pass. */
export const createUndecided = (why: string): RuleMatch =>
  createMatch('llm', 'UNDECIDED', 0, why === '' ? 'the judge does not say why' : why);

const SURE = 0.9;

/** Quotes are compared without blanks and the form of quotation marks. */
const containsPlainQuote = (quote: string, text: string): boolean =>
  plain(quote) !== '' && plain(text).includes(plain(quote));

const plain = (text: string): string => text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/\s+/g, ' ').trim();
