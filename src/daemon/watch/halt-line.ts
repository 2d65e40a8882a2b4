import type { LineRecord } from '../../record/line-record.ts';
import { TERMINAL } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { setEditedLockAside } from '../documents/lost-edits.ts';
import { archive } from '../documents/paperwork.ts';
import { writeHalt } from '../documents/halt-papers.ts';
import { readMergeState, createMergedOutcome } from '../git/merge-state.ts';
import type { CheckedChoice } from '../halts/check-choice.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { TaskLine } from './task-line.ts';
import type { Needs } from '../../wiring/services.ts';

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
