import { faultInWords } from '../../base/fault-in-words.ts';
import { Problem } from '../../base/problem.ts';
import { foldJournal } from '../../line/record.ts';
import { resumeCommand } from '../../line/resume-command.ts';
import type { Admitted } from '../../record/journal-entry.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { showContract } from '../documents/paperwork.ts';
import { archiveHalt } from '../documents/papers-of-halt.ts';
import type { CheckedChoice } from '../halts/check-decision.ts';
import { admit } from '../intake/admit.ts';
import type { Services } from '../../wiring/services.ts';
import type { TaskLine } from './task-line.ts';

/**
 * Begins a halted task again with its edited contract, or throws a Problem that says why that is refused. The line that
 * stood is over then: whoever watched it opens one over the new record.
 */
export async function beginAnew(
  services: Services,
  record: LineRecord,
  { choice }: CheckedChoice,
  watched: TaskLine | undefined,
): Promise<LineRecord> {
  const admitted = await admitEdited(services, record);
  await watched?.stop();
  return replaceContract(services, record, admitted, choice);
}

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

/** Puts the edited contract in the place of the running one. The line must stand still. */
function replaceContract(
  services: Services,
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
