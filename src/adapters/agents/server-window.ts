import { own } from './event-rules.ts';

/** Where servers tell how many tokens a model has allocated, and how to find it in the answer. */
const PLACES: readonly { readonly path: string; readonly read: (body: unknown, model: string) => unknown }[] = [
  // llama.cpp: what one slot has.
  { path: '/props', read: (body) => own(own(body, 'default_generation_settings'), 'n_ctx') },
  // LM Studio: what is loaded, never what the model could have.
  {
    path: '/api/v0/models',
    read: (body, model) => own(named(own(body, 'data'), 'id', model), 'loaded_context_length'),
  },
  // ollama: what is loaded now.
  { path: '/api/ps', read: (body, model) => own(named(own(body, 'models'), 'name', model), 'context_length') },
  // vLLM.
  { path: '/v1/models', read: (body, model) => own(named(own(body, 'data'), 'id', model), 'max_model_len') },
];

/** Asks a server at its own address for the body of a path; undefined on failure. */
type AskServer = (path: string) => Promise<unknown>;

/** The tokens that a server has allocated for a model, as it tells itself; undefined when it does not. */
export async function serverWindow(ask: AskServer, model: string): Promise<number | undefined> {
  for (const { path, read } of PLACES) {
    const found = read(await ask(path), model);
    if (typeof found === 'number' && Number.isInteger(found) && found > 0) return found;
  }
  return undefined;
}

/** The one of a list that has this name, `:latest` or not. */
const named = (list: unknown, key: string, name: string): unknown =>
  Array.isArray(list) ? list.find((one) => [name, `${name}:latest`].includes(String(own(one, key)))) : undefined;
