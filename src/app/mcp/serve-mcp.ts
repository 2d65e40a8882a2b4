import { once } from 'node:events';
import { randomBytes, randomUUID } from 'node:crypto';
import { RuleEngine } from '../../rules/files/rule-engine.ts';
import { openModels } from '../checks/open-models.ts';
import { RULES } from '../../base/names.ts';
import { foldHooks } from '../../rules/soft-hooks.ts';
import { readEntries } from '../../line/journal/open-journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { isSameSecret, openListener, type RequestRefusal } from '../web/listener.ts';
import { serveOverStdio, type Served, MAX_MESSAGE_BYTES, createSessionServer } from './protocol.ts';
import { createTools, type ToolDoors, type Tools } from './tools.ts';
import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';

const PATH = '/mcp';

interface McpServerOptions extends ToolDoors {
  readonly version: string;
  readonly env: NodeJS.ProcessEnv;
  readonly mayRegister: boolean;
  /** Undefined: over standard input and output. */
  readonly port: number | undefined;
  readonly signal: AbortSignal;
  /** Tells the human where it listens, and the token, once. */
  readonly say: (line: string) => void;
}

/** Serves a place until the client leaves or the signal comes. */
export async function serveMcp(
  place: Workspace,
  { version, env, mayRegister, answerHook, sendComments, port, signal, say }: McpServerOptions,
): Promise<void> {
  const open = (): Tools =>
    createTools(place, new RuleEngine(place, env, { mayRegister, openModels, countIgnored }), {
      answerHook,
      sendComments,
    });
  const served: Served = { place, version, open };
  const stopped = signal.aborted ? undefined : once(signal, 'abort');
  if (port === undefined) {
    const { promise: gone, resolve: left } = Promise.withResolvers<void>();
    const handle = serveOverStdio(served, left);
    await Promise.race([stopped, gone]);
    return handle.close();
  }
  const token = randomBytes(32).toString('base64url');
  const handler = serveOverHttp(served);
  const server = await openListener({ port, letIn: bearer(token), answer: (request) => handler.fetch(request) });
  say(`listens on ${server.url}${PATH}`);
  say(`Authorization: Bearer ${token}`);
  await stopped;
  await handler.close();
  await server.close();
}

/** How often each reminder was ignored in a project, by its journal. */
function countIgnored(place: Workspace): ReadonlyMap<string, number> {
  return foldHooks(readEntries(place, RULES).filter((entry) => entry.kind === 'hooked'));
}

/** Admits requests with the token, at the one served path. */
function bearer(token: string) {
  return (
    { authorization }: { readonly authorization?: string | undefined },
    _: string,
    path: string,
  ): RequestRefusal | undefined => {
    if (!isSameSecret(authorization ?? '', `Bearer ${token}`))
      return {
        status: 401,
        why: 'the token that `andon mcp --http` printed is missing',
        headers: { 'www-authenticate': 'Bearer realm="andon mcp"' },
      };
    return path === PATH ? undefined : { status: 404, why: `only ${PATH} is served` };
  };
}

/** Sessions for clients of before 2026, whose protocol has them; the later ones bring everything in each request. */
function serveOverHttp(served: Served) {
  const lasting = served.open();
  const modern = createMcpHandler(() => createSessionServer(served, lasting), {
    legacy: 'reject',
    maxRequestBodySize: MAX_MESSAGE_BYTES,
  });
  const sessions = new Map<string, Transport>();
  return {
    /** Who may ask was decided before. */
    async fetch(request: Request): Promise<Response> {
      if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_MESSAGE_BYTES })))
        return modern.fetch(request);
      const id = request.headers.get('mcp-session-id');
      if (id === null) return (await begin()).handleRequest(request);
      const known = sessions.get(id);
      if (known === undefined) return createGoneResponse();
      sessions.delete(id); // the least recently used session ends first
      sessions.set(id, known);
      return known.handleRequest(request);
    },
    async close(): Promise<void> {
      await modern.close();
      for (const session of sessions.values()) await session.close();
    },
  };

  async function begin(): Promise<Transport> {
    const transport: Transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_MESSAGE_BYTES,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        const [oldest] = sessions;
        if (sessions.size > MOST_SESSIONS && oldest !== undefined) {
          sessions.delete(oldest[0]);
          void oldest[1].close();
        }
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await createSessionServer(served, served.open()).connect(transport);
    return transport;
  }
}

type Transport = WebStandardStreamableHTTPServerTransport;

const MOST_SESSIONS = 64;

/** The client starts a new session on this. */
const createGoneResponse = (): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null }, { status: 404 });
