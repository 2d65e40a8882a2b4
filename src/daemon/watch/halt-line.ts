import { createMergedOutcome, readMergeState } from '../git/merge-state.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { TERMINAL, FILES, HANDOFF } from '../../base/names.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import { setEditedLockAside } from '../documents/own-papers.ts';
import { archive, noteTransition } from '../documents/paperwork.ts';
import { writeHalt } from '../documents/halt-papers.ts';
import type { CheckedChoice } from '../halts/check-choice.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { TaskLine } from './task-line.ts';
import type { Needs, Services } from '../../wiring/services.ts';
import { foldEntry, foldJournal } from '../../line/record.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { haltReportPath, resumeEither } from '../../line/resume-command.ts';
import { explainPaused } from '../night/pause.ts';

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

/** Resumes a halted line by the chosen path. `openIdle` opens a line over it where none is watched. */
export async function resumeHalted(
  services: Needs<'clock' | 'digest' | 'folders' | 'handoff' | 'journal' | 'repository'>,
  record: LineRecord,
  checked: CheckedChoice,
  watched: TaskLine | undefined,
  openIdle: () => TaskLine,
): Promise<LineRecord> {
  await writeHalt(services, record); // a crash may have left the papers half done
  const line = watched ?? openIdle();
  const before = line.sealed.history.length;
  if (line.sealed.halt?.id === checked.choice.halt) line.resume({ at: services.clock.now(), ...checked });
  if (line.sealed.history.length === before)
    throw new Problem('outdated-choice', 'the line did not take the choice', 'andon status', 1);
  if (watched === undefined) await finishWithoutWatchdog(services, line);
  return line.sealed;
}

/**
 * Ends a halted task whose merge the target holds already; returns its record then. `openIdle` opens a line over it where
 * none is watched.
 */
export async function noteMerged(
  services: Needs<'clock' | 'digest' | 'folders' | 'handoff' | 'journal' | 'repository' | 'say'>,
  record: LineRecord,
  watched: TaskLine | undefined,
  openIdle: () => TaskLine,
): Promise<LineRecord | undefined> {
  const standing = await readMergeState(services, record);
  if (standing.is !== 'merged') return undefined;
  const line = watched ?? openIdle();
  const kept = setEditedLockAside(services, record);
  if (kept !== undefined) services.say({ kind: 'word', level: 'warn', text: `the edited lock is kept as ${kept}` });
  line.halt({ at: services.clock.now(), ...createMergedOutcome(record, standing.merge) });
  if (watched === undefined) await finishWithoutWatchdog(services, line);
  return line.sealed;
}

/** Archives the papers of an ended task and stops its line, which only a watchdog would do otherwise. */
export async function finishWithoutWatchdog(
  services: Needs<'digest' | 'folders' | 'handoff' | 'journal'>,
  line: TaskLine,
): Promise<void> {
  if (TERMINAL.includes(line.sealed.status)) archive(services, line.sealed);
  await line.stop();
}

/** The refusal of a choice or a stop after the merge. */
export const createAlreadyMerged = ({ taskId, merge }: LineRecord): Problem =>
  new Problem(
    'outdated-choice',
    `${taskId} has been merged already, as ${merge?.commit.slice(0, 12) ?? ''}`,
    `andon show ${taskId}; andon undo ${taskId} takes it out again`,
    1,
  );

/** Abandons a task that is not running; throws a Problem when its merge has already landed. */
export async function abandonTask(
  services: Needs<'clock' | 'digest' | 'folders' | 'handoff' | 'journal' | 'repository' | 'say'>,
  record: LineRecord,
  by: string,
): Promise<LineRecord> {
  noteInterrupted(services, record.taskId);
  const now = foldJournal(services.journal.entries(record.taskId)) ?? record;
  const standing = await readMergeState(services, now);
  if (standing.is === 'merged')
    throw new Problem(
      'outdated-choice',
      `${now.taskId} has been merged already, as ${standing.merge.commit.slice(0, 12)}`,
      `andon undo ${now.taskId}`,
      1,
    );
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
function noteInterrupted(services: Needs<'clock' | 'journal'>, taskId: string): void {
  const open = foldJournal(services.journal.entries(taskId))?.openCall;
  if (open === undefined) return;
  const { station, call, reserveUsd: usd } = open;
  services.journal.append(taskId, [{ kind: 'interrupted', at: services.clock.now(), station, call, usd }]);
}

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

/** Makes a waiting call now. Throws a Problem where no call waits, or no watchdog can make it. */
export function retryNow(
  services: Needs<'handoff' | 'journal' | 'nudge'>,
  record: LineRecord,
  isRunning: boolean,
): LineRecord {
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
