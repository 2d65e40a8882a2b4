import type { WrittenAnswer } from '../../record/decision.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import type { Halt } from '../../record/trip.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { contractText } from '../../line/contract-document.ts';
import { renderHalt } from '../../line/documents/halt-report.ts';
import { renderStallReport } from '../../line/documents/reports.ts';
import { readTicks } from '../../line/documents/ticks.ts';
import { tamperedVersions } from '../../line/documents/tampered-versions.ts';
import { foldJournal, foldSealed } from '../../line/record.ts';
import { isOurs } from './own-papers.ts';
import { decisionThere } from './papers-of.ts';
import type { Services } from '../../wiring/services.ts';

/** Writes the papers of a halt, in this order: the whole report first, only then the lock. Safe to repeat. */
export async function writeHalt(services: Services, record: LineRecord): Promise<void> {
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

/** The diff for the report; a report without one is better than none. */
async function diffOf(services: Pick<Services, 'repository'>, { change, base }: LineRecord): Promise<string> {
  if (change === undefined) return '';
  try {
    return withoutSecrets(await services.repository.patch(base, change.commit));
  } catch (error) {
    return `(the diff could not be read: ${error instanceof Error ? error.message : String(error)})`;
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
