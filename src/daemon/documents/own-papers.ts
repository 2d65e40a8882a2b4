import { FILES, TERMINAL } from '../../base/names.ts';
import { renderContract } from '../../line/contract-document.ts';
import { foldSealed } from '../../line/record.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { Needs } from '../../wiring/services.ts';

/** The services that tell andon's own papers from others. */
export type OwnPapers = Needs<'handoff' | 'journal'> & { digest(text: string): string };

/** Whether the lock of a halt was edited. */
export const hasEdits = (services: OwnPapers, { taskId, halt }: LineRecord): boolean =>
  halt !== undefined && !isUntouched(services, taskId, FILES.lock);

/** Whether a paper of a halt is missing or unchanged. */
export function isUntouched(services: OwnPapers, taskId: string, name: string): boolean {
  const read = services.handoff.read(name);
  return read.ok && (read.value === undefined || isOurs(services, taskId, read.value));
}

/** Whether the contract on disk is the one andon wrote; a missing one counts as that. */
export function isContractUnchanged(
  services: OwnPapers,
  record: LineRecord,
  read = services.handoff.read(FILES.contract),
): boolean {
  return (
    read.ok &&
    (read.value === undefined || read.value === renderContract(record) || isOurs(services, record.taskId, read.value))
  );
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
