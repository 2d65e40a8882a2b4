import { objectIn } from '../../base/json-object.ts';
import type { DoorAllowance } from '../../config/edit-call.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { findAddress, findServerTool } from './door-content.ts';
import { findRoute } from './door-routes.ts';
import type { DoorRoute } from './door-routes.ts';

/** What a request may ask for. */
export interface Passing {
  /** The address of the service: host and path prefix. */
  readonly to: string;
  /** The model that the profile names; empty: whichever the program asks. */
  readonly model: string;
  readonly pins: 'exact' | 'family';
  /** What the driver allows beside text: tools that the service runs itself, and contents that it fetches. */
  readonly allows?: readonly DoorAllowance[];
}

/** Why a request is not passed on, as a status of HTTP and a sentence. */
export interface NotPassed {
  readonly status: 400 | 404 | 405;
  readonly why: string;
}

/** Where a request goes, and what may stand in its body. */
export interface DoorPlace {
  readonly url: URL;
  readonly route: DoorRoute;
}

/** Where a request goes: below the one prefix, by a method and a whole path of the table, and with known query keys. */
export function placeOf(method: string, asked: string, { to, model, pins }: Passing): Outcome<DoorPlace, NotPassed> {
  const [path = '', query = ''] = asked.split(/\?(.*)/s);
  const found = findRoute(method, path);
  if (found === 'no path')
    return failure({ status: 404, why: `the path ${path.slice(0, 100)} leads to no question to a model` });
  if (found === 'no method')
    return failure({ status: 405, why: `${method.slice(0, 20)} ${path.slice(0, 100)} is no question to a model` });
  const { route, named } = found;
  if (named !== undefined && method === 'POST' && !mayAsk(named, model, pins) && pins === 'family')
    return failure({ status: 400, why: notThatModel(named, model) });
  const isPinned = named !== undefined && method === 'POST' && !mayAsk(named, model, pins);
  const url = new URL(`${to}${isPinned ? path.replace(`/${named}:`, `/${model}:`) : path}`);
  for (const [name, value] of new URLSearchParams(query)) if (QUERY.has(name)) url.searchParams.append(name, value);
  return success({ url, route });
}

/** What may stand behind the `?`: how an answer is laid out, and which page of a list. */
const QUERY: ReadonlySet<string> = new Set(
  'alt beta api-version client_version limit after_id before_id pageSize pageToken'.split(' '),
);

/** The body as it is passed on, made anew from its known keys: the pinned model in it, and a request for what is used. */
export function bodyOf(bytes: Buffer, route: DoorRoute, passing: Passing): Outcome<Buffer, NotPassed> {
  if (route.keys === undefined) return success(Buffer.alloc(0));
  const body = objectIn<Record<string, unknown>>(bytes.toString('utf8'), []);
  if (body === undefined || Array.isArray(body)) return failure({ status: 400, why: 'no JSON object was sent' });
  const { model, pins, allows = [] } = passing;
  if (!allows.includes('server_tools')) {
    const tool = findServerTool(body);
    if (tool !== undefined)
      return failure({
        status: 400,
        why: `the service would run ${tool.slice(0, 100)} itself; a driver may allow it: door.allow: [server_tools]`,
      });
  }
  if (!allows.includes('addresses')) {
    const address = findAddress(body);
    if (address !== undefined)
      return failure({
        status: 400,
        why: `the service would fetch ${address.slice(0, 100)}; send the content itself, or have the driver allow it: door.allow: [addresses]`,
      });
  }
  const known = Object.fromEntries(
    Object.entries(body).filter(
      ([key]) => route.keys?.has(key) === true || (allows.includes('server_tools') && SERVER_TOOL_KEYS.has(key)),
    ),
  );
  const named = body['model'];
  if (route.hasModel) {
    if (pins === 'family' && model !== '' && !(typeof named === 'string' && mayAsk(named, model, pins)))
      return failure({ status: 400, why: notThatModel(typeof named === 'string' ? named : 'none', model) });
    if (pins === 'exact' && model !== '') known['model'] = model;
  }
  if ('store' in known) known['store'] = false; // nothing of a call stays in the account
  // A stream of chat completions tells its usage only to who asks for it.
  if (route.asksForUsage && body['stream'] === true)
    known['stream_options'] = { ...(body['stream_options'] as object | undefined), include_usage: true };
  return success(Buffer.from(JSON.stringify(known)));
}

/** Keys that go with tools of the service. */
const SERVER_TOOL_KEYS: ReadonlySet<string> = new Set(['mcp_servers', 'web_search_options', 'container']);

/** What one request may use at the most, as far as it says: the input by its length, the output by its own limit. */
export function reserveOf(body: Buffer): { readonly tokensIn: number; readonly tokensOut: number | undefined } {
  const tokensIn = Math.ceil(body.length / BYTES_PER_TOKEN);
  const asked = objectIn<Record<string, unknown>>(body.toString('utf8'), []) ?? {};
  const config = asked['generationConfig'] ?? asked['generation_config'];
  const inner = typeof config === 'object' && config !== null ? (config as Record<string, unknown>) : {};
  const limits = [
    asked['max_tokens'],
    asked['max_completion_tokens'],
    asked['max_output_tokens'],
    inner['maxOutputTokens'],
    inner['max_output_tokens'],
  ].filter((one): one is number => typeof one === 'number' && Number.isFinite(one) && one >= 0);
  return { tokensIn, tokensOut: limits.length === 0 ? undefined : Math.max(...limits) };
}

/** Characters of JSON that make a token. */
const BYTES_PER_TOKEN = 4;

/** Whether a model may be asked; of a family it is enough that the pinned name stands in it as a whole word. */
function mayAsk(named: string, model: string, pins: Passing['pins']): boolean {
  if (model === '' || named === model) return true;
  return pins === 'family' && `-${named}-`.includes(`-${model}-`);
}

const notThatModel = (named: string, model: string): string =>
  `the model ${named.slice(0, 100)} is not ${model}, which the profile names`;
