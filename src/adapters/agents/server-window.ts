import { getOwnValue } from './event-rules.ts';

/** How each kind of server reports the allocated tokens of a model. */
const PLACES: readonly { readonly path: string; readonly read: (body: unknown, model: string) => unknown }[] = [
  // llama.cpp: the size of one slot.
  { path: '/props', read: (body) => getOwnValue(getOwnValue(body, 'default_generation_settings'), 'n_ctx') },
  // LM Studio: the loaded context, not the possible one.
  {
    path: '/api/v0/models',
    read: (body, model) => getOwnValue(named(getOwnValue(body, 'data'), 'id', model), 'loaded_context_length'),
  },
  // ollama: the loaded context.
  {
    path: '/api/ps',
    read: (body, model) => getOwnValue(named(getOwnValue(body, 'models'), 'name', model), 'context_length'),
  },
  // vLLM.
  {
    path: '/v1/models',
    read: (body, model) => getOwnValue(named(getOwnValue(body, 'data'), 'id', model), 'max_model_len'),
  },
];

/** Asks a server at its own address for the body of a path; undefined on failure. */
type AskServer = (path: string) => Promise<unknown>;

/** The tokens that a server has allocated for a model, by its own report. */
export async function readServerWindow(ask: AskServer, model: string): Promise<number | undefined> {
  for (const { path, read } of PLACES) {
    const found = read(await ask(path), model);
    if (typeof found === 'number' && Number.isInteger(found) && found > 0) return found;
  }
  return undefined;
}

/** The entry of this name, with or without `:latest`. */
const named = (list: unknown, key: string, name: string): unknown =>
  Array.isArray(list)
    ? list.find((one) => [name, `${name}:latest`].includes(String(getOwnValue(one, key))))
    : undefined;
