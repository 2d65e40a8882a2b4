import { FILES, HANDOFF, TERMINAL } from '../../base/names.ts';
import type { Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { renderContract } from '../core/contract-document.ts';
import { foldSealed } from '../core/fold-journal.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Needs } from '../services/services.ts';

export type OwnPapers = Needs<'handoff' | 'journal'> & { digest(text: string): string };

export const hasEdits = (services: OwnPapers, { taskId, halt }: TaskRecord): boolean =>
  halt !== undefined && !isUntouched(services, taskId, FILES.lock);

export function isUntouched(services: OwnPapers, taskId: string, name: string): boolean {
  const read = services.handoff.read(name);
  return read.ok && (read.value === undefined || isOurs(services, taskId, read.value));
}

/** Whether the contract on disk is the one andon wrote; a missing one counts as that. */
export function isContractUnchanged(
  services: OwnPapers,
  record: TaskRecord,
  read = services.handoff.read(FILES.contract),
): boolean {
  return (
    read.ok &&
    (read.value === undefined || read.value === renderContract(record) || isOurs(services, record.taskId, read.value))
  );
}

/**
 * The halt for a contract that was edited on disk. Every step asks at its start, and the merge once more, since a task
 * may be quicker than the watch of the folder. That watch decides on an edit before the first attempt has a result, which
 * may be a newer version of the drop, and on a text that is no contract, which may still be written: the merge waits for it.
 */
export function findTampering(
  services: OwnPapers,
  record: TaskRecord,
  read = services.handoff.read(FILES.contract),
): StepOutcome | undefined {
  if (!read.ok || read.value === undefined || record.history.length === 0) return undefined;
  if (isContractUnchanged(services, record, read)) return undefined;
  const parsed = parseContract(read.value);
  if (!parsed.ok || parsed.value.contract.taskId !== record.taskId) return undefined;
  return createTamperedOutcome(services, record, read.value);
}

/** Whether a text is no contract; the watch of the folder halts the line unless it becomes one. */
export const isUnfinishedContract = (read: Outcome<string | undefined, string>): boolean =>
  read.ok && read.value !== undefined && !parseContract(read.value).ok;

export function createTamperedOutcome(services: OwnPapers, record: TaskRecord, edited: string): StepOutcome {
  const ours = renderContract(record);
  const [found, expected] = [services.digest(edited), services.digest(ours)];
  const facts = { tampered: { found, expected, edited, ours: withoutSecrets(ours) } };
  return { event: 'tampered', reason: 'the contract was changed on disk', facts };
}

/** The halt that a file `STOP` requests, with its first line as the reason; undefined without one. */
export function readStopFile(handoff: OwnPapers['handoff']): StepOutcome | undefined {
  if (!handoff.exists(FILES.stop)) return undefined;
  const written = handoff.read(FILES.stop);
  const [first = ''] = (written.ok ? (written.value ?? '') : '').trim().split('\n');
  const cord = { by: `${HANDOFF}/${FILES.stop}`, reason: toTerminalLine(first, 300) };
  return { event: 'cord', reason: cord.reason, facts: { cord } };
}

/** Whether a text is the contract as andon wrote it: now, or one transition ago (a crash can fall between). */
export function isOurs(services: OwnPapers, taskId: string, text: string): boolean {
  const entries = services.journal.entries(taskId);
  const sealed = foldSealed(entries);
  if (sealed === undefined) return false;
  if (text === renderContract(sealed)) return true;
  // The text as it was dropped; of a task that has ended it is a new drop.
  if (
    sealed.history.length <= 1 &&
    !TERMINAL.includes(sealed.status) &&
    services.digest(text) === sealed.contractDigest
  )
    return true;
  const before = foldSealed(entries, 1);
  return before !== undefined && text === renderContract(before);
}

export function refuseLostEdits(services: OwnPapers, taskId: string): void {
  for (const name of [FILES.lock, FILES.contract]) {
    if (isUntouched(services, taskId, name)) continue;
    throw new Problem('outdated-choice', overwritten(services, name), `${MOVE_AWAY}, then choose again`);
  }
}

/** The warning about the first such file, before a path is chosen; undefined without one. */
export function describeEdited(services: OwnPapers, { taskId, halt }: TaskRecord): string | undefined {
  const name = [FILES.lock, FILES.contract].find((paper) => !isUntouched(services, taskId, paper));
  return halt === undefined || name === undefined
    ? undefined
    : `${overwritten(services, name)}, so no path can be taken: ${MOVE_AWAY}`;
}

const overwritten = ({ handoff }: Pick<OwnPapers, 'handoff'>, name: string): string =>
  `${handoff.shown(name)} was edited during the halt; going on would overwrite it`;

const MOVE_AWAY = `move that file away (a new contract goes to ${HANDOFF}/${FILES.queue}/)`;

/** Moves an edited lock to the archive before its task ends; returns the new name. */
export function setEditedLockAside(services: OwnPapers, { taskId, history }: TaskRecord): string | undefined {
  if (isUntouched(services, taskId, FILES.lock)) return undefined;
  const kept = `${FILES.archive}/${taskId}/${history.length}.edited.${FILES.contract}`;
  return services.handoff.rename(FILES.lock, kept) ? `${HANDOFF}/${kept}` : undefined;
}
