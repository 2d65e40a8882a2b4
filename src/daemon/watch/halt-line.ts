import { createMergedOutcome, readMergeState } from '../git/merge-state.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { TERMINAL, FILES, HANDOFF } from '../../base/names.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import { setEditedLockAside } from '../documents/own-papers.ts';
import { archive, noteTransition, showContract } from '../documents/paperwork.ts';
import { writeHalt, archiveHalt } from '../documents/halt-papers.ts';
import { checkChoice, type CheckedChoice, type HaltChoice } from '../halts/check-choice.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { TaskLine } from './task-line.ts';
import type { Needs, Services } from '../../wiring/services.ts';
import { foldEntry, foldJournal } from '../../line/record.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { haltReportPath, resumeEither, resumeCommand } from '../../line/resume-command.ts';
import { explainPaused } from '../night/pause.ts';
import { describeFault } from '../../base/fault.ts';
import type { Admitted } from '../../record/journal-entry.ts';
import { admitContract, type AdmitServices } from '../intake/admit.ts';
import { checkWorkers } from '../intake/check-workers.ts';

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

/**
 * Carries out a choice at a halt, or throws a Problem that says why it is refused; then nothing has changed. A restarted
 * task has no line: the caller opens one over its new record. `openIdle` opens a line over an unwatched halted task.
 */
export async function answerHalt(
  services: AdmitServices & Needs<'handoff'>,
  record: LineRecord,
  choice: HaltChoice,
  watched: TaskLine | undefined,
  openIdle: () => TaskLine,
): Promise<{ readonly record: LineRecord; readonly isRestarted: boolean }> {
  const merged = await noteMerged(services, record, watched, openIdle);
  if (merged !== undefined) throw createAlreadyMerged(merged); // the task has ended, so there is no choice
  await refuseUnknownModel(services, record, choice);
  const checked = await checkChoice(services, record, choice);
  return checked.choice.effect.contract === 'edited'
    ? { record: await restartTask(services, record, checked, watched), isRestarted: true }
    : { record: await resumeHalted(services, record, checked, watched, openIdle), isRestarted: false };
}

/** Refuses a model that a person names with a path and that no profile or program here has. */
async function refuseUnknownModel(
  services: Needs<'agents' | 'profiles' | 'settings'>,
  record: LineRecord,
  { model, path }: HaltChoice,
): Promise<void> {
  if (model === undefined) return;
  const { contract, halt, taskId } = record;
  // Of a list of implementers every model is looked for; of one alone none is.
  const roles = { ...contract.roles, implementers: [model, model] };
  const faults = await checkWorkers(services, { ...contract, roles }, () => undefined);
  const fault = faults.find((one) => one.path.includes('implementer'));
  if (fault === undefined) return;
  const why = `Invalid value: --model ${toTerminalLine(model, 60)}. Expected ${fault.expected}.`;
  throw createUsageError(why, resumeCommand(taskId, path ?? 1, halt?.id));
}

/** Restarts a halted task with its edited contract, or throws a Problem that says why not. Its line is stopped. */
async function restartTask(
  services: AdmitServices & Needs<'handoff'>,
  record: LineRecord,
  { choice }: CheckedChoice,
  watched: TaskLine | undefined,
): Promise<LineRecord> {
  const admitted = await admitEdited(services, record);
  await watched?.stop();
  return replaceContract(services, record, admitted, choice);
}

/** The edited contract of a halt, admitted like any other; a Problem when it is not valid. */
async function admitEdited(services: AdmitServices, record: LineRecord): Promise<Admitted> {
  const edited = record.lastFacts.tampered?.edited;
  const admitted = edited === undefined ? undefined : await admitContract(services, edited, { hasBegun: true });
  if (admitted?.ok === true) return admitted.value;
  const [fault] = admitted?.why ?? [];
  throw createUsageError(
    `the edited contract is not valid, so it cannot be taken${fault === undefined ? '' : `: ${fault.path}: ${describeFault(fault)}`}`,
    resumeCommand(record.taskId, 2, record.halt?.id),
  );
}

/** Replaces the running contract by the edited one. The line must be stopped. */
function replaceContract(
  services: Needs<'clock' | 'digest' | 'handoff' | 'journal' | 'say'>,
  record: LineRecord,
  admitted: Admitted,
  { by, how }: CheckedChoice['choice'],
): LineRecord {
  const text = `path 1 by ${by} (${how}): the edited contract replaces the running one`;
  services.journal.append(record.taskId, [{ kind: 'remark', at: services.clock.now(), text }, admitted]);
  const fresh = foldJournal(services.journal.entries(record.taskId)) ?? record;
  services.say({ kind: 'entry', entry: admitted, record: fresh });
  if (record.halt !== undefined) archiveHalt(services, record, record.halt.id);
  showContract(services, fresh);
  return fresh;
}
