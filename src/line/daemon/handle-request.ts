import { explainPaused, readPause, setPause } from '../night/pause.ts';
import { haltReportPath, resumeEither } from '../core/resume-command.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import type { RequestReply, Request } from '../../project/requests/request.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { commentOnTask } from './comment-on-change.ts';
import type { Line } from './line.ts';
import { moveInQueue } from '../intake/move-in-queue.ts';
import { openWorkTree } from '../../rules/files/project-files.ts';
import { answerFromOutside } from '../steps/follow-hooks.ts';
import { clean } from '../journal/clean.ts';
import { openTask } from '../journal/active-task.ts';
import { undo } from '../halts/undo.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { foldEntry } from '../core/record.ts';
import { maskEntry } from '../record/read-entry.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import type { Needs } from '../services/services.ts';

type Done = Omit<Extract<RequestReply, { ok: true }>, 'ok'>;

export async function fulfilRequest(line: Line, request: Request, stop: () => void = () => {}): Promise<Done> {
  switch (request.do) {
    case 'stop':
      stop();
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
      return done(retryNow(line.services, openTask(line.services, request.taskId), line.landings !== undefined));
    case 'abandon':
      return done(await line.pollLoop.inTurn(() => line.abandon(request.taskId, request.by)));
    case 'move':
    case 'withdraw': {
      const done = await line.pollLoop.inTurn(() => Promise.resolve(moveInQueue(line.services, request)));
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
      return done(await undo(line.services, request.taskId, request.by));
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
  services: Needs<'handoff' | 'journal' | 'nudge'>,
  record: TaskRecord,
  isRunning: boolean,
): TaskRecord {
  const { taskId } = record;
  if (record.halt !== undefined)
    throw createUsageError(
      `${taskId} is halted.`,
      `Read ${haltReportPath(taskId, record.parked !== undefined)}, then run: ${resumeEither(taskId, record.halt.id)}`,
    );
  if (!isRunning) throw createUsageError('No watchdog is running, so no call can be made.', 'Run `andon watch`.');
  if (record.parked !== undefined)
    throw createUsageError(`${taskId} is answered. It goes on when the line is free.`, 'Run `andon status`.');
  if (record.hold === undefined) throw createUsageError(`${taskId} waits for no call.`, 'Run `andon status`.');
  const why = explainPaused(services);
  if (why !== undefined) throw createUsageError(`No call can be made now: ${why}.`, 'Run `andon status`.');
  services.nudge.notifyAll();
  return record;
}
