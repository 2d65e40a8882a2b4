import { namesNoPlace } from '../messages/message-checks.ts';
import { citedIssues } from '../panel/judged.ts';
import { describePointOfView } from '../panel/brief.ts';
import { DESK, hasOpenedChange } from '../stations/evidence.ts';
import { fenceText, fenceRule, fenceProjectRules } from '../../agents/fence.ts';
import { briefJudge, findReport, readReport } from '../stations/judge.ts';
import { maskReport } from '../core/mask-facts.ts';
import { countCitedLines } from '../../rules/files/cited-files.ts';
import { tryJudge } from '../calls/canary.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { describeFindings, recordTurn } from './ask-reviewer.ts';
import { listInstructions } from './apply-rules.ts';
import { reportInWords } from './file-report.ts';
import { callSeat, abstain, seatFolder, toAbstention, describeMember, type PanelTurnSlot } from './panel-seat.ts';
import { prepareJudgeDir, checkQuotes } from './review-workspace.ts';
import { takeOneOfSeveral } from './take-message.ts';

/**
 * Asks one of several judges in a folder of its own. Like a single judge it is tried with a known-bad change now and then,
 * and its report is bound and proven. Issues that cite no line of the tree are left out.
 */
export async function askJudgeOfSeveral(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  seat: PanelTurnSlot,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { name, left } = seat;
  const nonce = services.nonce();
  const rules = fenceProjectRules(await listInstructions(services, log.record, 'report'), nonce);
  const place = seatFolder(log.record, seat);
  const tried = await tryJudge(services, log, rules, signal, { name, share: left, place });
  if (!tried.ok) {
    services.folders.tidy(place);
    if (!('event' in tried.why)) return toAbstention(services, log.record, seat, tried.why);
    return tried.why.facts.canary === undefined ? abstain(seat, tried.why.reason) : tried.why;
  }
  const view = await describeMember(services, seat);
  const held = view.rules.length === 0 ? [] : [fenceRule(nonce), fenceText('rules', view.rules.join('\n'), nonce)];
  const folder = await prepareJudgeDir(services, log.record, place);
  const why = log.record.askedAnew?.find(({ reviewer }) => reviewer === name)?.why ?? '';
  const again = why === '' ? [] : [fenceRule(nonce), fenceText('why your last answer did not count', why, nonce)];
  const brief = briefJudge(log.record, rules, {
    view: describePointOfView(view),
    rules: [...held, ...again].join('\n\n'),
  });
  const answer = await callSeat(services, log, seat, { brief, folder }, signal);
  if (!answer.ok) return answer.why;
  const { call, opened = [] } = answer.value;
  const written = findReport(answer.value);
  const weigh = await checkQuotes(services, log.record);
  const report = readReport(written, log.record, { bound: 'by name', weigh, digest: '' });
  if (!report.ok) return abstain(seat, `unreadable: ${report.why}`, { call });
  if (report.value.verdict === 'NEEDS_REVIEW') return abstain(seat, report.value.why, { call });
  const { findings, dropped } = citedIssues(report.value, written, weigh);
  const kept = { ...report.value, blocking: findings.map(({ finding }) => finding) };
  const evidence = {
    unopened: hasOpenedChange(opened, folder) ? undefined : DESK.diff,
    ...(namesNoPlace(kept) ? { diff: await services.repository.patch(log.record.base, kept.commit) } : {}),
    lines: await countCitedLines(services.repository, kept.commit, kept.summary),
    settings: services.settings.messages,
  };
  const message = { message: kept, evidence, words: reportInWords(kept) };
  const ruled = await takeOneOfSeveral(services, log, 'report', message, signal);
  const turn = {
    verdict: kept.verdict === 'PASS' ? ('PASS' as const) : ('FAIL' as const),
    findings: findings.map(({ cited }) => cited),
    dropped: [...dropped],
    report: maskReport(kept),
    call,
  };
  return recordTurn(seat, ruled, turn, describeFindings(kept.verdict, kept.blocking, dropped));
}
