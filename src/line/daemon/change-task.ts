import { foldEntry, foldJournal, foldSealed } from '../core/fold-journal.ts';
import { applyEvent, createHaltEvent } from '../core/machine.ts';
import { TERMINAL } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { formatReadReport } from '../halts/resume-command.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { setEditedLockAside } from '../documents/own-papers.ts';
import { archiveHalt, writeHalt } from '../documents/halt-papers.ts';
import type { Admitted } from '../record/journal-entry.ts';
import type { CheckedChoice } from '../halt-answers/check-choice.ts';
import { archive, noteTransition, showContract } from '../documents/paperwork.ts';
import { createAlreadyMerged, createMergedOutcome, readMergeState } from '../git/merge-state.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { Needs } from '../services/services.ts';
import { describeCutCall } from '../calls/settle-call.ts';
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

/** Ends a task at which no station works, and whose merge the target holds already. */
export function endMerged(
  services: IdleServices & Needs<'nonce'>,
  record: TaskRecord,
  merge: NonNullable<TaskRecord['merge']>,
): TaskRecord {
  const kept = setEditedLockAside(services, record);
  if (kept !== undefined) services.say({ kind: 'word', level: 'warn', text: `the edited lock is kept as ${kept}` });
  return haltIdle(services, record.taskId, createMergedOutcome(record, merge));
}

/** Halts a task at which no station works, or ends it as merged. */
export async function haltIdleUnlessMerged(
  services: IdleServices & Needs<'nonce' | 'notices' | 'repository'>,
  record: TaskRecord,
  outcome: StepOutcome,
): Promise<TaskRecord> {
  const standing = await readMergeState(services, record);
  if (standing.is === 'merged') return endMerged(services, record, standing.merge);
  const halted = haltIdle(services, record.taskId, outcome);
  await writeHalt(services, halted);
  services.notices?.about(halted);
  return halted;
}

function haltIdle(services: IdleServices & Needs<'nonce'>, taskId: string, outcome: StepOutcome): TaskRecord {
  const step = { at: services.clock.now(), nonce: services.nonce(), noted: [], ...outcome };
  return changeIdle(services, taskId, (record) => createHaltEvent(record, step));
}

type IdleServices = Needs<'clock' | 'digest' | 'folders' | 'handoff' | 'journal' | 'say'>;

/**
 * Applies an event to a task at which no station works: the transition is journaled, and its papers follow. A line that
 * watched it is stopped before; one that is started afterwards goes on from the new status, as after a crash.
 */
function changeIdle(
  services: IdleServices,
  taskId: string,
  createEvent: (record: TaskRecord) => Parameters<typeof applyEvent>[1],
): TaskRecord {
  const entries = services.journal.entries(taskId);
  const [before, now] = [foldSealed(entries), foldJournal(entries)];
  if (before === undefined || now === undefined) throw new Error(`the journal does not know ${taskId}`);
  const { record, entry } = applyEvent(now, createEvent(now));
  if (entry === undefined) throw new Error(`${taskId} cannot be changed like this at ${now.status}`);
  noteTransition(services, before, record, entry);
  if (record.answered === undefined) services.folders.forgetReceived(taskId);
  if (TERMINAL.includes(record.status)) archive(services, record);
  return record;
}

/** Takes a checked answer to a halt. The next line that is started over the task goes on with it. */
export async function applyChoice(
  services: IdleServices & Needs<'repository'>,
  record: TaskRecord,
  { edited, ...checked }: CheckedChoice,
): Promise<TaskRecord> {
  if (edited !== undefined) return replaceContract(services, record, edited, checked);
  await writeHalt(services, record); // a crash may have left the papers half done
  return changeIdle(services, record.taskId, () => ({ type: 'RESUME', at: services.clock.now(), ...checked }));
}

/** Replaces the contract by the edited one; the task begins again. */
function replaceContract(
  services: IdleServices,
  record: TaskRecord,
  admitted: Admitted,
  { reason, choice }: CheckedChoice,
): TaskRecord {
  const { by, say } = choice;
  const at = services.clock.now();
  services.journal.append(record.taskId, [
    { kind: 'remark', at, text: reason },
    admitted,
    ...(say === undefined ? [] : [{ kind: 'said', at, by, text: say } as const]),
  ]);
  const fresh = foldJournal(services.journal.entries(record.taskId)) ?? record;
  services.say({ kind: 'entry', entry: admitted, record: fresh });
  if (record.halt !== undefined) archiveHalt(services, { ...record, lastChoice: choice }, record.halt.id);
  showContract(services, fresh);
  return fresh;
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
  return new Problem(
    'outdated-choice',
    `${record.taskId} is halted already`,
    `${formatReadReport(record)}. Run \`andon pause\` to keep other tasks from starting.`,
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
