import type { LineRecord } from '../../record/line-record.ts';
import { mistake } from '../../base/problem.ts';
import { haltFile } from '../../line/resume-command.ts';
import { whyNothingStarts } from '../../wiring/pause.ts';
import type { Services } from '../../wiring/services.ts';

/** Makes a call that waits for its program now; a Problem where none waits, or nobody is there to make it. */
export function tryNow(services: Services, record: LineRecord, isRunning: boolean): LineRecord {
  const { taskId } = record;
  if (record.halt !== undefined)
    throw mistake(`${taskId} is halted`, `read ${haltFile(taskId, record.parked !== undefined)}`);
  if (!isRunning) throw mistake('no watchdog is running, so nothing is tried', 'andon watch');
  if (record.parked !== undefined)
    throw mistake(`${taskId} is answered; it goes on when the line is free`, 'andon status');
  if (record.hold === undefined) throw mistake(`${taskId} waits for nothing`, 'andon status');
  const why = whyNothingStarts(services);
  if (why !== undefined) throw mistake('nothing is tried now', why);
  services.nudge.ring();
  return record;
}
