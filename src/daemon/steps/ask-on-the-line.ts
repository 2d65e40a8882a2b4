import { failure, success } from '../../base/outcome.ts';
import type { ModelReply, PlainQuestion } from '../../inspection/ask-with-retry.ts';
import type { ModelAccess } from '../../inspection/lane-tools.ts';
import { findJsonObjects } from '../../line/stations/json-objects.ts';
import { callAgent } from '../calls/call-agent.ts';
import type { NoTranscript } from '../calls/without-transcript.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';
import type { StepJournal } from '../journal/step-journal.ts';
import type { CallServices } from '../../wiring/services.ts';

/** A model that is asked about rules in the middle of a step. */
interface LineAsking extends ModelAccess {
  /** Why no further call is made: the budget, or a wait that took too long. Throws when andon stops. */
  ended(): NoTranscript | undefined;
}

/**
 * Asks the local reviewer's program about an answer: one question after the other, each a call of the line with a reserve, a
 * limit and its entries in the journal. `llm_judge_models` that begin with the program's name (`ollama/…`) take over from
 * one another; without one the local reviewer's own model answers.
 */
export function createLineAsker(services: CallServices, log: StepJournal, signal: AbortSignal): LineAsking {
  const { agent, model: usual } = resolveWorker(services, log.record, 'local-reviewer');
  const own = `${agent.id}/`;
  const named = services.settings.pipeline.llmJudgeModels.filter((one) => one.startsWith(own));
  const models = named.length === 0 ? [usual] : named.map((one) => one.slice(own.length));
  let thrown: { readonly error: unknown } | undefined;
  let ended: NoTranscript | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const askOne = async (question: PlainQuestion, model: string): Promise<ModelReply> => {
    const transcript = await callAgent(services, log, {
      station: 'local-reviewer',
      brief: { prompt: promptOf(question), schema: question.schema },
      folder: services.folders.empty(log.record.taskId),
      lane: 2,
      model,
      signal,
    });
    if (!transcript.ok) {
      if (transcript.why.by === 'agent')
        return failure(`${transcript.why.failure.kind}: ${transcript.why.failure.detail}`);
      ended = transcript.why;
      return failure(transcript.why.reason);
    }
    const { structured, text, tokensIn, tokensOut } = transcript.value;
    const [value, ...more] = structured === undefined ? findJsonObjects(text) : [structured];
    if (value === undefined || more.length > 0)
      return failure(value === undefined ? 'it gave no object as its answer' : 'it gave more than one answer');
    return success({ value, tokensIn, tokensOut });
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
    name: `${agent.id} ${models.join(', ')}`,
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

const promptOf = ({ system, prompt }: PlainQuestion): string =>
  [system, prompt, 'Answer with one JSON object and no other text.'].join('\n\n');
