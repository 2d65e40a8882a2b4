import { foldEntry, foldJournal } from '../core/fold-journal.ts';
import { TERMINAL } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { haltReportPath } from '../core/resume-command.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { setEditedLockAside } from '../documents/own-papers.ts';
import { archive, noteTransition } from '../documents/paperwork.ts';
import { createAlreadyMerged, createMergedOutcome, readMergeState } from '../git/merge-state.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { Needs } from '../services/services.ts';
import { describeCutCall } from '../state/settle-call.ts';
import type { TaskLine } from './task-line.ts';

/**
 * Halts the line from outside its stations. A merge in progress is waited for; once the target holds it, the task ends as
 * merged instead.
 */
export async function haltUnlessMerged(
  services: Needs<'clock' | 'repository'>,
  line: TaskLine,
  outcome: StepOutcome,
): Promise<void> {
  for (;;) {
    await line.landings.idle();
    const { begun } = line.landings;
    const standing = await readMergeState(services, line.record);
    if (TERMINAL.includes(line.sealed.status) || line.sealed.halt !== undefined) return;
    const at = services.clock.now();
    if (standing.is === 'merged') return line.halt({ at, ...createMergedOutcome(line.record, standing.merge) });
    if (line.landings.begun === begun) return line.halt({ at, ...outcome });
  }
}

/** Ends a halted task whose merge the target holds already; returns its record then. */
export async function noteMerged(
  services: Needs<'clock' | 'digest' | 'folders' | 'handoff' | 'journal' | 'lastSeen' | 'repository' | 'say'>,
  record: TaskRecord,
  watched: TaskLine | undefined,
  openIdle: () => TaskLine,
): Promise<TaskRecord | undefined> {
  const standing = await readMergeState(services, record);
  if (standing.is !== 'merged') return undefined;
  return changeTask(services, watched, openIdle, (line) => {
    const kept = setEditedLockAside(services, record);
    if (kept !== undefined) services.say({ kind: 'word', level: 'warn', text: `the edited lock is kept as ${kept}` });
    line.halt({ at: services.clock.now(), ...createMergedOutcome(record, standing.merge) });
  });
}

/**
 * Changes a task by its watched line, and returns its record. Without one, `openIdle` opens a line over it; this one is
 * stopped afterwards, and the papers of an ended task are archived, as a watchdog would do.
 */
export async function changeTask(
  services: Needs<'digest' | 'folders' | 'handoff' | 'journal'>,
  watched: TaskLine | undefined,
  openIdle: () => TaskLine,
  change: (line: TaskLine) => Promise<void> | void,
): Promise<TaskRecord> {
  const line = watched ?? openIdle();
  await change(line);
  if (watched === undefined) {
    if (TERMINAL.includes(line.sealed.status)) archive(services, line.sealed);
    await line.stop();
  }
  return line.sealed;
}

/** The halt that a person requests: of one task, by its id, or of the line. */
export function createStopRequest(taskId: string | undefined, by: string, reason: string): StepOutcome {
  const cord = { by, reason, ...(taskId === undefined ? {} : { reach: 'task' as const }) };
  return { event: 'cord', reason, facts: { cord } };
}

/** The refusal of a stop: no task runs, or it is halted already. */
export function explainNothingToHalt(record: TaskRecord | undefined): Problem {
  if (record === undefined)
    return new Problem('no-task', 'No task is running.', 'andon pause keeps the next contract from starting');
  const { taskId, parked } = record;
  return new Problem(
    'outdated-choice',
    `${taskId} is halted already`,
    `Read ${haltReportPath(taskId, parked !== undefined)}. Run \`andon pause\` to keep other tasks from starting.`,
  );
}

/** Abandons a task that is not running; throws a Problem when its merge has already landed. */
export async function abandonTask(
  services: Needs<'clock' | 'digest' | 'folders' | 'handoff' | 'journal' | 'repository' | 'say'>,
  record: TaskRecord,
  by: string,
): Promise<TaskRecord> {
  noteInterrupted(services, record.taskId);
  const now = foldJournal(services.journal.entries(record.taskId)) ?? record;
  const standing = await readMergeState(services, now);
  if (standing.is === 'merged') throw createAlreadyMerged({ taskId: now.taskId, merge: standing.merge });
  const kept = setEditedLockAside(services, now);
  const entry = {
    kind: 'moved',
    at: services.clock.now(),
    event: 'abandon',
    from: now.status,
    to: 'abandoned',
    reason: `abandoned by ${by}${kept === undefined ? '' : `; the edited lock is kept as ${kept}`}`,
    facts: {},
  } as const;
  const ended = foldEntry(now, entry) ?? now;
  noteTransition(services, now, ended, entry);
  archive(services, ended);
  return ended;
}

/** Charges the reserve of a call that a crash interrupted. */
function noteInterrupted(services: Needs<'clock' | 'journal' | 'lastSeen'>, taskId: string): void {
  const open = foldJournal(services.journal.entries(taskId))?.openCall;
  if (open === undefined) return;
  services.journal.append(taskId, [describeCutCall(services, open)]);
}
