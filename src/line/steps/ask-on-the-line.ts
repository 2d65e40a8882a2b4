import { failure, success } from '../../base/outcome.ts';
import { formatWorker, readObjectAnswer, toBrief } from '../../rules/files/agent-model.ts';
import type { ModelReply, PlainQuestion } from '../../rules/files/ask-with-retry.ts';
import { askAboutRules, type ModelAccess } from '../../rules/files/lane-tools.ts';
import type { AskModel } from '../../rules/checks/check.ts';
import { callAgent, type CallFailure } from '../calls/call-agent.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';
import { resolveAnswerer } from '../../agents/calls/resolve-driver.ts';
import type { StepJournal } from '../journal/step-journal.ts';
import type { CallServices } from '../services/services.ts';

/** A model that is asked about rules in the middle of a step. */
interface LineAsking extends ModelAccess {
  /** Why no further call is made: the budget, or a wait that took too long. Throws when andon stops. */
  ended(): CallFailure | undefined;
}

/**
 * Asks the agent of `llm`, else the local reviewer's program, about an answer: one question after the other, each a
 * call of the line with a reserve, a limit and its entries in the journal. `llm_judge_models` that begin with the
 * program's name (`ollama/…`) take over from one another; without one the usual model answers.
 */
export function createLineAsker(
  services: CallServices,
  log: StepJournal,
  signal: AbortSignal,
  mayBeMissed = false,
): LineAsking {
  const answerer = resolveAnswerer(services) ?? success(resolveWorker(services, log.record, 'local-reviewer'));
  if (!answerer.ok) return { name: 'llm', ask: () => Promise.resolve(answerer), ended: () => undefined };
  const worker = answerer.value;
  const own = `${worker.agent.id}/`;
  const named = services.settings.pipeline.llmJudgeModels.filter((one) => one.startsWith(own));
  const models = named.length === 0 ? [worker.model] : named.map((one) => one.slice(own.length));
  let thrown: { readonly error: unknown } | undefined;
  let ended: CallFailure | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const askOne = async (question: PlainQuestion, model: string): Promise<ModelReply> => {
    const transcript = await callAgent(services, log, {
      station: 'local-reviewer',
      worker,
      brief: toBrief(question),
      folder: services.folders.empty(log.record.taskId),
      lane: 2,
      model,
      mayBeMissed,
      signal,
    });
    if (!transcript.ok) {
      if (transcript.why.by === 'agent')
        return failure(`${transcript.why.failure.kind}: ${transcript.why.failure.detail}`);
      ended = transcript.why;
      return failure(transcript.why.reason);
    }
    return readObjectAnswer(transcript.value);
  };
  const ask = async (question: PlainQuestion): Promise<ModelReply> => {
    let answer: ModelReply = failure('there is no model to ask');
    for (const model of models) {
      if (thrown !== undefined || ended !== undefined) return failure('not asked: asking has ended');
      try {
        answer = await askOne(question, model);
      } catch (error) {
        thrown = { error };
        return failure('it was stopped');
      }
      if (answer.ok) return answer;
    }
    return answer;
  };
  return {
    name: models.map((model) => formatWorker({ ...worker, model })).join(', '),
    ask(question) {
      const mine = last.then(() => ask(question)); // the line makes one call at a time
      last = mine;
      return mine;
    },
    ended() {
      if (thrown !== undefined) throw thrown.error;
      return ended;
    },
  };
}

/**
 * Applies rules with the agent of `llm`, where one is named, for what words do not decide. The line does not wait for
 * it: without an answer a rule stays not sure.
 */
export async function askDoubts<Result>(
  services: CallServices,
  log: StepJournal,
  signal: AbortSignal,
  apply: (ask: AskModel | undefined) => Promise<Result>,
): Promise<Result> {
  if (services.settings.llm.agent === undefined) return apply(undefined);
  const asking = createLineAsker(services, log, signal, true);
  const result = await apply(askAboutRules(asking));
  asking.ended();
  return result;
}
