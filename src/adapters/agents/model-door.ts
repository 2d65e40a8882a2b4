import { Agent as HttpAgent, createServer, request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { knownSecrets } from '../../base/known-secrets.ts';
import type { KnownSecrets } from '../../base/known-secrets.ts';
import { bodyOf, placeOf, reserveOf } from './door-request.ts';
import type { Passing } from './door-request.ts';
import type { DoorState, Reserve } from './door-state.ts';
import { usageFollower } from './door-usage.ts';

/** Where a door leads, and by what it is known. */
export interface DoorPlan extends Passing {
  /** The real key; undefined: the service asks for none. It never enters the cage. */
  readonly key: string | undefined;
  /** Lower case; of `authorization` the key is a bearer's. */
  readonly keyHeader: string;
  /** The key that the program is given in its place; who listens on a port lets in nobody without it. */
  readonly dummy: string;
  /** The path of a socket, or a port of this machine's loopback that the system chooses. */
  readonly at: { readonly socket: string } | 'loopback';
  /** Silence of the service in one answer after which it counts as gone. */
  readonly idleMs: number;
  /** Variables that name the way out of a network. */
  readonly proxies: Readonly<Record<string, string>>;
}

/** An open door. */
export interface ModelDoor {
  /** The port, where it listens on one. */
  readonly port: number | undefined;
  close(): Promise<void>;
}

/** The most of one request; a prompt with pictures is smaller. */
const MOST_ASKED = 64 * 1024 * 1024;
/** The beginning of an error, in which its cause is looked for. */
const MOST_OF_ERROR = 64 * 1024;

/**
 * Opens the one way out of a cage: a small proxy that leads to one service and nowhere else. It puts the real key in, holds
 * the program to its model and its budget, counts what is used from the answers, and passes these on as they come.
 */
export async function openModelDoor(plan: DoorPlan, state: DoorState): Promise<ModelDoor> {
  const isSecure = plan.to.startsWith('https:');
  const options = { keepAlive: true, proxyEnv: plan.proxies };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const send = isSecure ? requestHttps : requestHttp;

  const secrets = knownSecrets(plan.key === undefined ? [] : [plan.key]);
  const waiting: { readonly fits: () => boolean; readonly pass: () => void }[] = [];
  /** Sends what waits, in its order, as far as the budget has room for it beside what is under way. */
  const letIn = (): void => {
    for (let next = waiting[0]; next?.fits() === true; next = waiting[0]) {
      waiting.shift();
      next.pass();
    }
  };

  const server = createServer({ noDelay: true }, (incoming, outgoing) => {
    outgoing.on('error', () => outgoing.destroy());
    if (plan.at === 'loopback' && !knows(incoming, plan.dummy))
      return tell(outgoing, 401, 'the key is not the one of this call');
    const shut = state.mayNotPass();
    if (shut !== undefined) return tell(outgoing, 401, shut);
    const place = placeOf(incoming.method ?? '', incoming.url ?? '', plan);
    if (!place.ok) return tell(outgoing, place.why.status, place.why.why);
    const { url, route } = place.value;
    const parts: Buffer[] = [];
    let length = 0;
    incoming.on('data', (part: Buffer) => {
      length += part.length;
      if (length <= MOST_ASKED) parts.push(part);
    });
    incoming.once('end', () => {
      if (length > MOST_ASKED) return tell(outgoing, 413, 'the request is too large');
      const body = bodyOf(Buffer.concat(parts), route, plan);
      if (!body.ok) return tell(outgoing, body.why.status, body.why.why);
      const reserve = reserveOf(body.value);
      const pass = (): void => {
        if (outgoing.destroyed) return;
        const spent = state.mayNotPass();
        if (spent !== undefined) return tell(outgoing, 401, spent);
        state.begins(reserve);
        const upstream = send(url, {
          method: incoming.method ?? 'POST',
          agent,
          headers: headersFor(incoming, plan, body.value.length),
        });
        passOn(upstream, outgoing, { plan, asked: body.value.length, reserve, secrets, state, over: letIn });
        upstream.end(body.value);
      };
      waiting.push({ fits: () => state.closed() !== undefined || state.fits(reserve), pass });
      return letIn();
    });
    return undefined;
  });
  server.requestTimeout = 0; // an answer takes as long as it takes; silence ends it
  return listenAt(server, plan.at, () => agent.destroy());
}

/** Has a server listen there, for whoever leaves a cage by it; `closing` ends what it has opened to the outside. */
export async function listenAt(server: Server, at: DoorPlan['at'], closing: () => void): Promise<ModelDoor> {
  await new Promise<void>((listens, fails) => {
    server.once('error', fails);
    if (at === 'loopback') server.listen(0, '127.0.0.1', listens);
    else server.listen(at.socket, listens);
  });
  return {
    port: at === 'loopback' ? (server.address() as AddressInfo).port : undefined,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
        closing();
      }),
  };
}

/** What is known of a request on its way; `over` is told when it has ended, however. */
interface Passage {
  readonly plan: Pick<DoorPlan, 'idleMs'>;
  /** Bytes of the request. */
  readonly asked: number;
  readonly reserve: Reserve;
  /** What the answer must not tell the program. */
  readonly secrets: KnownSecrets;
  readonly state: DoorState;
  readonly over: () => void;
}

/** One request on its way: every byte of the answer goes on as it comes, no faster than the program reads it. */
function passOn(
  upstream: ClientRequest,
  outgoing: ServerResponse,
  { plan: { idleMs }, asked, reserve, secrets, state, over }: Passage,
): void {
  let isOver = false;
  const once = (end: () => void): void => {
    if (isOver) return;
    isOver = true;
    end();
    over();
  };
  upstream.setTimeout(idleMs, () => upstream.destroy(new Error(`no byte for ${Math.round(idleMs / 1000)} s`)));
  upstream.on('error', (error) =>
    once(() => {
      state.failed(0, error.message, undefined, reserve);
      if (outgoing.headersSent) outgoing.destroy();
      else tell(outgoing, 502, `the service cannot be reached: ${error.message}`);
    }),
  );
  let size = asked;
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) upstream.destroy();
    once(() => state.left(size, reserve));
  });
  upstream.once('response', (answer) => {
    const status = answer.statusCode ?? 502;
    const isWell = status >= 200 && status < 300;
    const usage = usageFollower(answer.headers['content-type'] ?? '');
    let words = '';
    const masking = secrets.follow();
    outgoing.writeHead(status, headersBack(answer, secrets));
    outgoing.flushHeaders();
    answer.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (isWell) {
        state.passed(chunk.length);
        usage.take(chunk);
      } else if (words.length < MOST_OF_ERROR) words += chunk.toString('utf8');
      // No faster than the program reads it.
      if (!outgoing.write(masking.take(chunk.toString('latin1')), 'latin1')) answer.pause();
    });
    outgoing.on('drain', () => answer.resume());
    answer.once('error', (error) =>
      once(() => (state.failed(0, error.message, undefined, reserve), outgoing.destroy())),
    );
    answer.once('end', () =>
      once(() => {
        if (isWell) state.answered(usage.counted(), size, reserve);
        else state.failed(status, secrets.mask(words), answer.headers['retry-after'], reserve);
        outgoing.end(masking.end(), 'latin1');
      }),
    );
  });
}

/** Headers that say how a question to a model is to be read; whatever else a program sends is left out. */
const ASKED =
  /^(?:content-type|accept|accept-language|user-agent|anthropic-version|anthropic-beta|anthropic-dangerous-direct-browser-access|openai-beta|x-app|originator|version|session[_-]id|conversation[_-]id|x-client-request-id|x-goog-api-client|x-stainless-[\w-]+)$/;
/** Headers of an answer that are about the answer, the limits and the request; an address to go to instead is none. */
const ANSWERED =
  /^(?:content-type|cache-control|date|retry-after(?:-ms)?|x-should-retry|request-id|x-request-id|openai-(?:processing-ms|version|model)|(?:anthropic|x)-ratelimit-[\w-]+)$/;

function headersFor(incoming: IncomingMessage, { key, keyHeader }: DoorPlan, length: number): OutgoingHttpHeaders {
  const kept = Object.entries(incoming.headers).filter(([name]) => ASKED.test(name) && name !== keyHeader);
  return {
    ...Object.fromEntries(kept),
    'accept-encoding': 'identity', // what is used is read from the answer as it passes
    ...(length > 0 || incoming.method === 'POST'
      ? { 'content-length': length, 'content-type': 'application/json' }
      : {}),
    ...(key === undefined ? {} : { [keyHeader]: keyHeader === 'authorization' ? `Bearer ${key}` : key }),
  };
}

const headersBack = ({ headers }: IncomingMessage, secrets: KnownSecrets): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      ANSWERED.test(name) && typeof value === 'string' ? [[name, secrets.mask(value)]] : [],
    ),
  );

/** Whether a request carries the key of this call, in whichever header its program puts one. */
const knows = ({ headers, url = '' }: IncomingMessage, dummy: string): boolean =>
  [headers.authorization, headers['x-api-key'], headers['x-goog-api-key'], headers['api-key'], url].some((value) =>
    String(value ?? '').includes(dummy),
  );

/** An error in the words of every service at once, so that each program finds its own. */
function tell(outgoing: ServerResponse, status: number, why: string): void {
  const message = `andon: ${why}`;
  const type = status === 401 ? 'authentication_error' : 'invalid_request_error';
  const error = { message, type, code: status, status: status === 401 ? 'UNAUTHENTICATED' : 'INVALID_ARGUMENT' };
  outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  outgoing.end(JSON.stringify({ type: 'error', error }));
}
