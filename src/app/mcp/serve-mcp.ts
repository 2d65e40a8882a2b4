import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { RuleEngine } from '../../rules/files/engine/rule-engine.ts';
import { openModels } from '../checks/open-models.ts';
import { RULES } from '../../base/names.ts';
import { foldHooks } from '../../rules/escalation.ts';
import { readEntries } from '../../line/state/open-journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { isSameSecret, openListener, type RequestRefusal } from '../web/listener.ts';
import { serveOverHttp } from './http-sessions.ts';
import { serveOverStdio, type Served } from './protocol.ts';
import { createTools, type ToolDoors, type Tools } from './tools.ts';

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
