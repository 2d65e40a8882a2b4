import { describeFault } from '../../base/fault.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { resumeCommand } from '../core/resume-command.ts';
import type { Admitted } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { archiveHalt, writeHalt } from '../documents/halt-papers.ts';
import { showContract } from '../documents/paperwork.ts';
import { checkChoice, type CheckedChoice, type HaltChoice } from '../halts/check-choice.ts';
import { admitContract } from '../intake/admit.ts';
import { checkWorkers } from '../intake/check-workers.ts';
import { openTaskServices } from '../services/configuration.ts';
import type { LineServices, Needs } from '../services/services.ts';
import { changeTask, noteMerged } from './change-task.ts';
import { createAlreadyMerged } from '../git/merge-state.ts';
import type { TaskLine } from './task-line.ts';

/**
 * Carries out a choice at a halt, or throws a Problem that says why it is refused; then nothing has changed. A restarted
 * task has no line: the caller opens one over its new record. `openIdle` opens an idle line where none is watched.
 */
export async function answerHalt(
  services: LineServices,
  record: TaskRecord,
  choice: HaltChoice,
  watched: TaskLine | undefined,
  openIdle: () => TaskLine,
): Promise<{ readonly record: TaskRecord; readonly isRestarted: boolean }> {
  const merged = await noteMerged(services, record, watched, openIdle);
  if (merged !== undefined) throw createAlreadyMerged(merged); // the task has ended, so there is no choice
  await refuseUnknownModel(await openTaskServices(services, record), record, choice);
  const checked = await checkChoice(services, record, choice);
  return checked.choice.effect.contract === 'edited'
    ? { record: await restartTask(services, record, checked, watched), isRestarted: true }
    : { record: await resumeHalted(services, record, checked, watched, openIdle), isRestarted: false };
}

/** Resumes a halted line by the chosen path. */
async function resumeHalted(
  services: Needs<'clock' | 'digest' | 'folders' | 'handoff' | 'journal' | 'repository'>,
  record: TaskRecord,
  checked: CheckedChoice,
  watched: TaskLine | undefined,
  openIdle: () => TaskLine,
): Promise<TaskRecord> {
  await writeHalt(services, record); // a crash may have left the papers half done
  return changeTask(services, watched, openIdle, (line) => {
    const before = line.sealed.history.length;
    if (line.sealed.halt?.id === checked.choice.halt) line.resume({ at: services.clock.now(), ...checked });
    if (line.sealed.history.length === before)
      throw new Problem('outdated-choice', 'the line did not take the answer', 'andon status', 1);
  });
}

/** Refuses a model that a person names with a path and that no profile or program here has. */
async function refuseUnknownModel(
  services: Needs<'agents' | 'profiles' | 'settings'>,
  record: TaskRecord,
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
  services: LineServices,
  record: TaskRecord,
  checked: CheckedChoice,
  watched: TaskLine | undefined,
): Promise<TaskRecord> {
  const admitted = await admitEdited(services, record);
  await watched?.stop();
  return replaceContract(services, record, admitted, checked);
}

/** The edited contract of a halt, admitted like any other; a Problem when it is not valid. */
async function admitEdited(services: LineServices, record: TaskRecord): Promise<Admitted> {
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
  record: TaskRecord,
  admitted: Admitted,
  { reason, choice: { by, say } }: CheckedChoice,
): TaskRecord {
  const at = services.clock.now();
  services.journal.append(record.taskId, [
    { kind: 'remark', at, text: reason },
    admitted,
    ...(say === undefined ? [] : [{ kind: 'said', at, by, text: say } as const]),
  ]);
  const fresh = foldJournal(services.journal.entries(record.taskId)) ?? record;
  services.say({ kind: 'entry', entry: admitted, record: fresh });
  if (record.halt !== undefined) archiveHalt(services, record, record.halt.id);
  showContract(services, fresh);
  return fresh;
}
