import { randomUUID } from 'node:crypto';
import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';
import { MAX_MESSAGE_BYTES, createSessionServer, type Served } from './protocol.ts';

/** Sessions for clients of before 2026, whose protocol has them; the later ones bring everything in each request. */
export function serveOverHttp(served: Served) {
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
