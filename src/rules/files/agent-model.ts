import { failure, success, type Outcome } from '../../base/outcome.ts';
import {
  reserveCall,
  runReserved,
  type ReservedCall,
  type StandaloneServices,
} from '../../agents/calls/run-standalone.ts';
import type { Worker } from '../../agents/calls/resolve-driver.ts';
import type { Brief, Transcript } from '../../agents/agent.ts';
import { readOnlyObject } from '../../agents/json-objects.ts';
import type { LanguageModel, ModelAnswer } from '../../agents/language-model.ts';
import type { WorkFolders } from '../../project/folders/work-folders.ts';
import type { PlainQuestion } from './ask-with-retry.ts';

let calls = 0;

/** The calls of this process: one that may use all that a ceiling leaves holds the others. */
const running = new Set<Promise<unknown>>();

/**
 * An agent as a language model: each question is a call in an empty folder, with a reserve of its own. A failed call is
 * not repeated.
 */
export function createAgentModel(
  services: StandaloneServices & { readonly folders: Pick<WorkFolders, 'empty' | 'tidy'> },
  worker: Worker,
  timeoutMs: number,
): LanguageModel {
  const run = async (brief: Brief, taken: ReservedCall, signal: AbortSignal): ReturnType<LanguageModel['ask']> => {
    calls += 1;
    const place = `rule-${process.pid}-${calls}`;
    try {
      const makeFolder = (): string => services.folders.empty(place);
      const result = await runReserved(worker, taken, { brief, makeFolder, signal });
      if (!result.ok) return failure({ kind: 'refused', detail: `${result.why.kind}: ${result.why.detail}` });
      const answer = readObjectAnswer(result.value);
      return answer.ok ? answer : failure({ kind: 'unreadable', detail: answer.why });
    } finally {
      services.folders.tidy(place);
    }
  };
  return {
    name: formatWorker(worker),
    async ask({ signal, ...question }) {
      const brief = toBrief(question);
      const wanted = { station: 'llm', prompt: brief.prompt, minutes: timeoutMs / 60_000, isTyped: true };
      let taken = reserveCall(services, worker, wanted);
      while (!taken.ok && running.size > 0 && !signal.aborted) {
        await Promise.allSettled([Promise.race(running)]);
        taken = reserveCall(services, worker, wanted);
      }
      if (!taken.ok) return failure({ kind: 'refused', detail: `not asked: ${taken.why.reason}` });
      const answer = run(brief, taken.value, signal);
      running.add(answer);
      try {
        return await answer;
      } finally {
        running.delete(answer);
      }
    },
  };
}

export const formatWorker = ({ agent, model }: Worker): string => `${agent.id}${model === '' ? '' : ` ${model}`}`;

/** A question as a prompt: not every program enforces a schema, so the prompt holds it too. */
export const toBrief = ({ system, prompt, schema }: PlainQuestion): Brief => ({
  prompt: [
    system,
    prompt,
    `Answer with one JSON object and no other text. Its JSON Schema: ${JSON.stringify(schema)}`,
  ].join('\n\n'),
  schema,
});

/** The one JSON object of an answer. Of several, none counts. */
export function readObjectAnswer({ structured, text, ...usage }: Transcript): Outcome<ModelAnswer, string> {
  const read = readOnlyObject({ text, structured }, 'answer', (data) => ({ success: true, data }));
  if (!read.ok) return read;
  const { tokensIn, tokensOut, usd } = usage;
  return success({ value: read.value, tokensIn, tokensOut, usd });
}
