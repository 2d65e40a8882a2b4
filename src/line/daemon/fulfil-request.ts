import { explainStoppedNight } from '../../agents/budget/user-limits.ts';
import { explainPaused, readPause, setPause } from '../night/pause.ts';
import { formatReadReport, resumeEither } from '../halts/resume-command.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import type { RequestReply, Request } from '../../project/requests/request.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Line } from './line.ts';
import { moveInQueue } from '../intake/move-in-queue.ts';
import { openWorkTree } from '../../rules/files/project-files.ts';
import { answerFromOutside } from '../steps/follow-hooks.ts';
import { clean } from '../upkeep/clean.ts';
import { openTask } from '../journal/active-task.ts';
import { undo } from '../git/undo.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { describeHold } from '../core/compute-next-try.ts';
import { foldEntry, foldJournal } from '../core/fold-journal.ts';
import { maskEntry } from '../core/mask-facts.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import type { Needs } from '../services/services.ts';
import type { GivenComment } from '../../project/requests/comment.ts';
import { findOutsideWait } from '../core/find-outside-wait.ts';
import { readMergeState } from '../git/merge-state.ts';
import type { MergeCriticalSection } from '../journal/step-journal.ts';
import { checkComments } from '../halt-answers/check-comments.ts';

type Done = Omit<Extract<RequestReply, { ok: true }>, 'ok'>;

export interface RequestEnds {
  /** Stops the watchdog. */
  readonly stop?: (() => void) | undefined;
  /** The end of what takes minutes. */
  readonly untilStopped: () => AbortSignal;
}

export async function fulfilRequest(line: Line, request: Request, { stop, untilStopped }: RequestEnds): Promise<Done> {
  switch (request.do) {
    case 'stop':
      stop?.();
      return { status: 'stopping', reason: '', commit: null };
    case 'resume':
      return done(await line.pollLoop.inTurn(() => line.resume({ ...request, haltId: request.haltId })));
    case 'halt':
      return done(await line.pollLoop.inTurn(() => line.pullCord(request.taskId, request.by, request.reason)));
    case 'say':
      return done(sayToAgents(line.services, openTask(line.services, request.taskId), request));
    case 'comment':
      return done(await line.pollLoop.inTurn(() => commentOnTask(line, request)));
    case 'retry':
      return done(retryNow(line.services, openTask(line.services, request.taskId), line.isRunning));
    case 'abandon':
      return done(await line.pollLoop.inTurn(() => line.abandon(request.taskId, request.by)));
    case 'move':
    case 'withdraw': {
      const done = await line.pollLoop.inTurn(() => moveInQueue(line.services, request));
      void line.poll(); // the order may have changed
      return done;
    }
    case 'hook': {
      const { ignored } = await answerFromOutside(
        // An answer from outside the line was written under the rules of the checkout.
        { ...line.services, project: openWorkTree(line.services.root) },
        request,
      );
      return { status: request.action, reason: String(ignored), commit: null };
    }
    case 'clean': {
      const { before, attempts, by } = request;
      const { tasks, refs, archives } = await line.pollLoop.inTurn(() =>
        clean(line.services, { before, attempts }, by),
      );
      const reason = `${refs} refs and ${archives} archives of ${tasks} tasks`;
      return { status: 'cleaned', reason, commit: null };
    }
    case 'undo':
      return done(await undo(line.services, request.taskId, request.by, untilStopped()));
    case 'pause':
    case 'unpause': {
      if (request.do === 'unpause') refuseOtherPause(line.services, request.since);
      setPause(line.services, request.do === 'pause' ? 'paused' : 'unpaused', request.by);
      const paused = readPause(line.services.journal);
      return { status: paused === undefined ? 'unpaused' : 'paused', reason: paused?.at ?? '', commit: null };
    }
  }
}

const done = ({ status, statusReason: reason, undone }: TaskRecord): Done => ({
  status,
  reason,
  commit: undone ?? null,
});

/** Lets a person end only the pause that they have seen. */
function refuseOtherPause({ journal }: Needs<'journal'>, since: string | undefined): void {
  const paused = readPause(journal);
  if (since === undefined || paused === undefined || paused.at === since) return;
  throw new Problem(
    'outdated-choice',
    `the line was paused again, by ${toTerminalLine(paused.by, 80)} since ${paused.at}`,
    'reload the page, and read it again',
  );
}

/** Notes a person's sentence for the agents of an open task; the prompt of each later step has it. */
function sayToAgents(
  services: Needs<'journal' | 'clock' | 'say'>,
  record: TaskRecord,
  { text, by }: { readonly text: string; readonly by: string },
): TaskRecord {
  const entry = maskEntry({ kind: 'said', at: services.clock.now(), by, text: withoutSecrets(text) });
  services.journal.append(record.taskId, [entry]);
  const after = foldEntry(record, entry) ?? record;
  services.say({ kind: 'entry', entry, record: after });
  return after;
}

/** Makes a waiting call now. Throws a Problem where no call waits, or no watchdog can make it. */
function retryNow(
  services: Needs<'handoff' | 'journal' | 'ledger' | 'nudge' | 'ownNight' | 'stopBefore'>,
  record: TaskRecord,
  isRunning: boolean,
): TaskRecord {
  const { taskId } = record;
  if (record.halt !== undefined)
    throw createUsageError(
      `${taskId} is halted.`,
      `${formatReadReport(record)}, then run: ${resumeEither(taskId, record.halt.id)}`,
    );
  if (!isRunning) throw createUsageError('No watchdog is running, so no call can be made.', 'Run `andon watch`.');
  if (record.parked !== undefined)
    throw createUsageError(`${taskId} is answered. It goes on when the line is free.`, 'Run `andon status`.');
  if (record.hold === undefined) throw createUsageError(`${taskId} waits for no call.`, 'Run `andon status`.');
  const why = explainPaused(services) ?? explainStoppedNight(services)?.reason;
  if (why !== undefined) throw createUsageError(`No call can be made now: ${why}.`, 'Run `andon status`.');
  if (record.hold.own !== undefined)
    throw createUsageError(
      `${taskId} waits for a limit of yours: ${describeHold(record.hold)}.`,
      'Run `andon night --dry-run` to see your hours and ceilings. The task goes on when your configuration allows it.',
    );
  services.nudge.notifyAll();
  return record;
}

interface CommentRequest {
  readonly taskId: string;
  /** The halt that is answered with them; undefined = the current one, if any. */
  readonly haltId?: string | undefined;
  /** The tree that the person read; undefined = that of the current change. */
  readonly tree?: string | undefined;
  readonly comments: readonly GivenComment[];
  readonly by: string;
  readonly how: string;
}

/** Takes comments on a change: at a halt they send it back at once, else at the next step. */
async function commentOnTask(line: Line, request: CommentRequest): Promise<TaskRecord> {
  const { services } = line;
  refuseEnded(services, request.taskId);
  const record = openTask(services, request.taskId);
  if (record.halt !== undefined || request.haltId !== undefined)
    return line.resume({ ...request, path: undefined, haltId: request.haltId });
  const isActive = record.parked === undefined;
  const commented = await commentOnChange(services, record, request, isActive ? line.landings : undefined);
  // A step that waits, for an agent or for a person, begins again: the change goes back now, not after the wait.
  const { settings } = services.configuration.line();
  const waits = commented.hold !== undefined || findOutsideWait(commented, settings) !== undefined;
  if (isActive && waits) await line.restart();
  return commented;
}

function refuseEnded({ journal }: Needs<'journal'>, taskId: string): void {
  const status = foldJournal(journal.entries(taskId))?.status;
  if (status === 'merged') throw createTooLate(taskId);
  if (status === 'abandoned')
    throw new Problem('outdated-choice', `${taskId} was abandoned`, `andon resume ${taskId} --again drops it again`);
}

const createTooLate = (taskId: string): Problem =>
  new Problem(
    'outdated-choice',
    `${taskId} is merged already, so it cannot be sent back`,
    `andon undo ${taskId} takes it out again; or andon new drops a further task`,
  );

/**
 * Notes comments on the change of a task that is under way. The line sends the change back at its next step, at the
 * latest before the merge. A merge that has begun is waited for: then it is too late.
 */
async function commentOnChange(
  services: Needs<'clock' | 'journal' | 'repository' | 'say'>,
  record: TaskRecord,
  { tree, comments, by }: CommentRequest,
  landings: MergeCriticalSection | undefined,
): Promise<TaskRecord> {
  const { taskId, change } = record;
  if (tree !== undefined && tree !== change?.tree)
    throw outdated(taskId, `the comments are about the tree ${toTerminalLine(tree, 80)}`, change?.tree);
  const checked = await checkComments(services, record, comments);
  for (;;) {
    await landings?.idle();
    const begun = landings?.begun;
    if ((await readMergeState(services, record)).is === 'merged') throw createTooLate(taskId);
    if (landings?.begun !== begun) continue;
    // From here on nothing is awaited, so that no merge begins before the comments are written.
    const latest = foldJournal(services.journal.entries(taskId)) ?? record;
    if (latest.change?.commit !== change?.commit || latest.halt !== undefined)
      throw outdated(taskId, 'the task has moved on meanwhile', latest.change?.tree);
    const entry = maskEntry({
      kind: 'commented',
      at: services.clock.now(),
      by,
      tree: change?.tree ?? '',
      comments: [...checked],
    });
    services.journal.append(taskId, [entry]);
    const after = foldEntry(latest, entry) ?? latest;
    services.say({ kind: 'entry', entry, record: after });
    return after;
  }
}

const outdated = (taskId: string, what: string, tree: string | undefined): Problem =>
  new Problem(
    'outdated-choice',
    `${what}; the change of ${taskId} is ${tree === undefined ? 'not there yet' : tree}`,
    `read the change again (andon show ${taskId} --diff), then comment on that`,
  );
