import type { LineRecord } from '../../record/line-record.ts';
import { createUsageError } from '../../base/problem.ts';
import { haltReportPath } from '../../line/resume-command.ts';
import { explainPaused } from '../night/pause.ts';
import type { Services } from '../../wiring/services.ts';

/** Wakes a call that waits for its program; a Problem where none waits, or no watchdog runs. */
export function retryNow(services: Services, record: LineRecord, isRunning: boolean): LineRecord {
  const { taskId } = record;
  if (record.halt !== undefined)
    throw createUsageError(`${taskId} is halted`, `read ${haltReportPath(taskId, record.parked !== undefined)}`);
  if (!isRunning) throw createUsageError('no watchdog is running, so the call is not retried', 'andon watch');
  if (record.parked !== undefined)
    throw createUsageError(`${taskId} is answered; it goes on when the line is free`, 'andon status');
  if (record.hold === undefined) throw createUsageError(`${taskId} waits for nothing`, 'andon status');
  const why = explainPaused(services);
  if (why !== undefined) throw createUsageError('nothing is retried now', why);
  services.nudge.notifyAll();
  return record;
}
