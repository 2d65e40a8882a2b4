import type { LineRecord } from '../formats/line-record.ts';
import { foldEntry, foldJournal } from '../line/record.ts';
import { Problem } from '../problems/problem.ts';
import { isInTarget } from './merge.ts';
import { archive, noteTransition, setEditedLockAside } from './paperwork.ts';
import type { World } from './world.ts';

/** Ends a task whose line stands still as abandoned; a Problem when its merge has already landed. */
export async function giveUp(world: World, record: LineRecord, by: string): Promise<LineRecord> {
  noteInterrupted(world, record.taskId);
  const now = foldJournal(world.journal.entries(record.taskId)) ?? record;
  if (await isInTarget(world, now))
    throw new Problem(
      'outdated-choice',
      `${now.taskId} has been merged already, as ${now.merge?.commit.slice(0, 12) ?? ''}`,
      `andon undo ${now.taskId}`,
      1,
    );
  const kept = setEditedLockAside(world, now);
  const entry = {
    kind: 'moved',
    at: world.clock.now(),
    event: 'abandon',
    from: now.status,
    to: 'abandoned',
    reason: `abandoned by ${by}${kept === undefined ? '' : `; the edited lock is kept as ${kept}`}`,
    facts: {},
  } as const;
  const ended = foldEntry(now, entry) ?? now;
  noteTransition(world, now, ended, entry);
  archive(world, ended);
  return ended;
}

/** A call that a crash left open was interrupted; its reserve is charged. */
function noteInterrupted(world: World, taskId: string): void {
  const open = foldJournal(world.journal.entries(taskId))?.openCall;
  if (open === undefined) return;
  const { station, call, reserveUsd: usd } = open;
  world.journal.append(taskId, [{ kind: 'interrupted', at: world.clock.now(), station, call, usd }]);
}
