import { basename } from 'node:path';
import type { Context } from 'hono';
import { knownStates } from '../../wiring/known-states.ts';
import type { LiveBoard } from '../../daemon/readers/live-board.ts';
import { readDigest } from '../../daemon/readers/read-digest.ts';
import type { Place } from '../../wiring/open-place.ts';
import { renderPage } from '../../line/digest/page.ts';
import { bodyOf, paged, told } from './app.ts';
import { answerHalt, askFor, newContract } from './asks.ts';
import type { Asker } from './asks.ts';
import type { Drills } from './drills.ts';
import { fileOfPage } from './files.ts';
import { costsTold } from './look-at-costs.ts';
import { rulesTold } from './look-at-rules.ts';
import { callTold, changeTold, patchTold, reportPage, taskTold } from './look-at-task.ts';
import type { Between } from './look-at-task.ts';
import type { Readers } from './readers.ts';
import type { Handlers } from './routes.ts';
import type { Sessions } from './session.ts';
import type { Entered, Outcome, Start, Ticket } from './told.ts';

/** What the handlers work with. */
export interface Desk {
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
  readonly drills: Drills;
  readonly linkTo: () => string;
  readonly placeOf: (id: string) => Promise<Place>;
}

/** What answers each route. */
export function handlersOf(desk: Desk): Handlers {
  const { env, live, readers, sessions, drills, asker, placeOf } = desk;
  const page = (context: Context): Response => fileOfPage(context, 'index.html');
  /** Without a ticket the board itself is given, which asks for one. */
  const isAdmitted = ({ req }: Context): boolean =>
    sessions.isAdmitted(req.query('ticket') ?? '', new URL(req.url).pathname);
  const at = async (context: Context): Promise<Place> => placeOf(param(context, 'repository'));
  const piece = async (context: Context, what: 'prompt' | 'answer'): Promise<Response> => {
    const from = Math.max(0, Math.trunc(Number(context.req.query('from') ?? '0')) || 0);
    const call = Number(param(context, 'call'));
    return told(context, callTold(await at(context), param(context, 'task'), { call, what, from }));
  };
  const answered = async (context: Context, work: () => Promise<Outcome>): Promise<Response> => {
    try {
      const outcome = await work();
      return told(context, outcome, outcome.ok ? 200 : 422);
    } finally {
      await live.look();
    }
  };
  return {
    entrance: page,
    enter: async (context) => enter(context, sessions),
    ticket: async (context) => {
      const { path } = textsOf(await bodyOf(context));
      return told(context, { ticket: sessions.ticket(path ?? '') } satisfies Ticket);
    },
    page,
    taskPage: page,
    haltPage: page,
    queuePage: page,
    newPage: page,
    rulesPage: page,
    costsPage: page,
    drillsPage: page,
    script: (context) => fileOfPage(context, 'app.js'),
    style: (context) => fileOfPage(context, 'app.css'),
    icon: (context) => fileOfPage(context, 'icon.svg'),
    favicon: (context) => fileOfPage(context, 'icon.svg'), // browsers ask for it by this name where a page names none, as report and digest do
    manifest: (context) => fileOfPage(context, 'manifest.webmanifest'),
    start: (context) => {
      const start: Start = { board: live.board(), read_only: desk.readOnly ?? null, version: desk.version };
      return told(context, start);
    },
    events: (context) => {
      const stream = readers.open(context.req.raw.signal, context.req.header('last-event-id'));
      if (stream === undefined) return context.text('too many pages look already', 503);
      return context.body(stream, 200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    },
    task: async (context) =>
      told(context, await taskTold(await at(context), param(context, 'repository'), param(context, 'task'))),
    diff: async (context) =>
      told(context, await changeTold(await at(context), param(context, 'task'), between(context))),
    patch: async (context) => {
      const wanted = { ...between(context), paths: context.req.queries('path') ?? [] };
      return told(context, await patchTold(await at(context), param(context, 'task'), wanted));
    },
    prompt: (context) => piece(context, 'prompt'),
    answerText: (context) => piece(context, 'answer'),
    rules: async (context) => told(context, await rulesTold(await at(context), new Date().toISOString().slice(0, 10))),
    costs: (context) => {
      const shown = new Set(live.board().repositories.map(({ id }) => id));
      const states = knownStates(env).map(({ state }) => ({ id: basename(state), state }));
      return told(context, costsTold(states.filter(({ id }) => shown.has(id))));
    },
    drills: (context) => told(context, drills.told()),
    report: async (context) => {
      if (!isAdmitted(context)) return page(context);
      const [repository, task] = [param(context, 'repository'), param(context, 'task')];
      const back = `/task/${encodeURIComponent(repository)}/${encodeURIComponent(task)}`;
      return paged(context, await reportPage(await at(context), task, back));
    },
    digest: async (context) => {
      if (!isAdmitted(context)) return page(context);
      const now = new Date().toISOString();
      const { digest } = await readDigest({ place: undefined, since: undefined, now }, env);
      return paged(context, renderPage(digest, { here: undefined }, '/')); // it is not noted as told: a GET changes nothing
    },
    answer: (context) =>
      answered(context, async () => {
        const { root } = (await at(context)).facts;
        const about = { taskId: param(context, 'task'), haltId: param(context, 'halt'), body: await bodyOf(context) };
        return answerHalt(asker, root, about);
      }),
    ask: (context) =>
      answered(context, async () => askFor(asker, (await at(context)).facts.root, await bodyOf(context))),
    contract: (context) => answered(context, async () => newContract(await at(context), env, await bodyOf(context))),
    drill: (context) => answered(context, () => drills.run(param(context, 'drill'))),
    link: (context) => told(context, { ok: true, said: desk.linkTo() } satisfies Outcome),
  };
}

async function enter(context: Context, sessions: Sessions): Promise<Response> {
  const { token } = textsOf(await bodyOf(context));
  const session = sessions.enter(token ?? '');
  if (session !== undefined) return told(context, { ok: true, session } satisfies Entered);
  const said = 'This link was opened before, or is of another andon.';
  const remedy = 'Type `andon web` again, or make a link on a page that is open.';
  return told(context, { ok: false, code: 'no-answer', said, remedy } satisfies Entered, 403);
}

/** The texts among the values of an object. */
function textsOf(body: unknown): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(Object(body) as object).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

const param = (context: Context, name: string): string => context.req.param(name) ?? '';

const between = (context: Context): Between => {
  const { from = '', to = '' } = context.req.query();
  return { from, to };
};
