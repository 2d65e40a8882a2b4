import { describeDiskWait } from '../../base/disk-trouble.ts';
import type { RequestReply, Request } from '../../project/requests/request.ts';
import { catchUpPapers } from '../../line/documents/move-papers.ts';
import { Line } from '../../line/daemon/line.ts';
import { fulfilRequest } from '../../line/daemon/fulfil-request.ts';
import { lockWorkspace } from '../../project/workspace/lock-workspace.ts';
import { loadWorkspace, type Workspace } from '../../project/workspace/load-workspace.ts';
import { askHolderOf, openHolder } from '../../project/workspace/open-reader.ts';
import { describeHolderHost } from '../../project/locks/holder.ts';
import { openServices } from '../../line/services/open-services.ts';
import type { LineEvent } from '../../line/services/services.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem, type ProblemCode } from '../../base/problem.ts';
import type { Invocation } from './command.ts';
import { printWarning } from './print.ts';
import { abortOnSignal } from './signals.ts';
import { Stopped } from '../../line/journal/stopped.ts';

/** A daemon that ends a task's processes first may need a few seconds to answer; one that runs gates, as for `undo`, minutes. */
const ANSWER_MS = 20_000;
const UNDO_MS = 3_600_000;

/** The requests that start nothing. */
const ONLY_STOP: ReadonlySet<Request['do']> = new Set(['halt', 'pause', 'abandon', 'stop']);

/** Carries a request out: through the running watchdog, or here where none runs. */
export async function requestOrRun(
  invocation: Invocation,
  request: Request,
): Promise<Extract<RequestReply, { readonly ok: true }> & { readonly watchdog: boolean }> {
  const { cwd, env } = invocation;
  const place = await loadWorkspace(cwd, env);
  // Another command holds the place for moments and answers no requests: wait for it.
  const holder = openHolder(place);
  if (holder?.doing === 'watch') {
    if (!holder.isReachable) throw runsElsewhere(holder);
    const { waits } = await askHolderOf(place);
    if (waits !== undefined)
      throw new Problem(
        'no-answer',
        describeDiskWait(waits),
        'Repair the disk. The watchdog then goes on by itself.',
        1,
      );
    return askWatchdog(place, request, { ms: ['undo', 'clean'].includes(request.do) ? UNDO_MS : ANSWER_MS });
  }
  const lock = await lockWorkspace(place, request.do, () => {});
  try {
    const { services, journal } = await openServices(place, env, warn, {
      onlyStops: ONLY_STOP.has(request.do),
      lastSeen: lock.tookOverFrom?.lastSeen,
    });
    try {
      catchUpPapers(services);
      const line = new Line(services, (error) => {
        throw error;
      });
      line.pollLoop.stop(); // no next task begins
      const done = await fulfilRequest(line, request, { untilStopped: () => abortOnSignal(invocation) }).catch(
        toStopped,
      );
      await line.showHalts();
      return { ok: true, ...done, watchdog: false };
    } finally {
      journal.close();
    }
  } finally {
    await lock.release();
  }
}

/** A command that was stopped has done nothing. */
function toStopped(error: unknown): never {
  if (!(error instanceof Stopped)) throw error;
  throw new Problem('no-answer', 'The command was stopped, and changed nothing.', 'Run the same command again.', 1);
}

/** A watchdog that keeps its state elsewhere reads no request that is written here. */
function runsElsewhere(holder: NonNullable<ReturnType<typeof openHolder>>): Problem {
  const host = holder.host === undefined ? '' : `host ${holder.host}`;
  const since = holder.since === undefined ? '' : `since ${holder.since}`;
  const where = [`pid ${holder.pid}`, describeHolderHost(holder), host, since].filter((part) => part !== '').join(', ');
  return new Problem(
    'busy',
    `The watchdog of this repository (${toTerminalLine(where, 200)}) keeps its state in another folder, so it cannot be asked from here.`,
    'Run the command where it runs, or give both the same state folder (XDG_STATE_HOME).',
    1,
  );
}

/** Asks the watchdog. Without an answer it may have carried the request out all the same. */
export async function askWatchdog(
  place: Workspace,
  request: Request,
  { ms }: { readonly ms: number },
): Promise<Awaited<ReturnType<typeof requestOrRun>>> {
  const answer = await place.requests.ask(request, ms, () => openHolder(place) !== undefined);
  if (answer?.ok === true) return { ...answer, watchdog: true };
  if (answer !== undefined)
    throw new Problem(answer.code as ProblemCode, answer.sentence.split('\n'), answer.remedy, answer.exitCode);
  throw openHolder(place) === undefined
    ? new Problem(
        'no-answer',
        'The watchdog ended before it answered.',
        'The request may have taken effect. Run `andon status` before you retry.',
        1,
      )
    : new Problem(
        'no-answer',
        `The watchdog has not answered in ${Math.round(ms / 1000)} s.`,
        'The request may still take effect. Run `andon status` before you retry.',
        1,
      );
}

/** Of the news only what a watchdog would warn of; what came of the request is the answer. */
const warn = (news: LineEvent): void => {
  if (news.kind === 'word' && news.level === 'warn') printWarning(news.text);
};
