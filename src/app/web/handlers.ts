import { basename } from 'node:path';
import type { Context } from 'hono';
import { keepPushKeys } from '../../line/notify/devices.ts';
import { findStateHome } from '../../project/folders/user-folders.ts';
import { listWorkspaces } from '../../project/workspace/list-workspaces.ts';
import type { LiveBoard } from '../../line/readers/live-board.ts';
import { readDigest } from '../../line/readers/read-digest.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { SESSION_HEADER } from '../../base/names.ts';
import { parseMoment } from '../../base/local-time.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { formatProof, outlineDigest } from '../../line/digest/outline-digest.ts';
import { formatPrice } from '../../line/reports/task-report/format-figures.ts';
import { listTaskOutput } from '../../line/board/call-output.ts';
import { readJsonBody, sendJson } from './create-app.ts';
import {
  postHaltAnswer,
  askFor,
  postContract,
  postWaitingFile,
  readDecisionBody,
  readSubscription,
  type Asker,
} from './asks.ts';
import { canBeReached, traceQrCode } from './qr-code.ts';
import { readWaitingFile } from './read-waiting-file.ts';
import { readInsights } from './read-insights.ts';
import { readRules } from './read-rules.ts';
import { readChange, readColours, readImage, readPatchBetween, type CommitPair } from './read-change.ts';
import { postDecision, readCallText, readTask } from './read-task.ts';
import type { Readers } from './readers.ts';
import type { Handlers } from './routes.ts';
import type { Sessions } from './session.ts';
import type {
  DevicesResponse,
  LinkResponse,
  LoginResponse,
  ActionOutcome,
  LiveResponse,
  PageData,
  PushKeyResponse,
  DigestResponse,
} from './api-types.ts';
import { builtPage } from '../../base/system/install-root.ts';
import { Problem, createUsageError } from '../../base/problem.ts';

export interface HandlerContext {
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** Where it is reached from outside, through a proxy; its links lead there. */
  readonly url: string | undefined;
  /** Why nothing can be asked for here; undefined where it can. */
  readonly readOnly: string | undefined;
  readonly asker: Asker;
  readonly live: LiveBoard;
  readonly readers: Readers;
  readonly sessions: Sessions;
  readonly linkTo: () => string;
  readonly placeOf: (id: string) => Promise<Workspace>;
}

/** Lines of a running call on the page of its task. */
const MOST_LIVE_LINES = 40;

export function createHandlers(desk: HandlerContext): Handlers {
  const { env, live, readers, sessions, asker, placeOf } = desk;
  const at = async (context: Context): Promise<Workspace> => placeOf(param(context, 'repository'));
  const deviceOf = (context: Context) => sessions.deviceOf(context.req.header(SESSION_HEADER));
  const shows =
    (read: (place: Workspace, task: string, context: Context) => unknown) =>
    async (context: Context): Promise<Response> =>
      sendJson(context, await read(await at(context), param(context, 'task'), context));
  const piece = (what: 'prompt' | 'answer') =>
    shows((place, task, context) => {
      const from = Math.max(0, Math.trunc(Number(context.req.query('from') ?? '0')) || 0);
      return readCallText(place, task, { call: Number(param(context, 'call')), what, from });
    });
  const asks =
    (work: (place: Workspace, body: unknown, context: Context) => Promise<ActionOutcome>) =>
    async (context: Context): Promise<Response> => {
      try {
        const outcome = await work(await at(context), await readJsonBody(context), context);
        return sendJson(context, outcome, outcome.ok ? 200 : 422);
      } finally {
        await live.look();
      }
    };
  return {
    file: readPageFile,
    enter: async (context) => enter(context, sessions),
    start: (context) => {
      const start: PageData = { board: live.board(), read_only: desk.readOnly ?? null, version: desk.version };
      return sendJson(context, start);
    },
    events: (context) => {
      const { signal } = context.req.raw;
      const session = context.req.header(SESSION_HEADER);
      const lastId = context.req.header('last-event-id');
      const stream = readers.open({ signal, lastId, mayRead: () => sessions.deviceOf(session) !== undefined });
      if (stream === undefined) return context.text('too many pages look already', 503);
      return context.body(stream, 200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    },
    task: shows((place, task, context) => readTask(place, param(context, 'repository'), task)),
    live: (context) => {
      const of = { repository: param(context, 'repository'), task_id: param(context, 'task') };
      const calls = listTaskOutput(live.output.calls(), of);
      const tails = calls.map(({ call, station, lines }) => ({ call, station, lines: lines.slice(-MOST_LIVE_LINES) }));
      return sendJson(context, { calls: tails } satisfies LiveResponse);
    },
    diff: shows((place, task, context) => readChange(place, task, between(context))),
    patch: shows((place, task, context) => readPatchBetween(place, task, fileIn(context))),
    colours: shows((place, task, context) => readColours(place, task, fileIn(context))),
    image: async (context) => {
      const { at: commit = '', path = '' } = context.req.query();
      const { bytes, type } = await readImage(await at(context), param(context, 'task'), { at: commit, path });
      return context.body(bytes, 200, { 'content-type': type });
    },
    prompt: piece('prompt'),
    answerText: piece('answer'),
    rules: shows((place) => readRules(place, new Date().toISOString().slice(0, 10))),
    insights: (context) => {
      const shown = new Set(live.board().repositories.map(({ id }) => id));
      const states = listWorkspaces(env).map(({ state }) => ({ id: basename(state), state }));
      return sendJson(context, readInsights(states.filter(({ id }) => shown.has(id))));
    },
    digest: async (context) => {
      const now = new Date().toISOString();
      const written = context.req.query('since');
      const since = written === undefined ? undefined : parseMoment(written);
      if (written !== undefined && (since === undefined || since > now))
        throw createUsageError('`since` must be a moment in the past', 'go to /digest');
      const { digest } = await readDigest({ place: undefined, since, now }, env);
      const outline = outlineDigest(digest, { here: undefined, when: (at) => at });
      const spent = formatPrice(digest.spent.together);
      const proofs = digest.merged.map(formatProof);
      return sendJson(context, { digest, outline, proofs, spent } satisfies DigestResponse); // it is not noted as told: a GET changes nothing
    },
    answer: asks((place, body, context) => {
      const about = { taskId: param(context, 'task'), haltId: param(context, 'halt'), body };
      return postHaltAnswer(asker, place.facts.root, about);
    }),
    decide: asks((place, body, context) => {
      const task = param(context, 'task');
      return postDecision(place, task, readDecisionBody(task, body));
    }),
    ask: asks((place, body) => askFor(asker, place.facts.root, body)),
    contract: asks((place, body) => postContract(place, env, body)),
    waitingFile: shows((place, _task, context) => readWaitingFile(place, env, context.req.query('file'))),
    mend: asks((place, body) => postWaitingFile(place, env, body)),
    devices: (context) => {
      const own = deviceOf(context)?.digest;
      const devices = sessions.devices().map(({ digest, name, at, push }) => ({
        id: digest,
        name,
        at,
        is_own: digest === own,
        is_notified: push !== undefined,
      }));
      return sendJson(context, { devices } satisfies DevicesResponse);
    },
    revoke: (context) => {
      if (!sessions.revoke(param(context, 'device')))
        throw createUsageError('this device is revoked already', 'reload the page');
      readers.wake();
      return sendJson(context, { ok: true, said: 'It needs a new link now.' } satisfies ActionOutcome);
    },
    pushKey: (context) => {
      const { publicKey: key } = keepPushKeys(findStateHome(env));
      return sendJson(context, { ok: true, said: '', key } satisfies PushKeyResponse);
    },
    push: async (context) => {
      const push = readSubscription(await readJsonBody(context));
      sessions.subscribe(deviceOf(context)?.digest ?? '', push);
      const said = push === undefined ? 'This browser is not notified any more.' : 'This browser is notified.';
      return sendJson(context, { ok: true, said } satisfies ActionOutcome);
    },
    link: (context) => {
      const said = desk.linkTo();
      const code = canBeReached(said) ? traceQrCode(said) : null;
      return sendJson(context, { ok: true, said, code } satisfies LinkResponse);
    },
  };
}

async function enter(context: Context, sessions: Sessions): Promise<Response> {
  const { token } = Object(await readJsonBody(context)) as { readonly token?: unknown };
  const session = sessions.enter(
    typeof token === 'string' ? token : '',
    toTerminalLine(context.req.header('user-agent') ?? '', 300),
  );
  if (session !== undefined) return sendJson(context, { ok: true, session } satisfies LoginResponse);
  const text = 'This link was opened before, or is of another andon.';
  const remedy = 'Type `andon web` again, or make a link on a page that is open.';
  return sendJson(context, { ok: false, code: 'no-answer', said: text, remedy } satisfies LoginResponse, 403);
}

const param = (context: Context, name: string): string => context.req.param(name) ?? '';

const between = (context: Context): CommitPair => {
  const { from = '', to = '' } = context.req.query();
  return { from, to };
};

const fileIn = (context: Context) => ({
  ...between(context),
  paths: context.req.queries('path') ?? [],
  ignoresSpaces: context.req.query('spaces') === 'ignored',
});

const TYPES: Readonly<Record<string, string | undefined>> = {
  'index.html': 'text/html; charset=utf-8',
  'push-worker.js': 'text/javascript; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'manifest.webmanifest': 'application/manifest+json',
};

const known = new Map<string, Uint8Array<ArrayBuffer>>();

/** One of the files that the page is made of, as it was built. */
function readPageFile(context: Context, name: string): Response {
  const type = TYPES[name];
  if (type === undefined) throw createUsageError('there is no such file', 'go to /');
  const bytes = known.get(name) ?? builtPage(name, import.meta.url);
  if (bytes === undefined)
    throw new Problem(
      'bad-configuration',
      'the page of the board was not built',
      'npm run build, in the clone of andon',
      1,
    );
  known.set(name, bytes);
  return context.body(bytes, 200, { 'content-type': type });
}
