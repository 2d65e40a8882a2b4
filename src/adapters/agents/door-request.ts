import { objectIn } from '../../base/json-object.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';

/** What a request may ask for. */
export interface Passing {
  /** The address of the service: host and path prefix. */
  readonly to: string;
  /** The model that the profile names; empty: whichever the program asks. */
  readonly model: string;
  readonly pins: 'exact' | 'family';
}

/** Why a request is not passed on, as a status of HTTP and a sentence. */
export interface NotPassed {
  readonly status: 400 | 404;
  readonly why: string;
}

/** Where a request goes, by the path that the program asked for: below the one prefix, and to nothing but models. */
export function placeOf(asked: string, { to, model, pins }: Passing): Outcome<URL, NotPassed> {
  const [path = '', query = ''] = asked.split(/\?(.*)/s);
  if (!/^(?:\/[\w.:@~-]+)+\/?$/.test(path) || /\/\.{1,2}(?:\/|$)/.test(path))
    return failure({ status: 404, why: `the path ${path.slice(0, 100)} is none of a model's service` });
  if (!MODELS.test(path))
    return failure({ status: 404, why: `${path.slice(0, 100)} leads to something else than a model` });
  const named = NAMED_IN_PATH.exec(path)?.[1];
  if (named !== undefined && !mayAsk(named, model, pins) && pins === 'family')
    return failure({ status: 400, why: notThatModel(named, model) });
  const pinned =
    named === undefined || mayAsk(named, model, pins)
      ? path
      : path.replace(NAMED_IN_PATH, (whole: string) => whole.replace(named, model));
  const place = new URL(`${to}${pinned}`);
  for (const [name, value] of new URLSearchParams(query)) if (name !== 'key') place.searchParams.append(name, value);
  return success(place);
}

/** The body as it is passed on: the pinned model in it, and a request for the figures of what is used. */
export function bodyOf(bytes: Buffer, path: string, { model, pins }: Passing): Outcome<Buffer, NotPassed> {
  const body = objectIn<Record<string, unknown>>(bytes.toString('utf8'), []);
  if (body === undefined || Array.isArray(body))
    return bytes.length === 0 ? success(bytes) : failure({ status: 400, why: 'no JSON object was sent' });
  const changed: Record<string, unknown> = {};
  const named = body['model'];
  if (typeof named === 'string' && !mayAsk(named, model, pins)) {
    if (pins === 'family') return failure({ status: 400, why: notThatModel(named, model) });
    changed['model'] = model;
  }
  // A stream of chat completions tells its usage only to who asks for it.
  if (path.endsWith('/chat/completions') && body['stream'] === true)
    changed['stream_options'] = { ...(body['stream_options'] as object | undefined), include_usage: true };
  return success(Object.keys(changed).length === 0 ? bytes : Buffer.from(JSON.stringify({ ...body, ...changed })));
}

/** What leads to models, by OpenAI's, Anthropic's and Google's words: no files, no fine-tuning, no other's account. */
const MODELS =
  /\/(?:responses(?:\/compact)?|chat\/completions|completions|messages(?:\/count_tokens)?|models(?:\/[\w.:@~-]+)?|models\/[\w.@~-]+:(?:generateContent|streamGenerateContent|countTokens))\/?$/;
const NAMED_IN_PATH = /\/models\/([\w.@~-]+)(?=:)/;

/** Whether a model may be asked; of a family it is enough that the pinned name stands in it as a whole word. */
function mayAsk(named: string, model: string, pins: Passing['pins']): boolean {
  if (model === '' || named === model) return true;
  return pins === 'family' && `-${named}-`.includes(`-${model}-`);
}

const notThatModel = (named: string, model: string): string =>
  `the model ${named.slice(0, 100)} is not ${model}, which the profile names`;
