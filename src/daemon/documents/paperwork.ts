import { readDecision, taskOf } from '../../record/decision.ts';
import type { DecisionFile, WrittenAnswer } from '../../record/decision.ts';
import type { Moved } from '../../record/journal-entry.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { FILES, HANDOFF, keptProposal, TERMINAL } from '../../base/names.ts';
import type { Halt } from '../../record/trip.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { contractText, transitionLine } from '../../line/contract-document.ts';
import { renderHalt } from '../../line/documents/halt-report.ts';
import { renderStallReport } from '../../line/documents/reports.ts';
import { readTicks } from '../../line/documents/ticks.ts';
import { tamperedVersions } from '../../line/documents/tampered-versions.ts';
import { foldJournal, foldSealed } from '../../line/record.ts';
import { Problem } from '../../base/problem.ts';
import { openTasks } from '../journal/active-task.ts';
import type { Services } from '../../wiring/services.ts';

/** Makes a transition durable and visible (journal, then contract, then the line for scripts); gives its sequence number. */
export function noteTransition(services: Services, before: LineRecord, record: LineRecord, entry: Moved): number {
  const seal = services.journal.append(record.taskId, [entry]);
  showContract(services, record, before);
  services.handoff.append(FILES.transitions, transitionLine(record, entry, seal));
  if (before.halt !== undefined && record.halt === undefined) archiveHalt(services, record, before.halt.id);
  services.say({ kind: 'entry', entry, record });
  return seal.seq;
}

/**
 * Writes the contract as the record has it; while the line is halted it is the lock that holds it. A file that somebody
 * else put there is left alone: the next look says what it is (a second contract, or tampering).
 */
export function showContract(services: Services, record: LineRecord, before: LineRecord = record): void {
  const { handoff } = services;
  const text = contractText(record);
  if (handoff.exists(FILES.lock)) {
    handoff.write(FILES.lock, text);
    if (record.status === 'erik_consultation' || !contractIsOurs(services, before)) return;
    handoff.take(FILES.contract, (found) => isOurs(services, before.taskId, found));
    // A contract that is there now is somebody else's; it is queued first, by the next look.
    if (handoff.renameToFree(FILES.lock, FILES.contract, () => true) || handoff.exists(FILES.contract)) return;
  }
  handoff.write(FILES.contract, text, () => contractIsOurs(services, before));
}

/** Whether the contract on disk is the one andon wrote; a missing one is not somebody else's. */
export function contractIsOurs(
  services: Kept,
  record: LineRecord,
  read = services.handoff.read(FILES.contract),
): boolean {
  return (
    read.ok &&
    (read.value === undefined || read.value === contractText(record) || isOurs(services, record.taskId, read.value))
  );
}

/** Whether somebody edited the lock of a halt. */
export const hasEdits = (services: Services, record: LineRecord): boolean =>
  record.halt !== undefined && !isUntouched(services, record, FILES.lock);

/** Refuses a choice while files lie at the halt that somebody edited and the choice would overwrite. */
export function refuseLostEdits(services: Services, record: LineRecord): void {
  for (const name of [FILES.lock, FILES.contract]) {
    if (isUntouched(services, record, name)) continue;
    throw new Problem('outdated-choice', overwritten(services, name), `${MOVE_AWAY}, then choose again`);
  }
}

/** What is said of such a file before anybody chooses. */
export const lostEdit = (services: Pick<Kept, 'handoff'>, name: string): string =>
  `${overwritten(services, name)}, so no path can be taken: ${MOVE_AWAY}`;

/** The first of them that lies there, in words; undefined when there is none. */
export function whatIsEdited(services: Kept, record: LineRecord): string | undefined {
  const name = [FILES.lock, FILES.contract].find((paper) => !isUntouched(services, record, paper));
  return record.halt === undefined || name === undefined ? undefined : lostEdit(services, name);
}

const overwritten = ({ handoff }: Pick<Kept, 'handoff'>, name: string): string =>
  `${handoff.shown(name)} was edited while the line is halted; going on would overwrite it`;

const MOVE_AWAY = `move that file away (a new contract goes to ${HANDOFF}/${FILES.queue}/)`;

/** Keeps a lock that somebody edited out of the way of the task's end; gives the name it is kept by. */
export function setEditedLockAside(services: Services, record: LineRecord): string | undefined {
  if (isUntouched(services, record, FILES.lock)) return undefined;
  const kept = `${FILES.archive}/${record.taskId}/${record.history.length}.edited.${FILES.contract}`;
  return services.handoff.rename(FILES.lock, kept) ? `${HANDOFF}/${kept}` : undefined;
}

/** What it takes to tell andon's own papers from others. */
type Kept = Pick<Services, 'handoff' | 'journal'> & { digest(text: string): string };

/** Whether a paper of a halt is missing, or as andon wrote it. */
export function isUntouched(services: Kept, { taskId }: LineRecord, name: string): boolean {
  const read = services.handoff.read(name);
  return read.ok && (read.value === undefined || isOurs(services, taskId, read.value));
}

/** The halt's papers, in this order: the whole report first, only then the lock. Safe to repeat. */
export async function halt(services: Services, record: LineRecord): Promise<void> {
  const { handoff } = services;
  if (record.halt === undefined || (handoff.exists(FILES.lock) && handoff.exists(FILES.halt))) return;
  const report = await haltReport(services, record, record.halt);
  if (foldJournal(services.journal.entries(record.taskId))?.halt?.id !== record.halt.id) return; // answered meanwhile
  for (const { name, text } of tamperedVersions(record, record.halt)) handoff.write(name, text);
  if (record.halt.trip.breaker === 'stalled') handoff.write(FILES.stallReport, renderStallReport(record));
  const read = handoff.read(FILES.halt);
  // A human may have ticked the report of this halt already.
  if (!read.ok || read.value?.includes(`\nhalt: "${record.halt.id}"\n`) !== true || report.startsWith(read.value))
    handoff.write(FILES.halt, report);
  if (handoff.renameToFree(FILES.contract, FILES.lock, (text) => isOurs(services, record.taskId, text))) return;
  handoff.write(FILES.lock, contractText(foldSealed(services.journal.entries(record.taskId)) ?? record));
  const edited = record.lastFacts.tampered?.edited; // kept in the journal
  handoff.take(FILES.contract, (text) => text === edited || isOurs(services, record.taskId, text));
}

/** The report of a halt as andon writes it. */
export const haltReport = async (
  services: Pick<Services, 'repository'>,
  record: LineRecord,
  standing: Halt,
): Promise<string> => renderHalt(record, standing, await diffOf(services, record));

const TASK_PAPERS = [FILES.judgeReport, FILES.judgeReportJson, FILES.rebuttal, FILES.stallReport, FILES.halt];

/** The diff for the report; a report without one is better than none. */
async function diffOf(services: Pick<Services, 'repository'>, { change, base }: LineRecord): Promise<string> {
  if (change === undefined) return '';
  try {
    return withoutSecrets(await services.repository.patch(base, change.commit));
  } catch (error) {
    return `(the diff could not be read: ${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Moves a finished task's papers to `archive/<task_id>/`; of the contracts that lie there, those that are meant. Safe to repeat. */
export function archive(services: Services, record: LineRecord, isMeant = isOurs): void {
  const { handoff } = services;
  const folder = `${FILES.archive}/${record.taskId}`;
  for (const name of TASK_PAPERS) handoff.rename(name, `${folder}/${name}`);
  handoff.rename(keptProposal(record.taskId), `${folder}/${FILES.proposalFinal}`);
  keepDecision(services, record, FILES.decision);
  for (const name of [FILES.reviewRequest, FILES.reviewInProgress]) handoff.remove(name);
  handoff.write(`${folder}/${FILES.contract}`, contractText(record));
  // The next contract may lie there already.
  for (const name of [FILES.contract, FILES.lock]) handoff.take(name, (text) => isMeant(services, record.taskId, text));
  services.folders.tidy(record.taskId);
}

/** Ends the paperwork of ended tasks, in case a crash fell into it; no task is in the place. */
export function archiveEnded(services: Services): void {
  setStrangersAside(services);
  for (const name of [FILES.contract, FILES.lock]) {
    const read = services.handoff.read(name);
    const parsed = read.ok && read.value !== undefined ? parseContract(read.value) : undefined;
    if (!read.ok || read.value === undefined || parsed?.ok !== true) continue;
    const record = foldJournal(services.journal.entries(parsed.value.contract.taskId));
    if (record === undefined || !TERMINAL.includes(record.status)) continue;
    if (isLeft(services, record.taskId, read.value)) archive(services, record, isLeft);
  }
  const open = openTasks(services).map(({ taskId }) => taskId);
  for (const taskId of services.journal.taskIds()) if (!open.includes(taskId)) services.folders.tidy(taskId);
}

/** The papers of a halt of which the journal knows nothing (it was lost) are kept: the next task's would overwrite them. */
function setStrangersAside(services: Services): void {
  const { handoff, journal } = services;
  const read = handoff.read(FILES.lock);
  const parsed = read.ok && read.value !== undefined ? parseContract(read.value) : undefined;
  if (parsed?.ok !== true || journal.entries(parsed.value.contract.taskId).length > 0) return;
  const { taskId } = parsed.value.contract;
  const folder = `${FILES.archive}/${taskId}`;
  for (const name of [...TASK_PAPERS, FILES.lock]) handoff.rename(name, `${folder}/${name}`);
  const text = `the journal knows nothing of ${taskId}, which is halted; its papers are kept in ${HANDOFF}/${folder}/, and it begins anew with: mv ${HANDOFF}/${folder}/${FILES.lock} ${HANDOFF}/${FILES.contract}`;
  services.say({ kind: 'word', level: 'warn', text });
}

/** Puts a decision on a report that is old now into the archive; an answer to a halt stays until somebody was told of it. */
export function keepReportDecision(services: Pick<Services, 'handoff'>, record: LineRecord, name: string): void {
  if (decisionThere(services.handoff)?.about !== 'halt') keepDecision(services, record, name);
}

/** Puts a decision that is old now into the task's archive; one about another task stays for that one. */
function keepDecision({ handoff }: Pick<Services, 'handoff'>, { taskId }: LineRecord, name: string): void {
  const decision = decisionThere(handoff);
  if (decision === undefined || taskOf(decision) === taskId)
    handoff.rename(FILES.decision, `${FILES.archive}/${taskId}/${name}`);
}

function decisionThere(handoff: Services['handoff']): DecisionFile | undefined {
  const written = handoff.read(FILES.decision);
  const decision = written.ok && written.value !== undefined ? readDecision(written.value) : undefined;
  return decision?.ok === true ? decision.value : undefined;
}

/** Whether andon ever wrote this text: an old one was left in this work tree when the task ended in another one. */
function isLeft(services: Kept, taskId: string, text: string): boolean {
  if (isOurs(services, taskId, text)) return true;
  const entries = services.journal.entries(taskId);
  for (let back = 0; ; back += 1) {
    const sealed = foldSealed(entries, back);
    if (sealed === undefined || sealed.history.length === 0) return false; // as it was dropped it is a new drop
    if (text === contractText(sealed)) return true;
  }
}

/** A halt that was answered goes to the archive under its id. */
export function archiveHalt(services: Services, record: LineRecord, haltId: string): void {
  const { handoff } = services;
  const report = `${FILES.archive}/${record.taskId}/${haltId}.${FILES.halt}`;
  if (handoff.rename(FILES.halt, report)) tellOtherTick(services, record, report);
  handoff.remove(FILES.stallReport);
  const decision = decisionThere(handoff);
  // The answer that was taken; another one for the same halt stays, to be refused in words.
  if (decision?.about === 'halt' && isTaken(record, decision.answer))
    handoff.rename(FILES.decision, `${FILES.archive}/${record.taskId}/${haltId}.${FILES.decision}`);
}

/** A human may have ticked the other path in the very moment in which this one was taken. */
function tellOtherTick(services: Pick<Services, 'handoff' | 'say'>, { lastChoice }: LineRecord, report: string): void {
  const read = services.handoff.read(report);
  const ticked = read.ok && read.value !== undefined ? readTicks(read.value) : undefined;
  if (ticked === undefined || 'unclear' in ticked || lastChoice === undefined || ticked.path === lastChoice.path)
    return;
  const { path, by } = lastChoice;
  const text = `${HANDOFF}/${report} is ticked for path ${ticked.path}; path ${path} was taken, by ${by}`;
  services.say({ kind: 'word', level: 'warn', text });
}

const isTaken = ({ taskId, lastChoice }: LineRecord, answer: WrittenAnswer): boolean =>
  answer.task_id === taskId && answer.halt === lastChoice?.halt && answer.path === lastChoice.path;

/** Whether a text is the contract as andon wrote it: now, or one transition ago (a crash can fall between). */
export function isOurs(services: Kept, taskId: string, text: string): boolean {
  const entries = services.journal.entries(taskId);
  const sealed = foldSealed(entries);
  if (sealed === undefined) return false;
  if (text === contractText(sealed)) return true;
  // The text as it was dropped; of a task that has ended it is a new drop.
  if (
    sealed.history.length <= 1 &&
    !TERMINAL.includes(sealed.status) &&
    services.digest(text) === sealed.contractDigest
  )
    return true;
  const before = foldSealed(entries, 1);
  return before !== undefined && text === contractText(before);
}
