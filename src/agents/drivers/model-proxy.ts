import {
  Agent as HttpAgent,
  createServer,
  request as requestHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { withRemembered } from '../../base/known-secrets.ts';
import { buildRequestHeaders } from './proxy-headers.ts';
import { forwardRequest, sendError } from './proxy-response.ts';
import { rebuildBody } from './proxy-request.ts';
import { findServiceRoute, type PinnedModel } from './proxy-routes.ts';
import type { ProxyState, Reservation } from './proxy-budget.ts';

/** The target and the credentials of a door. */
export interface ProxyConfig extends PinnedModel {
  /** The address of the service: host and path prefix. */
  readonly to: string;
  /** The real key; undefined: the service needs none. It never enters the cage. */
  readonly key: string | undefined;
  /** Lower case; for `authorization` the key is a bearer token. */
  readonly keyHeader: string;
  /** The key that the program gets in place of the real one; the port accepts no request without it. */
  readonly dummy: string;
  /** The path of a socket, or a port of this machine's loopback that the system chooses. */
  readonly at: { readonly socket: string } | 'loopback';
  /** Silence of the service in one answer after which it counts as gone. */
  readonly idleMs: number;
  /** Proxy variables. */
  readonly proxies: Readonly<Record<string, string>>;
}

/** Limit of one request; a prompt with pictures is smaller. */
const MOST_ASKED = 64 * 1024 * 1024;
/** Limit of all requests that are under way or wait. */
const MOST_HELD = 4 * MOST_ASKED;

/**
 * Opens the one way out of a cage: a small proxy to one service. It inserts the real key, enforces model and budget,
 * counts the usage, and streams the answers.
 */
export async function openModelProxy(plan: ProxyConfig, state: ProxyState, mostHeld = MOST_HELD) {
  const isSecure = plan.to.startsWith('https:');
  const options = { keepAlive: true, proxyEnv: plan.proxies };
  const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options);
  const send = isSecure ? requestHttps : requestHttp;

  const secrets = withRemembered(plan.key === undefined ? [] : [plan.key]);
  let held = 0;
  const server = createServer({ noDelay: true }, (incoming, outgoing) => {
    outgoing.on('error', () => outgoing.destroy());
    if (plan.at === 'loopback' && !hasCallKey(incoming, plan.dummy))
      return sendError(outgoing, 401, 'the key is not the one of this call');
    const shut = state.mayNotPass();
    if (shut !== undefined) return sendError(outgoing, 401, shut);
    const method = incoming.method ?? '';
    const found = findServiceRoute(method, incoming.url ?? '', plan.to, plan);
    if (!found.ok) return sendError(outgoing, found.why.status, found.why.why);
    const { route, place } = found.value;
    const parts: Buffer[] = [];
    let length = 0;
    /** Stays set when other requests end: a part of the body is gone. */
    let isTooMuch = false;
    incoming.on('data', (part: Buffer) => {
      length += part.length;
      held += part.length;
      isTooMuch ||= length > MOST_ASKED || held > mostHeld;
      if (isTooMuch) parts.length = 0;
      else parts.push(part);
    });
    outgoing.once('close', () => (held -= length));
    incoming.once('end', () => {
      if (isTooMuch) return sendError(outgoing, 413, 'the request is too large, or too many are asked at once');
      const body = route.protocol === undefined ? undefined : rebuildBody(Buffer.concat(parts), route.protocol, plan);
      if (body?.ok === false) {
        state.turnedAway(body.why.why);
        return sendError(outgoing, body.why.status, body.why.why);
      }
      const bytes = body?.value.bytes;
      const cost =
        route.isWork && body !== undefined ? { bytes: bytes?.length ?? 0, mostOut: body.value.mostOut } : 'no work';
      return waitForRoom(state, cost, outgoing, (reservation) => {
        const upstream = send(place, { method, agent, headers: buildRequestHeaders(incoming.headers, plan, bytes) });
        forwardRequest(upstream, outgoing, {
          idleMs: plan.idleMs,
          requestBytes: bytes?.length ?? 0,
          secrets,
          state,
          reservation,
        });
        upstream.end(bytes);
      });
    });
    return undefined;
  });
  server.requestTimeout = 0; // an answer has no time limit; silence ends it
  return startListening(server, plan.at, () => agent.destroy());
}

/**
 * Makes a server listen there for a program in a cage; `closing` ends the connections that it opened to the outside.
 */
export async function startListening(server: Server, at: ProxyConfig['at'], closing: () => void) {
  await new Promise<void>((listens, fails) => {
    server.once('error', fails);
    if (at === 'loopback') server.listen(0, '127.0.0.1', listens);
    else server.listen(at.socket, listens);
  });
  return {
    /** The port, where it listens on one. */
    port: at === 'loopback' ? (server.address() as AddressInfo).port : undefined,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
        closing();
      }),
  };
}

/** Sends a request once the budget has room for it, or returns why it never will. */
function waitForRoom(
  state: ProxyState,
  cost: Parameters<ProxyState['reserve']>[0],
  outgoing: ServerResponse,
  sendIt: (reservation: Reservation) => void,
): void {
  if (outgoing.destroyed) return;
  const got = state.reserve(cost);
  if (got.ok) sendIt(got.value);
  else if (got.why === 'wait') state.onceSettled(() => waitForRoom(state, cost, outgoing, sendIt));
  else sendError(outgoing, 401, got.why);
}

/** Whether a request carries the key of this call, in any usual header. */
const hasCallKey = ({ headers, url = '' }: IncomingMessage, dummy: string): boolean =>
  [headers.authorization, headers['x-api-key'], headers['x-goog-api-key'], headers['api-key'], url].some((value) =>
    String(value ?? '').includes(dummy),
  );
