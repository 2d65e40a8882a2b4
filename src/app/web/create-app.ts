import { Hono, type Context } from 'hono';
import { toSafeJson } from '../../base/plain-text.ts';
import { toPlainTexts } from '../../base/plain-texts.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import type { ActionOutcome } from './api-types.ts';
import { PAGE_FILES, ROUTES, type Handlers, type RouteName } from './routes.ts';

/** Scripts, styles and pictures of this server alone; nothing inline, no frame, no form that leads elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What may be asked for in one request. */
const MOST_BYTES = 256 * 1024;

/** The application: exactly the routes of the table, all headers that keep a browser in its place, and one refusal of everything that asks where nothing may be asked for. */
export function createApp(handlers: Handlers, readOnly: string | undefined): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    const { headers } = context.res;
    headers.set('content-security-policy', POLICY);
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    for (const [name, value] of HEADERS) headers.set(name, value);
  });
  for (const [path, name] of Object.entries(PAGE_FILES)) app.get(path, (context) => handlers.file(context, name));
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const { method, path, does } = ROUTES[name];
    app.on(method, path, async (context) => {
      if (does === 'asks' && readOnly !== undefined)
        return refused(context, 403, createUsageError(readOnly, 'type the command instead', 1));
      return handlers[name](context);
    });
  }
  app.notFound((context) =>
    (context.req.header('accept') ?? '').includes('text/html')
      ? context.html(NO_PAGE, 404)
      : refused(context, 404, createUsageError('there is no such page', 'go to /')),
  );
  app.onError((error, context) => {
    if (error instanceof Problem) return refused(context, STATUS[error.code] ?? 400, error);
    return refused(context, 500, createUsageError(`andon failed over it: ${error.message}`, 'reload the page', 1));
  });
  return app;
}

const NO_PAGE =
  '<!doctype html><html lang="en"><title>andon</title><p>There is no such page. <a href="/">Go to the board</a>.';

const HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=()'],
] as const;

const STATUS: Readonly<Record<string, 404 | 409 | 503 | undefined>> = {
  'no-task': 404,
  'not-halted': 409,
  'outdated-choice': 409,
  busy: 409,
  'no-answer': 503,
};

function refused(context: Context, status: 400 | 403 | 404 | 409 | 500 | 503, problem: Problem): Response {
  const outcome: ActionOutcome = { ok: false, code: problem.code, said: problem.message, remedy: problem.remedy };
  return sendJson(context, outcome, status);
}

/** A value as JSON in which every text is plain: nothing in it hides, reorders, or steers. */
export const sendJson = (
  context: Context,
  value: unknown,
  status: 200 | 400 | 403 | 404 | 409 | 422 | 500 | 503 = 200,
): Response =>
  context.body(toSafeJson(toPlainTexts(value), 0), status, { 'content-type': 'application/json; charset=utf-8' });

/** The JSON body of a request; throws a Problem if it is invalid or too large. */
export async function readJsonBody(context: Context): Promise<unknown> {
  const isJson = (context.req.header('content-type') ?? '').startsWith('application/json');
  const length = Number(context.req.header('content-length') ?? '');
  if (!isJson || !Number.isInteger(length) || length > MOST_BYTES)
    throw createUsageError(`a request is JSON of at most ${MOST_BYTES} bytes that says its length`, 'reload the page');
  try {
    return (await context.req.json()) as unknown;
  } catch {
    throw createUsageError('the request is no JSON', 'reload the page');
  }
}
