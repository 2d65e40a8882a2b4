import type { JournalEntry } from '../record/journal-entry.ts';
import { success, failure, type Outcome } from '../../base/outcome.ts';
import { renderGateEvidence } from '../reports/reports.ts';
import { createCanary } from '../stations/create-canary.ts';
import { DESK } from '../stations/weigh-quotes.ts';
import { briefJudge, findReport, readReport } from '../stations/brief-judge.ts';
import { callAgent, type CallFailure, type CallSeat } from './call-agent.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import type { CallServices, Needs } from '../services/services.ts';

/**
 * Before a real judgement, now and then, asks andon's own judge (each of several by itself) about a known-bad change: the
 * same request at the same station, with a reserve of its own. A judge that passes it stops the line. Git is not touched.
 */
export async function tryJudge(
  services: CallServices,
  log: StepJournal,
  rules: string,
  signal: AbortSignal,
  { seat, place }: { readonly seat: CallSeat | undefined; readonly place: string },
): Promise<Outcome<undefined, StepOutcome | CallFailure>> {
  const { answered } = log.record;
  if (answered?.started.station === 'judge' && answered.started.canary === undefined) return success(undefined); // about the real one
  if (answered === undefined && !isDue(services, log.record.taskId, seat?.name)) return success(undefined);
  const call = answered?.started.canary === true ? answered.started.call : log.record.callCount + 1;
  const canary = createCanary(log.record, call, (text) => services.digest(text));
  const gates = [DESK.gates, `${renderGateEvidence(canary.record.gates)}\n`] as const;
  const folder = services.folders.desk(place, new Map([...canary.files, gates]), []);
  const transcript = await callAgent(services, log, {
    station: 'judge',
    brief: briefJudge(canary.record, rules),
    folder,
    canary: true,
    seat,
    signal,
  });
  if (!transcript.ok) return transcript;
  const report = readReport(findReport(transcript.value), canary.record, {
    bound: 'by name',
    weigh: canary.weigh,
  });
  if (!report.ok) {
    const why = `asked about a known-bad change, the judge gave no report: ${report.why}`;
    return failure({ event: 'report_unreadable', reason: why, facts: { judgeUnreadable: why } });
  }
  const { said, verdict } = report.value;
  // A PASS without evidence counts as one here; on a real change the judge would only be asked again.
  const missed = verdict === 'PASS' || verdict === 'NEEDS_REVIEW';
  const reviewer = seat === undefined ? {} : { reviewer: seat.name };
  log.note({ kind: 'canary', at: services.clock.now(), call, flaw: canary.flaw, verdict: said, missed, ...reviewer });
  if (!missed) return success(undefined);
  const reason = `the judge${seat === undefined ? '' : ` ${seat.name}`} passed a change that is known to be bad (${canary.flaw})`;
  return failure({
    event: 'canary_missed',
    reason,
    facts: { canary: { flaw: canary.flaw, verdict: said, ...reviewer } },
  });
}

/** The first judgement of a repository, then every n-th one, and the next one of a judge that missed the last. */
function isDue(
  { settings, journal }: Needs<'settings' | 'journal'>,
  taskId: string,
  reviewer: string | undefined,
): boolean {
  const every = settings.canaryEvery;
  if (every === 0) return false;
  let judged = 0;
  for (const id of [
    taskId,
    ...journal
      .taskIds()
      .filter((other) => other !== taskId)
      .toReversed(),
  ])
    for (const entry of journal.entries(id).toReversed()) {
      if (entry.kind === 'canary' && entry.reviewer === reviewer) return entry.missed || judged >= every;
      if (isJudgement(entry, reviewer)) judged += 1;
    }
  return true;
}

/** One of several judges is known by the name in its recorded turn. */
const isJudgement = (entry: JournalEntry, reviewer: string | undefined): boolean =>
  reviewer === undefined
    ? entry.kind === 'called' && entry.station === 'judge' && entry.ok
    : entry.kind === 'moved' && entry.facts.panel?.report !== undefined && entry.facts.panel.reviewer === reviewer;
