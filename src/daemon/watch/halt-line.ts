import { faultInWords } from '../../base/fault-in-words.ts';
import type { Admitted } from '../../record/journal-entry.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { TERMINAL } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { foldJournal } from '../../line/record.ts';
import { resumeCommand } from '../../line/resume-command.ts';
import { archive, archiveHalt, halt, setEditedLockAside, showContract } from '../documents/paperwork.ts';
import { restoreReports } from '../documents/report-seal.ts';
import { heldByTarget, mergedAs } from '../git/held-by-target.ts';
import { checkChoice, choiceAsData, choiceInWords } from '../halts/check-decision.ts';
import type { Choice } from '../halts/check-decision.ts';
import { takeUpCommits } from '../halts/human-commits.ts';
import { admit } from '../intake/admit.ts';
import type { StepOutcome } from '../../wiring/step-log.ts';
import type { TaskLine } from './task-line.ts';
import type { Services } from '../../wiring/services.ts';

/**
 * Halts the line from outside its stations. A merge that is just being made is waited for, and where the target holds it
 * that is how the task ends: nothing that is merged halts.
 */
export async function haltUnlessMerged(services: Services, line: TaskLine, outcome: StepOutcome): Promise<void> {
  for (;;) {
    await line.landings.over();
    const { begun } = line.landings;
    const standing = await heldByTarget(services, line.record);
    if (TERMINAL.includes(line.sealed.status) || line.sealed.halt !== undefined) return;
    const at = services.clock.now();
    if (standing.is === 'merged') return line.halt({ at, ...mergedAs(line.record, standing.merge) });
    if (line.landings.begun === begun) return line.halt({ at, ...outcome });
  }
}

/**
 * Carries out a human's choice at a halt, or throws a Problem that says why it is refused; then nothing has moved. A task
 * that begins anew has no line any more, and whoever watched it opens one over its new record.
 */
export async function resumeHalted(
  services: Services,
  record: LineRecord,
  choice: Choice,
  watched: TaskLine | undefined,
  still: () => TaskLine,
): Promise<{ readonly record: LineRecord; readonly beginsAnew: boolean }> {
  const merged = await noteMerged(services, record, watched, still);
  if (merged !== undefined) throw mergedAlready(merged);
  const { halt: standing, path } = checkChoice(services, record, choice);
  const taken = await takeUpCommits(services, record, path);
  if (path.effect.contract === 'edited') {
    const admitted = await admitEdited(services, record);
    await watched?.stop();
    return { record: replaceContract(services, record, admitted, choice), beginsAnew: true };
  }
  await halt(services, record); // a crash may have left the papers half done
  const line = watched ?? still();
  const before = line.sealed.history.length;
  const isStanding = line.sealed.halt?.id === standing.id;
  if (isStanding) {
    restoreReports(services, record, { edited: path.effect.contract === 'journal' });
    line.resume({
      at: services.clock.now(),
      reason: choiceInWords(choice, path.title),
      choice: choiceAsData(choice, standing, taken?.effect ?? path.effect),
      ...(taken === undefined ? {} : { change: taken.change }),
    });
  }
  if (!isStanding || line.sealed.history.length === before)
    throw new Problem('outdated-choice', 'the line did not take the choice', 'andon status', 1);
  if (watched === undefined) await endAlone(services, line);
  return { record: line.sealed, beginsAnew: false };
}

/**
 * Ends a halted task whose merge the target holds already, whatever it was halted for; gives its record then. `still`
 * opens a line over it where none is watched.
 */
export async function noteMerged(
  services: Services,
  record: LineRecord,
  watched: TaskLine | undefined,
  still: () => TaskLine,
): Promise<LineRecord | undefined> {
  const standing = await heldByTarget(services, record);
  if (standing.is !== 'merged') return undefined;
  const line = watched ?? still();
  const kept = setEditedLockAside(services, record);
  if (kept !== undefined) services.say({ kind: 'word', level: 'warn', text: `the edited lock is kept as ${kept}` });
  line.halt({ at: services.clock.now(), ...mergedAs(record, standing.merge) });
  if (watched === undefined) await endAlone(services, line);
  return line.sealed;
}

/** Puts the papers of a task that has ended away and lets nothing of it run on: without a watchdog nobody else does. */
export async function endAlone(services: Services, line: TaskLine): Promise<void> {
  if (TERMINAL.includes(line.sealed.status)) archive(services, line.sealed);
  await line.stop();
}

/** Says that there is nothing to choose or to stop any more. */
export const mergedAlready = ({ taskId, merge }: LineRecord): Problem =>
  new Problem(
    'outdated-choice',
    `${taskId} has been merged already, as ${merge?.commit.slice(0, 12) ?? ''}`,
    `andon show ${taskId}; andon undo ${taskId} takes it out again`,
    1,
  );

/** The edited contract of a halt, admitted like any other; a Problem when it is not valid. */
async function admitEdited(services: Services, record: LineRecord): Promise<Admitted> {
  const edited = record.lastFacts.tampered?.edited;
  const admitted = edited === undefined ? undefined : await admit(services, edited, { hasBegun: true });
  if (admitted?.ok === true) return admitted.value;
  const [fault] = admitted?.why ?? [];
  throw new Problem(
    'bad-argument',
    `the edited contract is not valid, so it cannot be taken${fault === undefined ? '' : `: ${fault.path}: ${faultInWords(fault)}`}`,
    resumeCommand(record.taskId, 2, record.halt?.id),
  );
}

/** Puts the edited contract in the place of the running one: the task starts again. The line must stand still. */
function replaceContract(services: Services, record: LineRecord, admitted: Admitted, { by, how }: Choice): LineRecord {
  const text = `path 1 by ${by} (${how}): the edited contract replaces the running one`;
  services.journal.append(record.taskId, [{ kind: 'remark', at: services.clock.now(), text }, admitted]);
  const fresh = foldJournal(services.journal.entries(record.taskId)) ?? record;
  services.say({ kind: 'entry', entry: admitted, record: fresh });
  if (record.halt !== undefined) archiveHalt(services, record, record.halt.id);
  showContract(services, fresh);
  return fresh;
}
