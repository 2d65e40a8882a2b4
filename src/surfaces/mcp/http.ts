import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Problem } from '../../base/problem.ts';

/** Answers one request that was let through. */
export type Answer = (request: Request) => Promise<Response>;

/** A server on the loopback interface alone. */
export interface LoopbackServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens on 127.0.0.1 for whoever holds the token. A page in a browser gets nowhere: Host must be ours (against rebound
 * names), an Origin must be our own, and there are no CORS headers.
 */
export async function serveLoopback(port: number, token: string, answer: Answer): Promise<LoopbackServer> {
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  const bound = await listen(server, port);
  const names = [`127.0.0.1:${bound}`, `localhost:${bound}`];
  return {
    url: `http://127.0.0.1:${bound}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const refused = refusal(incoming, names, token);
      if (refused !== undefined) {
        const [status, why] = refused;
        const challenge = status === 401 ? { 'www-authenticate': 'Bearer realm="andon mcp"' } : {};
        outgoing.writeHead(status, { 'content-type': 'text/plain', connection: 'close', ...challenge }).end(`${why}\n`);
        return;
      }
      await reply(outgoing, await answer(asRequest(incoming, outgoing, names[0] ?? '')));
    } catch {
      if (!outgoing.headersSent) outgoing.writeHead(500, { connection: 'close' });
      outgoing.end();
    }
  }
}

const PATH = '/mcp';

/** Why a request is turned away before anything of its body is read. */
function refusal(
  { headers: { host, origin, authorization }, rawHeaders, url = '' }: IncomingMessage,
  names: readonly string[],
  token: string,
): readonly [status: number, why: string] | undefined {
  const twice = saidTwice(rawHeaders);
  if (twice !== undefined) return [400, `the header ${twice} is there twice`];
  if (host === undefined || !names.includes(host)) return [421, 'this server answers for 127.0.0.1 and localhost only'];
  if (origin !== undefined && !names.some((name) => origin === `http://${name}`)) return [403, 'another origin'];
  if (!isSame(authorization ?? '', `Bearer ${token}`))
    return [401, 'the token that `andon mcp --http` printed is missing'];
  return url.split('?')[0] === PATH ? undefined : [404, `only ${PATH} is served`];
}

/** Which of the headers that decide who is let in is there more than once; Node shows only the first of them. */
function saidTwice(rawHeaders: readonly string[]): string | undefined {
  const said = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  return ['host', 'origin', 'authorization'].find((name) => said.indexOf(name) !== said.lastIndexOf(name));
}

/** Compared by their digests, so that the time it takes says nothing. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Problem(
          'bad-argument',
          `port ${port} cannot be used (${error.code ?? error.message})`,
          'name another --port',
        ),
      ),
    );
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function asRequest(incoming: IncomingMessage, outgoing: ServerResponse, host: string): Request {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(PATH, `http://${host}`), {
    method,
    headers,
    signal: left.signal,
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' } : {}),
  });
}

async function reply(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body !== null)
    for await (const chunk of response.body) {
      if (!outgoing.write(chunk))
        await new Promise((drained) => outgoing.once('drain', drained).once('close', drained));
      if (outgoing.destroyed) return;
    }
  outgoing.end();
}
