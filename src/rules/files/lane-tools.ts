import { isObject } from '../../base/json-object.ts';
import { sha256 } from '../../base/sha256.ts';
import { jsonSchemaForModel } from '../../base/json-schema-for-model.ts';
import { judgeOpinionSchema, ruleOpinionSchema } from '../model/rule-opinion.ts';
import type { RuleMatch } from '../model/inspection.ts';
import type { AskModel, CheckTools } from '../checks/check.ts';
import { createUndecided, matchFromJudge, matchFromOpinion } from '../lanes/judge-response.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import { mayBeAsked, selectByKind } from '../variables/extract-from.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import type { AskInShape, ModelReply } from './ask-with-retry.ts';
import type { FilterRules } from './check-response.ts';
import {
  ANSWER_TOKENS,
  REWRITE_SCHEMA,
  extractQuestion,
  filterQuestion,
  judgeQuestion,
  newNonce,
  rewriteQuestion,
  ruleQuestion,
  type Rewriting,
} from './model-questions.ts';

/** How models are asked, and by which name answers are kept. */
export interface ModelAccess {
  readonly name: string;
  readonly ask: AskInShape;
}

/** Opens the models that rules ask, or throws with what is missing; nothing is asked yet. Of several `models` each takes over where the one before it gives no answer. */
export type OpenModels = (
  place: Workspace,
  env: NodeJS.ProcessEnv,
  models?: readonly string[],
) => Promise<(signal?: AbortSignal) => ModelAccess>;

/** Asks about rules in prose, in question and answer of a fixed shape. Possible secrets are never sent. */
export const askAboutRules =
  ({ name, ask }: ModelAccess): AskModel =>
  async (rule, text) => {
    const question = ruleQuestion(rule, maskSecrets(text), newNonce());
    const schema = jsonSchemaForModel(ruleOpinionSchema(), { isBounded: false });
    const answer = await ask({ ...question, schema, maxAnswerTokens: ANSWER_TOKENS });
    return answer.ok ? matchFromOpinion(answer.value.value) : createUndecided(`${name}: ${answer.why}`);
  };

/** Room for a response. */
const RESPONSE_TOKENS = 4000;

/** Keeps opinions about a rule and a text between runs, by digest; the caller bounds it. */
interface KeptOpinions {
  readOpinion(digest: string): string | undefined;
  keepOpinion(digest: string, text: string): void;
}

/**
 * Lane 2 by a language model. An opinion about a rule and a text is kept for later runs; what could be a secret stays
 * here.
 */
export function judgeBy({ name, ask }: ModelAccess, kept?: KeptOpinions): NonNullable<CheckTools['judge']> {
  return async (rule, response) => {
    const text = maskSecrets(response);
    const key = sha256(JSON.stringify([name, rule.condition_text, rule.action_text, text]));
    const known = readKept(kept, key, text);
    if (known !== undefined) return known;
    const answer = await ask({
      ...judgeQuestion(rule, text, newNonce()),
      schema: jsonSchemaForModel(judgeOpinionSchema(), { isBounded: false }),
      maxAnswerTokens: ANSWER_TOKENS,
    });
    if (!answer.ok) return createUndecided(`${name}: ${answer.why}`);
    const match = matchFromJudge(answer.value.value, text);
    if (match.status !== 'UNDECIDED') keep(kept, key, answer.value.value);
    return match;
  };
}

/** A kept opinion counts only if it would count as the model's answer now: decided, and its quote is in the text. */
function readKept(kept: KeptOpinions | undefined, key: string, text: string): RuleMatch | undefined {
  try {
    const match = matchFromJudge(JSON.parse(kept?.readOpinion(key) ?? ''), text);
    return match.status === 'UNDECIDED' ? undefined : match;
  } catch {
    return undefined; // absent, torn, or of another version: the model is asked
  }
}

/** A failure here costs one more question later. */
function keep(kept: KeptOpinions | undefined, key: string, value: unknown): void {
  try {
    kept?.keepOpinion(key, maskSecrets(JSON.stringify(value)));
  } catch {
    // a full disk is reported by required writes
  }
}

/** Asks a language model which rules apply; an answer with an unknown rule is discarded. */
export const filterBy =
  ({ ask }: ModelAccess): FilterRules =>
  async (rules, query) => {
    if (rules.length > MOST_FILTERED) return undefined;
    const answer = await ask({
      ...filterQuestion(rules, maskSecrets(query), newNonce()),
      maxAnswerTokens: ANSWER_TOKENS,
    });
    const { applies } = fieldsOf(answer);
    const isKnown = (id: unknown): id is string => rules.some((rule) => rule.id === id);
    return Array.isArray(applies) && applies.every(isKnown) ? applies : undefined;
  };

/** More are not put into one question: then all of them stay. */
const MOST_FILTERED = 100;

/** Variables of a text by a language model, those alone that it may be asked for, each of the kind it must be. */
export const extractBy =
  ({ ask }: ModelAccess): NonNullable<CheckTools['extract']> =>
  async ({ extract: own = {} }, names, text) => {
    const wanted = names.filter((name) => mayBeAsked(name, own));
    if (wanted.length === 0) return {};
    const answer = await ask({
      ...extractQuestion(wanted, own, maskSecrets(text), newNonce()),
      maxAnswerTokens: ANSWER_TOKENS,
    });
    const read = Object.entries(fieldsOf(answer)).filter(([name]) => wanted.includes(name));
    return selectByKind(Object.fromEntries(read), own);
  };

/** A response regenerated by a language model; undefined on failure. */
export const rewriteBy =
  ({ ask }: ModelAccess) =>
  async (rewriting: Rewriting): Promise<string | undefined> => {
    const kept = { ...rewriting, before: maskSecrets(rewriting.before), context: rewriting.context.map(maskSecrets) };
    const answer = await ask({
      ...rewriteQuestion(kept, newNonce()),
      schema: REWRITE_SCHEMA,
      maxAnswerTokens: RESPONSE_TOKENS,
    });
    const { response: text } = fieldsOf(answer);
    return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  };

/** The fields of an answer; none where it is no object. */
function fieldsOf(answer: ModelReply): Readonly<Record<string, unknown>> {
  const value = answer.ok ? answer.value.value : undefined;
  return isObject(value) ? value : {};
}
