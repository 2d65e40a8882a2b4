import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { AgentFailure, ModelWindow } from '../../ports/agent.ts';
import { explainOllamaFailure } from './ollama-failures.ts';
import { readAllocatedContext, readShown } from './ollama-output.ts';
import type { AskOllama, OllamaQueryOptions } from './ollama-program.ts';

/** The default window of ollama on a machine with little memory. */
const SMALLEST_WINDOW = 4096;
/** Loading a large model from a slow disk takes minutes; so may writing a new one. */
export const LOAD_MS = 15 * 60_000;
/** How long a loaded model stays in memory; answers ask for the same time. */
export const KEEP_ALIVE = ['--keepalive', '10m'] as const;

/**
 * The window that the next call of a model gets, if it can be determined without loading it. A model that another
 * program loaded with a window other than its own `num_ctx` is loaded again for andon.
 */
export async function readWindow(
  ask: AskOllama,
  model: string,
  asking: OllamaQueryOptions,
): Promise<Outcome<ModelWindow, AgentFailure>> {
  const shown = await ask(['show', model], asking);
  const missing = explainOllamaFailure(shown, model);
  if (missing) return failure(missing.kind === 'crash' ? { ...missing, kind: kindOf(missing) } : missing);
  const { asks, largest } = readShown(shown.stdout);
  const own = asks === undefined ? undefined : Math.min(asks, largest ?? asks);
  const running = await ask(['ps'], asking);
  const silent = running.ended === 'aborted' ? explainOllamaFailure(running, model) : undefined;
  if (silent) return failure(silent);
  const loaded = readAllocatedContext(running.stdout, model);
  if (loaded !== undefined && (own === undefined || own === loaded))
    return success({ tokens: loaded, known: 'loaded', asks, largest });
  return success(
    own === undefined
      ? { tokens: SMALLEST_WINDOW, known: 'assumed', asks, largest }
      : { tokens: own, known: 'parameter', asks, largest },
  );
}

/** Loads the model as a call does, and reads the allocated window. */
export async function loadModelWindow(
  ask: AskOllama,
  model: string,
  asking: OllamaQueryOptions,
  loadMs: number,
): Promise<Outcome<ModelWindow, AgentFailure>> {
  const before = await readWindow(ask, model, asking);
  // With its own num_ctx, a loaded model has the window of a call; otherwise another client may have chosen it.
  if (!before.ok || (before.value.known === 'loaded' && before.value.asks !== undefined)) return before;
  const why = explainOllamaFailure(await ask(['run', model, ...KEEP_ALIVE], { ...asking, hardMs: loadMs }), model);
  if (why) return failure(why);
  const running = await ask(['ps'], asking);
  const silent = running.ended === 'aborted' ? explainOllamaFailure(running, model) : undefined;
  if (silent) return failure(silent);
  const loaded = readAllocatedContext(running.stdout, model);
  return loaded === undefined ? before : success({ ...before.value, tokens: loaded, known: 'loaded' });
}

/** A cut-off question met a server that stops or starts; any other failure needs a human. */
function kindOf({ exit, detail }: AgentFailure): AgentFailure['kind'] {
  if (exit === null) return 'crash';
  return /EOF|connection reset/i.test(detail) ? 'unavailable' : 'refused';
}
