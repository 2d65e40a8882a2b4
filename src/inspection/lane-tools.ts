import { randomBytes } from 'node:crypto';
import { sha256 } from '../base/sha256.ts';
import { JUDGE_OPINION_JSON_SCHEMA } from '../rule-model/judge-opinion.ts';
import type { RuleMatch } from '../rule-model/inspection.ts';
import type { CheckTools } from '../rules/checks/check.ts';
import { matchFromJudge, undecidedByJudge } from '../rules/lanes/judge.ts';
import { masked } from '../rules/secrets/mask.ts';
import { mayBeAsked, ofKind } from '../rules/variables/model-variables.ts';
import type { Asked, PlainQuestion } from './ask-politely.ts';
import { REWRITE_SCHEMA, extractQuestion, judgeQuestion, rewriteQuestion } from './model-questions.ts';
import type { Rewriting } from './model-questions.ts';

/** How models are asked, and by which name answers are kept. */
export interface Asking {
  readonly name: string;
  readonly ask: (question: PlainQuestion, signal?: AbortSignal) => Promise<Asked>;
}

/** Room for a verdict, a sentence and a quote, also for a model that thinks before it answers. */
const ANSWER_TOKENS = 1000;
const RESPONSE_TOKENS = 4000;

/** Lane 2 by a language model; what it decided about a rule and a text is not asked again. What could be a secret stays here. */
export function judgeBy({ name, ask }: Asking): NonNullable<CheckTools['judge']> {
  const decided = new Map<string, Promise<RuleMatch>>();
  return (rule, response) => {
    const text = masked(response);
    const key = sha256(JSON.stringify([name, rule.condition_text, rule.action_text, text]));
    const known = decided.get(key);
    if (known !== undefined) return known;
    if (decided.size >= MOST_KEPT) decided.clear();
    const asked = ask({
      ...judgeQuestion(rule, text, nonce()),
      schema: JUDGE_OPINION_JSON_SCHEMA,
      maxAnswerTokens: ANSWER_TOKENS,
    }).then((answer) => {
      const match = answer.ok
        ? matchFromJudge(answer.value.value, text)
        : undecidedByJudge(`${name} was asked: ${answer.why}`);
      if (match.status === 'UNDECIDED') decided.delete(key);
      return match;
    });
    decided.set(key, asked);
    return asked;
  };
}

const MOST_KEPT = 1000;

/** Variables of a text by a language model, those alone that it may be asked for, each of the kind it must be. */
export const extractBy =
  ({ ask }: Asking): NonNullable<CheckTools['extract']> =>
  async ({ extract: own = {} }, names, text) => {
    const wanted = names.filter((name) => mayBeAsked(name, own));
    if (wanted.length === 0) return {};
    const answer = await ask({
      ...extractQuestion(wanted, own, masked(text), nonce()),
      maxAnswerTokens: ANSWER_TOKENS,
    });
    const value = answer.ok ? answer.value.value : undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return ofKind(Object.fromEntries(Object.entries(value).filter(([name]) => wanted.includes(name))), own);
  };

/** A response that a language model writes anew; undefined where nothing came of it. */
export const rewriteBy =
  ({ ask }: Asking) =>
  async (rewriting: Rewriting): Promise<string | undefined> => {
    const kept = { ...rewriting, before: masked(rewriting.before), context: rewriting.context.map(masked) };
    const answer = await ask({
      ...rewriteQuestion(kept, nonce()),
      schema: REWRITE_SCHEMA,
      maxAnswerTokens: RESPONSE_TOKENS,
    });
    const value = answer.ok ? answer.value.value : undefined;
    const text = typeof value === 'object' && value !== null && 'response' in value ? value.response : undefined;
    return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  };

const nonce = (): string => randomBytes(8).toString('hex');
