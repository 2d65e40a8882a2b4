import { FILES, HANDOFF } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { haltReportPath } from '../../line/resume-command.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { Services } from '../../wiring/services.ts';

/** The halt that a file `STOP` requests, with its first line as the reason; undefined without one. */
export function readStopFile(handoff: Services['handoff']): StepOutcome | undefined {
  if (!handoff.exists(FILES.stop)) return undefined;
  const written = handoff.read(FILES.stop);
  const [first = ''] = (written.ok ? (written.value ?? '') : '').trim().split('\n');
  const cord = { by: `${HANDOFF}/${FILES.stop}`, reason: toTerminalLine(first, 300) };
  return { event: 'cord', reason: cord.reason, facts: { cord } };
}

/** The halt that a person requests: of one task, by its id, or of the line. */
export function createStopRequest(taskId: string | undefined, by: string, reason: string): StepOutcome {
  const cord = { by, reason, ...(taskId === undefined ? {} : { reach: 'task' as const }) };
  return { event: 'cord', reason, facts: { cord } };
}

/** The refusal of a stop: no task runs, or it is halted already. */
export function explainNothingToHalt(record: LineRecord | undefined): Problem {
  if (record === undefined)
    return new Problem('no-task', 'No task is running.', 'andon pause keeps the next contract from starting');
  const { taskId, parked } = record;
  return new Problem(
    'outdated-choice',
    `${taskId} is halted already`,
    `read ${haltReportPath(taskId, parked !== undefined)}`,
  );
}
