import {
  LOG_LEVEL_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ListToolsResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { maskKnown, maskKnownIn } from '../../base/known-secrets.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { BoundedStdioTransport } from './bounded-stdio-transport.ts';
import type { CallTools, ToldViolation } from './tool.ts';
import type { Tools } from './tools.ts';
import { readRuleStats } from '../checks/record-feedback.ts';
import { openAudit } from '../../rules/files/audit-log.ts';

/** What is served, whatever way it is asked. */
export interface Served {
  readonly place: Workspace;
  readonly version: string;
  /** The tools for one session; what a session registers is gone with it. */
  readonly open: () => Tools;
}

export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Serves one client over standard input and output; `closed` is called when it has left. */
export function serveOverStdio(served: Served, closed: () => void): { close(): Promise<void> } {
  const transport = new BoundedStdioTransport(MAX_MESSAGE_BYTES, closed);
  const tools = served.open();
  return serveStdio(() => createSessionServer(served, tools), { transport });
}

/** A server for one session, not yet connected. */
export function createSessionServer({ place, version }: Served, tools: Tools): McpServer {
  const made = new McpServer(
    { name: 'andon', title: 'andon', version },
    { capabilities: { tools: {}, resources: {}, logging: {} }, instructions: INSTRUCTIONS },
  );
  const { server } = made;
  let isLogWanted = false;
  server.setRequestHandler('tools/list', async ({ params }) => {
    const { tools: page, next } = await tools.list(cursorFrom(params?.cursor));
    return { tools: page as ListToolsResult['tools'], ...(next === undefined ? {} : { nextCursor: String(next) }) };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const answer = await tools.call(
      params.name,
      params.arguments ?? {},
      callTools(context, () => isLogWanted),
    );
    // A rule that was taken has a tool of its own from now on.
    if (params.arguments?.['action'] === 'register' && !answer.isError) made.sendToolListChanged();
    // The facts twice: as data, and as text for clients that read only that.
    return maskKnownIn({
      content: [
        { type: 'text', text: answer.summary },
        { type: 'text', text: JSON.stringify(answer.facts) },
      ],
      structuredContent: { ...answer.facts },
      ...(answer.isError ? { isError: answer.isError } : {}),
    });
  });
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES.map((one) => ({ ...one })) }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const text = readResource(place, uri);
    if (text === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource: ${uri.slice(0, 200)}`);
    const mimeType = RESOURCES.find((one) => one.uri === uri)?.mimeType ?? 'text/plain';
    return { contents: [{ uri, mimeType, text: maskKnown(text) }] };
  });
  // A client of before 2026 asks once for messages; a later one in every request.
  server.setRequestHandler('logging/setLevel', ({ params: { level } }) => {
    isLogWanted = WARNING_AND_BELOW.includes(level);
    return {};
  });
  return made;
}

type Facts = Readonly<Record<string, unknown>>;

const INSTRUCTIONS =
  'rule_engine applies the rules of this repository: {action: "check_violation", phase, context: {code, file}} says what the gravest violation asks for. A skipped rule is not a passed one.';

/** Violations are reported as warnings. */
const WARNING_AND_BELOW: readonly string[] = ['debug', 'info', 'notice', 'warning'];

function cursorFrom(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,6}$/.test(cursor)) return Number(cursor);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor');
}

function callTools({ mcpReq }: ServerContext, isLogWanted: () => boolean): CallTools {
  const level = (mcpReq.envelope as Facts | undefined)?.[LOG_LEVEL_META_KEY];
  const wantsLog = typeof level === 'string' ? WARNING_AND_BELOW.includes(level) : isLogWanted();
  return {
    signal: mcpReq.signal,
    async tell(violation: ToldViolation) {
      await mcpReq.notify({ method: 'notifications/ops/priority', params: { ...violation } });
      if (!wantsLog) return;
      const params = { level: 'warning', logger: 'rule_engine', data: { ...violation } };
      await mcpReq.notify({ method: 'notifications/message', params });
    },
  };
}

/** What can be read: what the rules found so far, and the sums of it. */
const RESOURCES = [
  {
    uri: 'andon://audit/rule_violations',
    name: 'rule_violations',
    title: 'Recorded violations',
    description: 'The last 500 violations that were written down, oldest first, one JSON object per line.',
    mimeType: 'application/x-ndjson',
  },
  {
    uri: 'andon://audit/statistics',
    name: 'rule_statistics',
    title: 'Violations per rule',
    description: 'How often each rule was violated, waived and marked as wrong.',
    mimeType: 'application/json',
  },
] as const;

const MOST = 500;

/** The text of one of them; undefined for any other address. */
export function readResource(place: Workspace, uri: string): string | undefined {
  if (uri === RESOURCES[0].uri)
    return openAudit(place)
      .violations()
      .entries.slice(-MOST)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('');
  if (uri !== RESOURCES[1].uri) return undefined;
  return JSON.stringify(readRuleStats(place), null, 2);
}
