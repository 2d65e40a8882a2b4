import type { WrittenAnswer } from '../record/decision-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { FILES } from '../../base/names.ts';
import type { Halt } from '../record/trip.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { renderContract } from '../words/contract-document.ts';
import { listTamperedVersions, renderHalt } from '../halts/halt-report.ts';
import { renderStallReport } from '../reports/reports.ts';
import { foldJournal, foldSealed } from '../core/fold-journal.ts';
import { toMarkdownLine } from '../../base/plain-text.ts';
import { nameAnswer } from '../halt-answers/interpret-decision.ts';
import { isOurs } from './own-papers.ts';
import { currentDecision, pathOfParked } from './parked-papers.ts';
import type { Needs } from '../services/services.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** Writes the papers of a halt, in this order: the whole report first, only then the lock. Safe to repeat. */
export async function writeHalt(
  services: Needs<'digest' | 'handoff' | 'journal' | 'repository'>,
  record: TaskRecord,
): Promise<void> {
  const { handoff } = services;
  if (record.halt === undefined || (handoff.exists(FILES.lock) && handoff.exists(FILES.halt))) return;
  // The step that halted does not know the comments that came while it ran.
  const { comments } = foldJournal(services.journal.entries(record.taskId)) ?? record;
  const report = await haltReport(services, { ...record, comments }, record.halt);
  if (foldJournal(services.journal.entries(record.taskId))?.halt?.id !== record.halt.id) return; // answered meanwhile
  for (const { name, text } of listTamperedVersions(record, record.halt)) handoff.write(name, text);
  if (record.halt.trip.breaker === 'stalled') handoff.write(FILES.stallReport, renderStallReport(record));
  handoff.write(FILES.halt, report);
  if (handoff.exists(FILES.lock)) return;
  if (handoff.renameToFree(FILES.contract, FILES.lock, (text) => isOurs(services, record.taskId, text))) return;
  handoff.write(FILES.lock, renderContract(foldSealed(services.journal.entries(record.taskId)) ?? record));
  const edited = record.lastFacts.tampered?.edited; // kept in the journal
  handoff.take(FILES.contract, (text) => text === edited || isOurs(services, record.taskId, text));
}

/** Writes the papers of a halt again where a file was deleted, and logs it; false when none was. */
export async function restoreHalt(
  services: Needs<'digest' | 'handoff' | 'journal' | 'repository' | 'say'>,
  record: TaskRecord,
): Promise<boolean> {
  const { handoff } = services;
  const missing = [FILES.halt, FILES.lock].filter((name) => !handoff.exists(name));
  if (missing.length === 0) return false;
  await writeHalt(services, record);
  for (const name of missing.filter((one) => handoff.exists(one)))
    services.say({ kind: 'word', level: 'warn', text: `${handoff.shown(name)} was missing; it is written again` });
  return true;
}

export const haltReport = async (services: Needs<'repository'>, record: TaskRecord, halt: Halt): Promise<string> =>
  renderHalt(record, halt, await diffOf(services, record));

/** The diff for the report; a report without one is better than none. */
async function diffOf(services: Needs<'repository'>, { change, base }: TaskRecord): Promise<string> {
  if (change === undefined) return '';
  try {
    return withoutSecrets(await services.repository.patch(base, change.commit));
  } catch (error) {
    return `(the diff could not be read: ${getErrorMessage(error)})`;
  }
}

/** Moves the papers of an answered halt to the archive, under its id. Safe to repeat. */
export function archiveHalt({ handoff }: Needs<'handoff'>, record: TaskRecord, haltId: string): void {
  const archived = (name: string): string => `${FILES.archive}/${record.taskId}/${haltId}.${name}`;
  const kept = archived(FILES.halt);
  // When this is repeated, the page may be about other tasks already.
  if (!handoff.exists(kept)) handoff.rename(FILES.halt, kept);
  const report = handoff.read(kept);
  if (report.ok && report.value !== undefined && !/^.*\n\n> Answered/.test(report.value))
    handoff.write(kept, withAnswer(report.value, record, haltId));
  handoff.remove(FILES.stallReport);
  // The answer that was taken; another one for the same halt stays, to be refused in words.
  const taken = [pathOfParked(record.taskId, FILES.decision), FILES.decision].find((name) => {
    const decision = currentDecision(handoff, name);
    return decision?.about === 'halt' && isTaken(record, decision.answer);
  });
  if (taken !== undefined) handoff.rename(taken, archived(FILES.decision));
}

/** The report of an answered halt, with the answer below its title: whoever opens it later is not asked any more. */
function withAnswer(report: string, { taskId, lastChoice }: TaskRecord, haltId: string): string {
  const answer =
    lastChoice?.halt === haltId
      ? `Answered with ${nameAnswer(lastChoice)} by ${toMarkdownLine(lastChoice.by, 80)}`
      : 'Answered';
  return report.replace(
    '\n',
    () => `\n\n> ${answer}. What came then: \`andon show ${taskId}\`. The report as it was:\n`,
  );
}

const isTaken = ({ taskId, lastChoice }: TaskRecord, answer: WrittenAnswer): boolean =>
  answer.task_id === taskId && answer.halt === lastChoice?.halt && answer.path === lastChoice.path;
