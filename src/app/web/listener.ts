import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { SESSION_HEADER } from '../../base/names.ts';
import { createUsageError, type Problem } from '../../base/problem.ts';

/** Answers an accepted request. */
export type RequestHandler = (request: Request) => Promise<Response>;

/** Why a request is refused. */
export interface RequestRefusal {
  readonly status: number;
  readonly why: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The address of a listener, and its access control. */
interface Listening {
  /** Default: 127.0.0.1. */
  readonly address?: string;
  readonly port: number;
  /** Further origins, such as that of a proxy: their Host and Origin are accepted too. */
  readonly origins?: readonly string[];
  /** Called after Host and Origin match; the body is unread. */
  readonly letIn: (headers: IncomingHttpHeaders, method: string, path: string) => RequestRefusal | undefined;
  readonly answer: RequestHandler;
  /** A client that does not take ready data for this long is dropped; default: 30 s. */
  readonly slowMs?: number;
}

const SLOW_MS = 30_000;

/**
 * The only listener of andon, by default on the loopback interface. Pages of other sites are refused: Host must be ours
 * (against rebound names), an Origin must be our own, and there are no CORS headers.
 */
export async function openListener(listening: Listening) {
  const { address = '127.0.0.1', answer, slowMs = SLOW_MS } = listening;
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  const bound = await listen(server, address, listening.port);
  const shown = address.includes(':') ? `[${address}]` : address;
  const own = [...new Set([shown, '127.0.0.1', 'localhost'])].map((name) => new URL(`http://${name}:${bound}`).origin);
  const origins = [...own, ...(listening.origins ?? [])];
  const hosts = origins.map((origin) => new URL(origin).host);
  return {
    url: `http://${shown}:${bound}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const refused = refusal(incoming, { hosts, origins }, listening.letIn);
      if (refused !== undefined) {
        const { status, why, headers } = refused;
        const head = { 'content-type': 'text/plain; charset=utf-8', connection: 'close', ...headers };
        outgoing.writeHead(status, head).end(`${why}\n`);
        return;
      }
      await reply(outgoing, await answer(toRequest(incoming, outgoing)), slowMs);
    } catch {
      // A partial answer must not end as if it were complete.
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500, { connection: 'close' }).end();
    }
  }
}

/** Why a request is refused before its body is read. */
function refusal(
  { headers, rawHeaders, method = 'GET', url = '' }: IncomingMessage,
  { hosts, origins }: { readonly hosts: readonly string[]; readonly origins: readonly string[] },
  letIn: Listening['letIn'],
): RequestRefusal | undefined {
  const { host, origin } = headers;
  const twice = findRepeatedHeader(rawHeaders);
  if (twice !== undefined) return { status: 400, why: `the header ${twice} is there twice` };
  if (host === undefined || !hosts.includes(host))
    return { status: 421, why: `this server answers for ${hosts.join(', ')} only` };
  if (origin !== undefined && !origins.includes(origin)) return { status: 403, why: 'another origin' };
  if (!url.startsWith('/') || url.startsWith('//'))
    return { status: 400, why: 'only a path of this server is asked for' };
  return letIn(headers, method, url.split('?')[0] ?? '');
}

/** An access header that occurs more than once; Node shows only the first. */
function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return ['host', 'origin', 'authorization', SESSION_HEADER].find(
    (name) => names.indexOf(name) !== names.lastIndexOf(name),
  );
}

function listen(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, address, port)));
    server.listen(port, address, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

/** The option at fault, and one that works. */
function explainListenError({ code, message }: NodeJS.ErrnoException, address: string, port: number): Problem {
  if (code === 'EADDRNOTAVAIL' || code === 'EINVAL') {
    const all = Object.values(networkInterfaces()).flatMap((some) => (some ?? []).map((one) => one.address));
    const own = all.filter((one) => !one.startsWith('fe80:')); // those need the name of an interface
    return createUsageError(
      `Invalid value: --bind ${address}. This machine has no such address, but ${own.join(', ')}.`,
      `Run \`andon web --bind ${own[0] ?? '127.0.0.1'}\`.`,
    );
  }
  return createUsageError(
    `Port ${port} of ${address} cannot be used (${code ?? message}).`,
    'Run the command again with `--port 0` to use a free one.',
  );
}

/** Keeps a request alive until it is answered: Node forgets to abort the signal of a collected one. */
const REQUESTS = new WeakMap<ServerResponse, Request>();

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const request = new Request(`http://${incoming.headers.host ?? ''}${incoming.url ?? '/'}`, {
    method,
    headers,
    signal: left.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
  });
  REQUESTS.set(outgoing, request);
  return request;
}

/** Sends an answer as fast as the client reads it. At most one piece waits, for a limited time. */
async function reply(outgoing: ServerResponse, response: Response, slowMs: number): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const pieces = response.body?.getReader();
  outgoing.once('close', () => void pieces?.cancel().catch(() => undefined)); // the producer learns that the client is gone
  for (let piece = await pieces?.read(); piece?.done === false; piece = await pieces?.read())
    for (let at = 0; at < piece.value.length; at += AT_ONCE) {
      if (outgoing.destroyed) return;
      const isTaken = outgoing.write(piece.value.subarray(at, at + AT_ONCE)) || (await takes(outgoing, slowMs));
      if (!isTaken) return void outgoing.destroy();
    }
  outgoing.end();
}

/** Bytes in flight at a time: a client that takes them is alive, however long the whole takes. */
const AT_ONCE = 64 * 1024;

/** Whether written data is taken before the client counts as gone or disconnects. */
function takes(outgoing: ServerResponse, slowMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isTaken: boolean) => (): void => {
      clearTimeout(timer);
      outgoing.off('drain', taken).off('close', taken);
      resolve(isTaken);
    };
    const taken = settle(true);
    const timer = setTimeout(settle(false), slowMs);
    outgoing.once('drain', taken).once('close', taken);
  });
}

/** Compares secrets by digest, in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
