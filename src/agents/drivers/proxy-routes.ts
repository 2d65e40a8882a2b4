import { failure, success, type Outcome } from '../../base/outcome.ts';

/** A protocol of model services: the meaning of the keys in a body, and which are known. */
export type Protocol = 'chat' | 'responses' | 'messages' | 'count' | 'google' | 'google-count';

/** A permitted request to a model service. */
export interface ServiceRoute {
  readonly method: 'GET' | 'POST';
  /** The path below the address of the service; its group is the model, if the path has one. */
  readonly path: RegExp;
  /** Undefined: no body is sent. */
  readonly protocol: Protocol | undefined;
  /** Whether it makes the model work: only such requests cost money. */
  readonly isWork: boolean;
}

/** The model that may be used. */
export interface PinnedModel {
  /** The profile's model; empty: the one of the request. */
  readonly model: string;
  readonly pins: 'exact' | 'family';
}

/** Why a request is refused: an HTTP status and a sentence. */
export interface ProxyRefusal {
  readonly status: 400 | 404 | 405;
  readonly why: string;
}

const post = (path: RegExp, protocol: Protocol, isWork = true): ServiceRoute => ({
  method: 'POST',
  path,
  protocol,
  isWork,
});
const get = (path: RegExp): ServiceRoute => ({
  method: 'GET',
  path,
  protocol: undefined,
  isWork: false,
});

/** Every permitted request: questions to a model of OpenAI, Anthropic and Google, and lists of models. */
const ROUTES: readonly ServiceRoute[] = [
  post(/^(?:\/v1)?\/chat\/completions$/, 'chat'),
  post(/^(?:\/v1)?\/responses(?:\/compact)?$/, 'responses'),
  post(/^(?:\/v1)?\/messages$/, 'messages'),
  post(/^(?:\/v1)?\/messages\/count_tokens$/, 'count', false),
  post(/^(?:\/v1(?:beta|alpha)?)?\/models\/(\w[\w.@~-]*):(?:streamG|g)enerateContent$/, 'google'),
  post(/^(?:\/v1(?:beta|alpha)?)?\/models\/(\w[\w.@~-]*):countTokens$/, 'google-count', false),
  get(/^(?:\/v1(?:beta|alpha)?)?\/models$/),
  get(/^(?:\/v1(?:beta|alpha)?)?\/models\/(\w[\w.:@~-]*)$/),
];

/** Permitted query parameters: the format of an answer, and the page of a list. */
const QUERY = 'alt beta api-version client_version limit after_id before_id pageSize pageToken'.split(' ');

/** The route of a request by its method and path. */
export function findServiceRoute(
  method: string,
  request: string,
  to: string,
  pin: PinnedModel,
): Outcome<{ readonly route: ServiceRoute; readonly place: URL }, ProxyRefusal> {
  const [path = '', query = ''] = request.split(/\?(.*)/s);
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
  const model = named === undefined ? undefined : pinModel(named, pin);
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

/** The model to use instead of the named one; a model of another family is refused. */
export function pinModel(named: string, { model, pins }: PinnedModel): Outcome<string, string> {
  if (named === '' && model === '') return failure('the request names no model, and neither does the profile');
  if (model === '' || named === model) return success(named);
  if (pins === 'exact') return success(model);
  return `-${named}-`.includes(`-${model}-`)
    ? success(named)
    : failure(`the model ${named.slice(0, 100) || '(none)'} is not ${model}, which the profile names`);
}
