import { once } from 'node:events';
import { basename } from 'node:path';
import { openLiveBoard } from '../../line/readers/live-board.ts';
import { openListener } from './listener.ts';
import { findStateHome } from '../../project/folders/user-folders.ts';
import { listWorkspaces } from '../../project/workspace/list-workspaces.ts';
import { loadWorkspace, type Workspace } from '../../project/workspace/load-workspace.ts';
import { Problem } from '../../base/problem.ts';
import { createApp } from './create-app.ts';
import { createHandlers, type HandlerContext } from './handlers.ts';
import { openDevices } from '../../line/notify/devices.ts';
import { Readers } from './readers.ts';
import { Sessions } from './session.ts';

export interface WebServerOptions extends Pick<HandlerContext, 'env' | 'version' | 'url' | 'readOnly' | 'asker'> {
  /** Default: the loopback interface. */
  readonly address: string | undefined;
  readonly port: number;
  readonly signal: AbortSignal;
  /** Tells the human where to look, and what to mind. */
  readonly say: (line: string) => void;
  /** Draws the link for a phone. */
  readonly draw: (link: string) => void;
}

/** Serves the board of this user until the signal comes. */
export async function serveWeb(options: WebServerOptions): Promise<void> {
  const { env, address, port, url, readOnly, signal, say, draw } = options;
  const live = await openLiveBoard({ env });
  const readers = new Readers(live, Date.now().toString(36));
  try {
    const sessions = new Sessions(openDevices(findStateHome(env)), address ?? '');
    let shown = '';
    const handlers = createHandlers({
      ...options,
      live,
      readers,
      sessions,
      linkTo: () => sessions.link(shown),
      placeOf: (id) => placeOf(id, env),
    });
    const app = createApp(handlers, readOnly);
    const server = await openListener({
      ...(address === undefined ? {} : { address }),
      port,
      origins: url === undefined ? [] : [new URL(url).origin],
      letIn: (headers, method, path) => sessions.refusal(headers, method, path),
      answer: async (request) => app.fetch(request),
    });
    shown = url === undefined ? server.url : new URL(url).origin;
    const link = sessions.link(shown);
    say(`open once: ${link}`);
    draw(link);
    if (url !== undefined) say(`or on this machine: ${sessions.link(server.url)}`);
    if (readOnly !== undefined) say(readOnly);
    await (signal.aborted ? undefined : once(signal, 'abort'));
    await server.close();
  } finally {
    readers.close(); // a board that cannot be served must not stay and look
    live.close();
  }
}

async function placeOf(id: string, env: NodeJS.ProcessEnv): Promise<Workspace> {
  const known = listWorkspaces(env).find(({ state }) => basename(state) === id);
  if (known?.root === undefined || !known.isThere)
    throw new Problem('no-task', 'there is no such repository (any more)', 'go to /', 1);
  return loadWorkspace(known.root, env);
}
