import type { Context } from 'hono';

/** What a route does: it lets a browser in, it only shows, or it asks the line for something. */
export type Does = 'enters' | 'shows' | 'asks';

/** One route of this table, which is complete. */
export interface HttpRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly does: Does;
}

/** The files of the page by the addresses at which they open; they show nothing of what andon knows. */
export const PAGE_FILES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/in': 'index.html',
  '/task/:repository/:task': 'index.html',
  '/halt/:repository/:task': 'index.html',
  '/queue': 'index.html',
  '/tasks': 'index.html',
  '/devices': 'index.html',
  '/digest': 'index.html',
  '/new': 'index.html',
  '/rules': 'index.html',
  '/insights': 'index.html',
  '/app.js': 'app.js',
  '/app.css': 'app.css',
  '/icon.svg': 'icon.svg',
  '/favicon.ico': 'icon.svg', // browsers ask for it by this name where a page names none
  '/push-worker.js': 'push-worker.js',
  '/manifest.webmanifest': 'manifest.webmanifest',
};

/** Every route by its name, each below /api/: a session is needed, and what is no GET lets in or asks for something. */
export const ROUTES = {
  enter: { method: 'POST', path: '/api/enter', does: 'enters' },
  start: { method: 'GET', path: '/api/start', does: 'shows' },
  events: { method: 'GET', path: '/api/events', does: 'shows' },
  task: { method: 'GET', path: '/api/tasks/:repository/:task', does: 'shows' },
  live: { method: 'GET', path: '/api/tasks/:repository/:task/live', does: 'shows' },
  diff: { method: 'GET', path: '/api/tasks/:repository/:task/diff', does: 'shows' },
  patch: { method: 'GET', path: '/api/tasks/:repository/:task/patch', does: 'shows' },
  colours: { method: 'GET', path: '/api/tasks/:repository/:task/colours', does: 'shows' },
  image: { method: 'GET', path: '/api/tasks/:repository/:task/image', does: 'shows' },
  prompt: { method: 'GET', path: '/api/tasks/:repository/:task/calls/:call/prompt', does: 'shows' },
  answerText: { method: 'GET', path: '/api/tasks/:repository/:task/calls/:call/answer', does: 'shows' },
  rules: { method: 'GET', path: '/api/rules/:repository', does: 'shows' },
  insights: { method: 'GET', path: '/api/insights', does: 'shows' },
  digest: { method: 'GET', path: '/api/digest', does: 'shows' },
  decide: { method: 'POST', path: '/api/tasks/:repository/:task/decision', does: 'asks' },
  answer: { method: 'POST', path: '/api/halts/:repository/:task/:halt', does: 'asks' },
  ask: { method: 'POST', path: '/api/asks/:repository', does: 'asks' },
  contract: { method: 'POST', path: '/api/contracts/:repository', does: 'asks' },
  waitingFile: { method: 'GET', path: '/api/papers/:repository', does: 'shows' },
  mend: { method: 'POST', path: '/api/papers/:repository', does: 'asks' },
  devices: { method: 'GET', path: '/api/devices', does: 'shows' },
  revoke: { method: 'POST', path: '/api/devices/:device', does: 'asks' },
  pushKey: { method: 'POST', path: '/api/push/key', does: 'asks' },
  push: { method: 'POST', path: '/api/push', does: 'asks' },
  link: { method: 'POST', path: '/api/links', does: 'asks' },
} as const satisfies Readonly<Record<string, HttpRoute>>;
export type RouteName = keyof typeof ROUTES;

export type Handlers = Readonly<Record<RouteName, (context: Context) => Promise<Response> | Response>> & {
  readonly file: (context: Context, name: string) => Response;
};
