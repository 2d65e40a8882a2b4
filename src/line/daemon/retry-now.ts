import { createUsageError } from '../../base/problem.ts';
import { haltReportPath, resumeEither } from '../core/resume-command.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { explainPaused } from '../night/pause.ts';
import type { Needs } from '../services/services.ts';

/** Makes a waiting call now. Throws a Problem where no call waits, or no watchdog can make it. */
export function retryNow(
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
