import { readDecision, taskOf } from '../formats/decision.ts';
import type { DecisionFile, WrittenAnswer } from '../formats/decision.ts';
import type { Moved } from '../formats/journal-entry.ts';
import type { LineRecord } from '../formats/line-record.ts';
import { FILES, HANDOFF, TERMINAL } from '../formats/names.ts';
import type { Halt } from '../formats/trip.ts';
import { parseContract } from '../formats/task-contract-schema.ts';
import { withoutSecrets } from '../governance/secrets/mask.ts';
import { contractText, transitionLine } from '../line/face.ts';
import { renderHalt } from '../line/papers/halt-report.ts';
import { renderStallReport } from '../line/papers/reports.ts';
import { readTicks } from '../line/papers/ticks.ts';
import { tamperedVersions } from '../line/papers/tampered-versions.ts';
import { foldJournal, foldSealed } from '../line/record.ts';
import { Problem } from '../problems/problem.ts';
import type { World } from './world.ts';

/** Makes a transition durable and visible (journal, then contract, then the line for scripts); gives its sequence number. */
export function noteTransition(world: World, before: LineRecord, record: LineRecord, entry: Moved): number {
  const seal = world.journal.append(record.taskId, [entry]);
  showContract(world, record, before);
  world.handoff.append(FILES.transitions, transitionLine(record, entry, seal));
  if (before.halt !== undefined && record.halt === undefined) archiveHalt(world, record, before.halt.id);
  world.say({ kind: 'entry', entry, record });
  return seal.seq;
}

/**
 * Writes the contract as the record has it; while the line is halted it is the lock that holds it. A file that somebody
 * else put there is left alone: the next look says what it is (a second contract, or tampering).
 */
export function showContract(world: World, record: LineRecord, before: LineRecord = record): void {
  const { handoff } = world;
  const text = contractText(record);
  if (handoff.exists(FILES.lock)) {
    handoff.write(FILES.lock, text);
    if (record.status === 'erik_consultation' || !contractIsOurs(world, before)) return;
    handoff.take(FILES.contract, (found) => isOurs(world, before.taskId, found));
    // A contract that is there now is somebody else's; it is queued first, by the next look.
    if (handoff.renameToFree(FILES.lock, FILES.contract, () => true) || handoff.exists(FILES.contract)) return;
  }
  handoff.write(FILES.contract, text, () => contractIsOurs(world, before));
}

/** Whether the contract on disk is the one andon wrote; a missing one is not somebody else's. */
export function contractIsOurs(world: World, record: LineRecord, read = world.handoff.read(FILES.contract)): boolean {
  return (
    read.ok &&
    (read.value === undefined || read.value === contractText(record) || isOurs(world, record.taskId, read.value))
  );
}

/** Whether somebody edited the lock of a halt. */
export const hasEdits = (world: World, record: LineRecord): boolean =>
  record.halt !== undefined && !isUntouched(world, record, FILES.lock);

/** Refuses a choice while files lie at the halt that somebody edited and the choice would overwrite. */
export function refuseLostEdits(world: World, record: LineRecord): void {
  for (const name of [FILES.lock, FILES.contract]) {
    if (isUntouched(world, record, name)) continue;
    throw new Problem('outdated-choice', overwritten(name), `${MOVE_AWAY}, then choose again`);
  }
}

/** What is said of such a file before anybody chooses. */
export const lostEdit = (name: string): string => `${overwritten(name)}, so no path can be taken: ${MOVE_AWAY}`;

/** The first of them that lies there, in words; undefined when there is none. */
export function whatIsEdited(world: Kept, record: LineRecord): string | undefined {
  const name = [FILES.lock, FILES.contract].find((paper) => !isUntouched(world, record, paper));
  return record.halt === undefined || name === undefined ? undefined : lostEdit(name);
}

const overwritten = (name: string): string =>
  `${HANDOFF}/${name} was edited while the line is halted; going on would overwrite it`;

const MOVE_AWAY = `move that file away (a new contract goes to ${HANDOFF}/${FILES.queue}/)`;

/** Keeps a lock that somebody edited out of the way of the task's end; gives the name it is kept by. */
export function setEditedLockAside(world: World, record: LineRecord): string | undefined {
  if (isUntouched(world, record, FILES.lock)) return undefined;
  const kept = `${FILES.archive}/${record.taskId}/${record.history.length}.edited.${FILES.contract}`;
  return world.handoff.rename(FILES.lock, kept) ? `${HANDOFF}/${kept}` : undefined;
}

/** What it takes to tell andon's own papers from others. */
type Kept = Pick<World, 'handoff' | 'journal'> & { digest(text: string): string };

/** Whether a paper of a halt is missing, or as andon wrote it. */
export function isUntouched(world: Kept, { taskId }: LineRecord, name: string): boolean {
  const read = world.handoff.read(name);
  return read.ok && (read.value === undefined || isOurs(world, taskId, read.value));
}

/** The halt's papers, in this order: the whole report first, only then the lock. Safe to repeat. */
export async function halt(world: World, record: LineRecord): Promise<void> {
  const { handoff } = world;
  if (record.halt === undefined || (handoff.exists(FILES.lock) && handoff.exists(FILES.halt))) return;
  const report = await haltReport(world, record, record.halt);
  if (foldJournal(world.journal.entries(record.taskId))?.halt?.id !== record.halt.id) return; // answered meanwhile
  for (const { name, text } of tamperedVersions(record, record.halt)) handoff.write(name, text);
  if (record.halt.trip.breaker === 'stalled') handoff.write(FILES.stallReport, renderStallReport(record));
  const read = handoff.read(FILES.halt);
  // A human may have ticked the report of this halt already.
  if (!read.ok || read.value?.includes(`\nhalt: "${record.halt.id}"\n`) !== true || report.startsWith(read.value))
    handoff.write(FILES.halt, report);
  if (handoff.renameToFree(FILES.contract, FILES.lock, (text) => isOurs(world, record.taskId, text))) return;
  handoff.write(FILES.lock, contractText(foldSealed(world.journal.entries(record.taskId)) ?? record));
  const edited = record.lastFacts.tampered?.edited; // kept in the journal
  handoff.take(FILES.contract, (text) => text === edited || isOurs(world, record.taskId, text));
}

/** The report of a halt as andon writes it. */
export const haltReport = async (world: World, record: LineRecord, standing: Halt): Promise<string> =>
  renderHalt(record, standing, await diffOf(world, record));

const TASK_PAPERS = [FILES.judgeReport, FILES.judgeReportJson, FILES.rebuttal, FILES.stallReport, FILES.halt];

/** The diff for the report; a report without one is better than none. */
async function diffOf(world: World, { change, base }: LineRecord): Promise<string> {
  if (change === undefined) return '';
  try {
    return withoutSecrets(await world.repository.patch(base, change.commit));
  } catch (error) {
    return `(the diff could not be read: ${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Moves a finished task's papers to `archive/<task_id>/`; of the contracts that lie there, those that are meant. Safe to repeat. */
export function archive(world: World, record: LineRecord, isMeant = isOurs): void {
  const { handoff } = world;
  const folder = `${FILES.archive}/${record.taskId}`;
  for (const name of TASK_PAPERS) handoff.rename(name, `${folder}/${name}`);
  keepDecision(world, record, FILES.decision);
  for (const name of [FILES.reviewRequest, FILES.reviewInProgress]) handoff.remove(name);
  handoff.write(`${folder}/${FILES.contract}`, contractText(record));
  // The next contract may lie there already.
  for (const name of [FILES.contract, FILES.lock]) handoff.take(name, (text) => isMeant(world, record.taskId, text));
  world.folders.tidy(record.taskId);
}

/** Ends the paperwork of ended tasks, in case a crash fell into it; no task is under way. */
export function archiveEnded(world: World): void {
  for (const name of [FILES.contract, FILES.lock]) {
    const read = world.handoff.read(name);
    const parsed = read.ok && read.value !== undefined ? parseContract(read.value) : undefined;
    if (!read.ok || read.value === undefined || parsed?.ok !== true) continue;
    const record = foldJournal(world.journal.entries(parsed.value.contract.taskId));
    if (record === undefined || !TERMINAL.includes(record.status)) continue;
    if (isLeft(world, record.taskId, read.value)) archive(world, record, isLeft);
  }
  for (const taskId of world.journal.taskIds()) world.folders.tidy(taskId);
}

/** Puts a decision that is old now into the task's archive; one about another task stays for that one. */
export function keepDecision({ handoff }: World, { taskId }: LineRecord, name: string): void {
  const decision = decisionThere(handoff);
  if (decision === undefined || taskOf(decision) === taskId)
    handoff.rename(FILES.decision, `${FILES.archive}/${taskId}/${name}`);
}

function decisionThere(handoff: World['handoff']): DecisionFile | undefined {
  const written = handoff.read(FILES.decision);
  const decision = written.ok && written.value !== undefined ? readDecision(written.value) : undefined;
  return decision?.ok === true ? decision.value : undefined;
}

/** Whether andon ever wrote this text: an old one was left in this work tree when the task ended in another one. */
function isLeft(world: Kept, taskId: string, text: string): boolean {
  if (isOurs(world, taskId, text)) return true;
  const entries = world.journal.entries(taskId);
  for (let back = 0; ; back += 1) {
    const sealed = foldSealed(entries, back);
    if (sealed === undefined || sealed.history.length === 0) return false; // as it was dropped it is a new drop
    if (text === contractText(sealed)) return true;
  }
}

/** A halt that was answered goes to the archive under its id. */
export function archiveHalt(world: World, record: LineRecord, haltId: string): void {
  const { handoff } = world;
  const report = `${FILES.archive}/${record.taskId}/${haltId}.${FILES.halt}`;
  if (handoff.rename(FILES.halt, report)) tellOtherTick(world, record, report);
  handoff.remove(FILES.stallReport);
  const decision = decisionThere(handoff);
  // The answer that was taken; another one for the same halt stays, to be refused in words.
  if (decision?.about === 'halt' && isTaken(record, decision.answer))
    handoff.rename(FILES.decision, `${FILES.archive}/${record.taskId}/${haltId}.${FILES.decision}`);
}

/** A human may have ticked the other path in the very moment in which this one was taken. */
function tellOtherTick(world: World, { lastChoice }: LineRecord, report: string): void {
  const read = world.handoff.read(report);
  const ticked = read.ok && read.value !== undefined ? readTicks(read.value) : undefined;
  if (ticked === undefined || 'unclear' in ticked || lastChoice === undefined || ticked.path === lastChoice.path)
    return;
  const { path, by } = lastChoice;
  const text = `${HANDOFF}/${report} is ticked for path ${ticked.path}; path ${path} was taken, by ${by}`;
  world.say({ kind: 'word', level: 'warn', text });
}

const isTaken = ({ taskId, lastChoice }: LineRecord, answer: WrittenAnswer): boolean =>
  answer.task_id === taskId && answer.halt === lastChoice?.halt && answer.path === lastChoice.path;

/** Whether a text is the contract as andon wrote it: now, or one transition ago (a crash can fall between). */
export function isOurs(world: Kept, taskId: string, text: string): boolean {
  const entries = world.journal.entries(taskId);
  const sealed = foldSealed(entries);
  if (sealed === undefined) return false;
  if (text === contractText(sealed)) return true;
  // The text as it was dropped; of a task that has ended it is a new drop.
  if (sealed.history.length <= 1 && !TERMINAL.includes(sealed.status) && world.digest(text) === sealed.contractDigest)
    return true;
  const before = foldSealed(entries, 1);
  return before !== undefined && text === contractText(before);
}
