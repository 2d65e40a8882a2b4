import { faultInWords } from '../formats/fault-in-words.ts';
import type { Admitted } from '../formats/journal-entry.ts';
import type { LineRecord } from '../formats/line-record.ts';
import { foldJournal } from '../line/record.ts';
import { resumeCommand } from '../line/resume-command.ts';
import { Problem } from '../problems/problem.ts';
import { admit } from './admit.ts';
import type { Choice } from './check-choice.ts';
import { archiveHalt, showContract } from './paperwork.ts';
import type { World } from './world.ts';

/** The edited contract of a halt, admitted like any other; a Problem when it is not valid. */
export async function admitEdited(world: World, record: LineRecord): Promise<Admitted> {
  const edited = record.lastFacts.tampered?.edited;
  const admitted = edited === undefined ? undefined : await admit(world, edited);
  if (admitted?.ok === true) return admitted.value;
  const [fault] = admitted?.why ?? [];
  throw new Problem(
    'bad-argument',
    `the edited contract is not valid, so it cannot be taken${fault === undefined ? '' : `: ${fault.path}: ${faultInWords(fault)}`}`,
    resumeCommand(record.taskId, 2, record.halt?.id),
  );
}

/** Puts the edited contract in the place of the running one: the task starts again. The line must stand still. */
export function replaceContract(world: World, record: LineRecord, admitted: Admitted, { by, how }: Choice): LineRecord {
  const text = `path 1 by ${by} (${how}): the edited contract replaces the running one`;
  world.journal.append(record.taskId, [{ kind: 'remark', at: world.clock.now(), text }, admitted]);
  const fresh = foldJournal(world.journal.entries(record.taskId)) ?? record;
  world.say({ kind: 'entry', entry: admitted, record: fresh });
  if (record.halt !== undefined) archiveHalt(world, record, record.halt.id);
  showContract(world, fresh);
  return fresh;
}
