import type { Context } from 'hono';

/** What a route does: it lets a browser in, it gives a file of andon's own or a page that a ticket opens, it only shows, or it asks the line for something. */
export type Does = 'enters' | 'gives' | 'opens' | 'shows' | 'asks';

/** One route of this table, which is complete. */
export interface HttpRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly does: Does;
}

/** Every route by its name. Whatever is no GET lets in or asks for something; what asks is refused where nothing may be asked for. Below /api/ a session is needed, and nothing else shows what andon knows. */
export const ROUTES = {
  entrance: { method: 'GET', path: '/in', does: 'gives' },
  enter: { method: 'POST', path: '/api/enter', does: 'enters' },
  ticket: { method: 'POST', path: '/api/tickets', does: 'enters' },
  page: { method: 'GET', path: '/', does: 'gives' },
  taskPage: { method: 'GET', path: '/task/:repository/:task', does: 'gives' },
  haltPage: { method: 'GET', path: '/halt/:repository/:task', does: 'gives' },
  queuePage: { method: 'GET', path: '/queue', does: 'gives' },
  tasksPage: { method: 'GET', path: '/tasks', does: 'gives' },
  devicesPage: { method: 'GET', path: '/devices', does: 'gives' },
  newPage: { method: 'GET', path: '/new', does: 'gives' },
  rulesPage: { method: 'GET', path: '/rules', does: 'gives' },
  costsPage: { method: 'GET', path: '/costs', does: 'gives' },
  drillsPage: { method: 'GET', path: '/drills', does: 'gives' },
  script: { method: 'GET', path: '/app.js', does: 'gives' },
  style: { method: 'GET', path: '/app.css', does: 'gives' },
  icon: { method: 'GET', path: '/icon.svg', does: 'gives' },
  favicon: { method: 'GET', path: '/favicon.ico', does: 'gives' },
  manifest: { method: 'GET', path: '/manifest.webmanifest', does: 'gives' },
  start: { method: 'GET', path: '/api/start', does: 'shows' },
  events: { method: 'GET', path: '/api/events', does: 'shows' },
  task: { method: 'GET', path: '/api/tasks/:repository/:task', does: 'shows' },
  live: { method: 'GET', path: '/api/tasks/:repository/:task/live', does: 'shows' },
  diff: { method: 'GET', path: '/api/tasks/:repository/:task/diff', does: 'shows' },
  patch: { method: 'GET', path: '/api/tasks/:repository/:task/patch', does: 'shows' },
  prompt: { method: 'GET', path: '/api/tasks/:repository/:task/calls/:call/prompt', does: 'shows' },
  answerText: { method: 'GET', path: '/api/tasks/:repository/:task/calls/:call/answer', does: 'shows' },
  rules: { method: 'GET', path: '/api/rules/:repository', does: 'shows' },
  costs: { method: 'GET', path: '/api/costs', does: 'shows' },
  drills: { method: 'GET', path: '/api/drills', does: 'shows' },
  report: { method: 'GET', path: '/report/:repository/:task', does: 'opens' },
  digest: { method: 'GET', path: '/digest', does: 'opens' },
  answer: { method: 'POST', path: '/api/halts/:repository/:task/:halt', does: 'asks' },
  ask: { method: 'POST', path: '/api/asks/:repository', does: 'asks' },
  contract: { method: 'POST', path: '/api/contracts/:repository', does: 'asks' },
  drill: { method: 'POST', path: '/api/drills/:drill', does: 'asks' },
  link: { method: 'POST', path: '/api/links', does: 'asks' },
} as const satisfies Readonly<Record<string, HttpRoute>>;
export type RouteName = keyof typeof ROUTES;

/** What answers each route. */
export type Handlers = Readonly<Record<RouteName, (context: Context) => Promise<Response> | Response>>;
