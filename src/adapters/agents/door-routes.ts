import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';

/** A protocol in which a model is asked: what the keys of a body mean, and which are known. */
export type Protocol =
  | 'chat'
  | 'completions'
  | 'responses'
  | 'messages'
  | 'count'
  | 'google'
  | 'google-count'
  | 'ollama'
  | 'ollama-show';

/** One request that a model's service is for. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** The whole path below the address of the service; its group is the model, where the path names one. */
  readonly path: RegExp;
  /** Undefined: it has no body, and none is sent. */
  readonly protocol: Protocol | undefined;
  /** Whether it has the model work: only this is paid for. */
  readonly isWork: boolean;
}

/** Which model may be asked. */
export interface Pin {
  /** The model that the profile names; empty: the one that the program asks. */
  readonly model: string;
  readonly pins: 'exact' | 'family';
}

/** Why a request is not passed on, as a status of HTTP and a sentence. */
export interface NotPassed {
  readonly status: 400 | 404 | 405;
  readonly why: string;
}

const post = (path: RegExp, protocol: Protocol, isWork = true): Route => ({
  method: 'POST',
  path,
  protocol,
  isWork,
});
const get = (path: RegExp): Route => ({
  method: 'GET',
  path,
  protocol: undefined,
  isWork: false,
});

/** Everything that passes: OpenAI's, Anthropic's, Google's and ollama's questions to a model, and their lists of models. */
const ROUTES: readonly Route[] = [
  post(/^(?:\/v1)?\/chat\/completions$/, 'chat'),
  post(/^(?:\/v1)?\/completions$/, 'completions'),
  post(/^(?:\/v1)?\/responses(?:\/compact)?$/, 'responses'),
  post(/^(?:\/v1)?\/messages$/, 'messages'),
  post(/^(?:\/v1)?\/messages\/count_tokens$/, 'count', false),
  post(/^(?:\/v1(?:beta|alpha)?)?\/models\/(\w[\w.@~-]*):(?:streamG|g)enerateContent$/, 'google'),
  post(/^(?:\/v1(?:beta|alpha)?)?\/models\/(\w[\w.@~-]*):countTokens$/, 'google-count', false),
  post(/^\/api\/(?:chat|generate)$/, 'ollama'),
  post(/^\/api\/show$/, 'ollama-show', false),
  get(/^(?:\/v1(?:beta|alpha)?)?\/models$/),
  get(/^(?:\/v1(?:beta|alpha)?)?\/models\/(\w[\w.:@~-]*)$/),
  get(/^\/api\/(?:tags|version)$/),
];

/** What is passed on of a query: how an answer is laid out, and which page of a list. */
const QUERY = 'alt beta api-version client_version limit after_id before_id pageSize pageToken'.split(' ');

/** Where a request goes, and as what, by its method and the path that the program asked for. */
export function routeOf(
  method: string,
  asked: string,
  to: string,
  pin: Pin,
): Outcome<{ readonly route: Route; readonly place: URL }, NotPassed> {
  const [path = '', query = ''] = asked.split(/\?(.*)/s);
  const here = ROUTES.filter((route) => route.path.test(path));
  const shown = path.slice(0, 100);
  if (here.length === 0)
    return failure({
      status: 404,
      why: `${shown} is no question to a model; the proxy passes only those that docs/agents.md names`,
    });
  const route = here.find((one) => one.method === method);
  if (route === undefined)
    return failure({ status: 405, why: `${method} is not passed on to ${shown}, only ${here[0]?.method}` });
  const named = route.path.exec(path)?.[1];
  const model = named === undefined ? undefined : pinned(named, pin);
  if (model?.ok === false) return failure({ status: 400, why: model.why });
  const inPath =
    model === undefined ? '' : encodeURIComponent(model.value).replaceAll('%3A', ':').replaceAll('%40', '@');
  const place = new URL(
    `${to}${named === undefined ? path : path.replace(`/models/${named}`, () => `/models/${inPath}`)}`,
  );
  const values = new URLSearchParams(query);
  for (const key of QUERY) {
    const value = values.get(key);
    if (value !== null && /^[\w.=+-]{1,200}$/.test(value)) place.searchParams.set(key, value);
  }
  return success({ route, place });
}

/** The model that is asked in place of the one that was named; of a family another than its own is refused. */
export function pinned(named: string, { model, pins }: Pin): Outcome<string, string> {
  if (named === '' && model === '') return failure('the request names no model, and neither does the profile');
  if (model === '' || named === model) return success(named);
  if (pins === 'exact') return success(model);
  return `-${named}-`.includes(`-${model}-`)
    ? success(named)
    : failure(`the model ${named.slice(0, 100) || '(none)'} is not ${model}, which the profile names`);
}
