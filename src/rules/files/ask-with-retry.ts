import { setTimeout as sleep } from 'node:timers/promises';
import type { LlmSettings } from '../../project/config/llm-settings.ts';
import { ConcurrencyLimit } from '../../base/concurrency-limit.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { ActualUsage } from '../../agents/agent.ts';
import { estimateTokens } from '../../base/estimate-tokens.ts';
import type { LanguageModel, ModelAnswer, ModelQuestion } from '../../agents/language-model.ts';

/** A question without what the asking itself adds. */
export type PlainQuestion = Omit<ModelQuestion, 'signal'>;

/** An answer, not yet trusted, or the reason for a failure. */
export type ModelReply = Outcome<Pick<ModelAnswer, 'value'>, string>;

export type AskInShape = (question: PlainQuestion, signal?: AbortSignal) => Promise<ModelReply>;

/** Reserves the cost of a question from the user's budget over all repositories; the returned callback settles it. */
export type CostMeter = (cost: CostLimit) => Outcome<(used: ActualUsage) => void | Promise<void>, string>;

/** For models whose calls reserve by themselves. */
const RESERVES_ITSELF: CostMeter = () => success(() => {});

/**
 * Asks a model within the limits of a run (concurrency, tokens, time), and retries when the server asks for
 * patience. Of several models each takes over where the one before it gave no answer; all share the limits.
 */
export function askWithRetry(
  models: readonly LanguageModel[],
  settings: LlmSettings,
  reserve: CostMeter = RESERVES_ITSELF,
): AskInShape {
  const limit = new ConcurrencyLimit(settings.concurrency);
  const { maxTokens } = settings;
  let spent = 0;
  const askInTurn = async (question: PlainQuestion, signal: AbortSignal): Promise<ModelReply> => {
    const reserved = costOf(settings, estimateTokens(question.system + question.prompt), question.maxAnswerTokens);
    const once = async (model: LanguageModel): Promise<ModelReply> => {
      if (spent + reserved.tokens > maxTokens)
        return failure(`not asked: it would go beyond the ${maxTokens} tokens of this run (llm.max_tokens)`);
      const taken = reserve(reserved);
      if (!taken.ok) return failure(`not asked: ${taken.why}`);
      spent += reserved.tokens;
      const began = performance.now();
      const answer = await tryAgain(model, question, settings.timeoutMs, signal);
      const used = answer.ok ? answer.value : UNKNOWN_USAGE;
      const real = costOf(settings, used.tokensIn, used.tokensOut);
      const isPriced = used.tokensIn !== null && used.tokensOut !== null && settings.usdPerMillion !== undefined;
      const usd = used.usd ?? (isPriced ? real.usd : null);
      if (used.tokensIn !== null && used.tokensOut !== null) spent += real.tokens - reserved.tokens;
      await taken.value({
        usd,
        tokensIn: used.tokensIn,
        tokensOut: used.tokensOut,
        ms: Math.round(performance.now() - began),
      });
      return answer;
    };
    let answer: ModelReply = failure('there is no model to ask');
    for (const model of models) {
      answer = await once(model);
      if (answer.ok || signal.aborted) break;
    }
    return answer;
  };
  return async (question, signal = NEVER) =>
    (await limit.take(signal, () => askInTurn(question, signal))) ?? failure('it was stopped');
}

const NEVER = new AbortController().signal;

const UNKNOWN_USAGE = { tokensIn: null, tokensOut: null, usd: null } as const;

/** What a question may come to, at most. */
type CostLimit = ReturnType<typeof costOf>;

function costOf({ usdPerMillion }: LlmSettings, tokensIn: number | null, tokensOut: number | null) {
  const [questions, answers] = [tokensIn ?? 0, tokensOut ?? 0];
  const { input, output } = usdPerMillion ?? { input: 0, output: 0 };
  return { tokens: questions + answers, usd: (questions * input + answers * output) / 1_000_000 };
}

const TRIES = 3;
/** A server that asks for more patience than this is not waited for. */
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 1000;

async function tryAgain(
  model: LanguageModel,
  question: PlainQuestion,
  timeoutMs: number,
  stopped: AbortSignal,
): Promise<Outcome<ModelAnswer, string>> {
  for (let attempt = 1; ; attempt += 1) {
    const late = AbortSignal.timeout(timeoutMs);
    const answer = await model.ask({ ...question, signal: AbortSignal.any([stopped, late]) });
    if (answer.ok) return answer;
    if (stopped.aborted) return failure('it was stopped');
    if (late.aborted) return failure(`no answer within ${timeoutMs / 1000} s`);
    const { kind, detail, retryAfterMs = FIRST_WAIT_MS * 2 ** (attempt - 1) } = answer.why;
    if (kind !== 'busy') return failure(detail);
    if (attempt === TRIES) return failure(`${detail}; asked ${TRIES} times`);
    if (retryAfterMs > LONGEST_WAIT_MS)
      return failure(`${detail}; it asks to wait for ${Math.ceil(retryAfterMs / 1000)} s, which is too long here`);
    await sleep(retryAfterMs, undefined, { signal: stopped }).catch(() => {});
    if (stopped.aborted) return failure('it was stopped');
  }
}
