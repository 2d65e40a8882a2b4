import { FILES, HANDOFF, TERMINAL, STOP_FILE } from '../../base/names.ts';
import type { Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { renderContract } from '../words/contract-document.ts';
import { foldSealed } from '../core/fold-journal.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Needs } from '../services/services.ts';

export type OwnPapers = Needs<'handoff' | 'journal'> & { digest(text: string): string };

/** Whose text a contract or a lock has. */
type PaperOrigin =
  | 'missing'
  /** No plain, readable file. */
  | 'unreadable'
  /** As andon wrote it, or as it was dropped. */
  | 'ours'
  /** No contract: it may still be being written. */
  | 'unfinished'
  | 'of another task'
  | 'edited';

/** Whose text a paper of a task has. */
export function identifyPaper(
  services: OwnPapers,
  record: TaskRecord,
  read: Outcome<string | undefined, string>,
): PaperOrigin {
  if (!read.ok) return 'unreadable';
  if (read.value === undefined) return 'missing';
  if (read.value === renderContract(record) || isOurs(services, record.taskId, read.value)) return 'ours';
  const parsed = parseContract(read.value);
  if (!parsed.ok) return 'unfinished';
  return parsed.value.contract.taskId === record.taskId ? 'edited' : 'of another task';
}

/** Whether andon may write over a paper: it is as andon wrote it, or missing. */
export const isUntouched = (services: OwnPapers, record: TaskRecord, name: string): boolean =>
  ['missing', 'ours'].includes(identifyPaper(services, record, services.handoff.read(name)));

/**
 * The halt for a contract that was edited on disk. Every step asks at its start, and the merge once more, since a task
 * may be quicker than the watch of the folder. That watch decides on an edit before the first attempt has a result, which
 * may be a newer version of the drop, and on an unfinished text: the merge waits for it.
 */
export function findTampering(
  services: OwnPapers,
  record: TaskRecord,
  read = services.handoff.read(FILES.contract),
): StepOutcome | undefined {
  if (record.history.length === 0 || identifyPaper(services, record, read) !== 'edited') return undefined;
  return createTamperedOutcome(services, record, (read.ok && read.value) || '');
}

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
  const cord = { by: STOP_FILE, reason: toTerminalLine(first, 300) };
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

export function refuseLostEdits(services: OwnPapers, record: TaskRecord): void {
  const overwritten = findOverwritten(services, record);
  if (overwritten !== undefined) throw new Problem('outdated-choice', overwritten, `${MOVE_AWAY}, then choose again`);
}

/** The warning about the first such file, before a path is chosen; undefined without one. */
export function describeEdited(services: OwnPapers, record: TaskRecord): string | undefined {
  const overwritten = record.halt && findOverwritten(services, record);
  return overwritten && `${overwritten}, so no path can be taken: ${MOVE_AWAY}`;
}

function findOverwritten(services: OwnPapers, record: TaskRecord): string | undefined {
  const name = [FILES.lock, FILES.contract].find((paper) => !isUntouched(services, record, paper));
  return name && `${services.handoff.shown(name)} was edited during the halt; going on would overwrite it`;
}

const MOVE_AWAY = `move that file away (a new contract goes to ${HANDOFF}/${FILES.queue}/)`;

/** Moves an edited lock to the archive before its task ends; returns the new name. */
export function setEditedLockAside(services: OwnPapers, record: TaskRecord): string | undefined {
  if (isUntouched(services, record, FILES.lock)) return undefined;
  const kept = `${FILES.archive}/${record.taskId}/${record.history.length}.edited.${FILES.contract}`;
  return services.handoff.rename(FILES.lock, kept) ? `${HANDOFF}/${kept}` : undefined;
}
