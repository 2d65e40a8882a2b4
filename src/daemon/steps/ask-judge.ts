import { citedIssues } from '../../line/panel/judged.ts';
import { describePointOfView } from '../../line/panel/brief.ts';
import { DESK, hasOpenedChange, toProjectPath } from '../../line/stations/evidence.ts';
import { fenceText, fenceRule, fenceProjectRules } from '../../line/stations/fence.ts';
import { briefJudge, readReport, applyTies } from '../../line/stations/judge.ts';
import { formatFinding } from '../../record/finding.ts';
import { maskReport } from '../../rules/secrets/mask.ts';
import { countCitedLines } from '../../inspection/cited-files.ts';
import { tryJudge } from '../calls/canary.ts';
import type { CallServices, Needs, RuleServices } from '../../wiring/services.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { describeFindings, recordTurn } from './ask-reviewer.ts';
import { listInstructions } from './apply-rules.ts';
import { callSeat, abstain, seatFolder, abstained, describeMember, type PanelTurnSlot } from './panel-seat.ts';
import { prepareJudgeDir, checkQuotes } from './review-workspace.ts';
import { takeOneOfSeveral } from './take-message.ts';
import { FILES } from '../../base/names.ts';
import { toSafeJson } from '../../base/plain-text.ts';
import { judgeReportDocument, renderJudgeReport } from '../../line/documents/reports.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { type JudgeReport, getLocalReview } from '../../record/review.ts';
import type { WhatRulesSay } from './rule-on-task.ts';
import { addedLineNumbers } from '../../base/read-diff.ts';
import { classifyFinding } from '../../rules/reviews/substance.ts';

/**
 * Asks one of several judges, on a desk of its own: tried with a known-bad change now and then as one judge is, its report
 * bound and proven as that of one. What of its issues cites nothing that is there is left out.
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
    if (!('event' in tried.why)) return abstained(services, log.record, seat, tried.why);
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
  const { call, structured, opened = [] } = answer.value;
  const weigh = await checkQuotes(services, log.record);
  const report = readReport(structured, log.record, { bound: 'by name', weigh, digest: '' });
  if (!report.ok) return abstain(seat, `unreadable: ${report.why}`, { call });
  if (report.value.verdict === 'NEEDS_REVIEW') return abstain(seat, report.value.why, { call });
  const { findings, dropped } = citedIssues(report.value, structured, weigh);
  const kept = { ...report.value, blocking: findings.map(({ finding }) => finding) };
  const evidence = {
    unopened: hasOpenedChange(opened, folder) ? undefined : DESK.diff,
    lines: await countCitedLines(services.repository, kept.commit, kept.summary),
    settings: services.settings.messages,
  };
  const summary = { message: kept, evidence, words: reportInWords(kept) };
  const ruled = await takeOneOfSeveral(services, log, 'report', summary, signal);
  const turn = {
    verdict: kept.verdict === 'PASS' ? ('PASS' as const) : ('FAIL' as const),
    findings: findings.map(({ cited }) => cited),
    dropped: [...dropped],
    report: maskReport(kept),
    call,
  };
  return recordTurn(seat, ruled, turn, describeFindings(kept.verdict, kept.blocking, dropped));
}

/**
 * Writes a proven report down, for people and for programs, and ends the review with it; `written` is the text of
 * an external judge, whose file stays unchanged.
 */
export async function fileReport(
  services: Needs<'digest' | 'handoff' | 'nonce' | 'repository'>,
  record: LineRecord,
  report: JudgeReport,
  { objection, rulings }: WhatRulesSay,
  written?: string,
): Promise<StepOutcome> {
  const { handoff } = services;
  const outside = written !== undefined;
  const kept = maskReport(report);
  const text = written ?? `${toSafeJson(judgeReportDocument(record, kept))}\n`;
  if (!outside) handoff.write(FILES.judgeReportJson, text);
  // An external judge may write the page a moment after the report.
  handoff.write(
    FILES.judgeReport,
    renderJudgeReport(record, kept),
    () => !outside || !handoff.exists(FILES.judgeReport),
  );
  if (!outside) handoff.remove(FILES.reviewInProgress); // an external judge removes its own claim
  const facts = {
    report: await weighReport(services, record, {
      ...kept,
      digest: services.digest(text),
      ...(outside ? { outside: true as const, nonce: services.nonce() } : {}),
    }),
  };
  const bending = applyTies(record, report.tied ?? []);
  const known = { ...facts, ...(bending === undefined ? {} : { bending }) };
  if (objection !== undefined) return { ...objection, facts: { ...known, ...objection.facts } };
  const { verdict, summary, blocking } = kept;
  const [first] = blocking;
  return {
    event: 'judge_complete',
    reason: `${verdict}: ${first === undefined ? summary : formatFinding(first)}`,
    facts: { ...known, ...(rulings.length === 0 ? {} : { rulings: [...rulings] }) },
  };
}

/** Weighs the blocking findings of a report once, as evidence: what they are about, and whether their lines are new. */
async function weighReport(
  services: Needs<'repository'>,
  record: LineRecord,
  report: JudgeReport,
): Promise<JudgeReport> {
  if (report.blocking.length === 0) return report;
  const before = record.rounds.at(-1)?.commit;
  const isNew =
    before === undefined || before === report.commit
      ? undefined
      : addedLineNumbers(await services.repository.patch(before, report.commit));
  const around = {
    others: getLocalReview(record)?.findings ?? [],
    forbiddenPaths: record.contract.constraints.forbiddenPaths,
  };
  const blocking = report.blocking.map((finding) => {
    const { file, line } = finding;
    const weight = classifyFinding(finding, around);
    if (isNew === undefined || file === undefined || line === undefined) return { ...finding, weight };
    const blamed = (record.rounds.at(-1)?.blocking ?? []).some((old) => old.file === file && isNear(old.line, line));
    return { ...finding, weight, unchanged: !blamed && isNew.get(toProjectPath(file))?.has(line) !== true };
  });
  return { ...report, blocking };
}

/** Lines shift a little between rounds. */
const isNear = (one: number | undefined, other: number): boolean => one === undefined || Math.abs(one - other) <= 5;

/** The judge's own words, as the rules are asked about them. */
export const reportInWords = ({ summary, blocking, fixes, securityFlags, answers = [] }: JudgeReport): string =>
  [summary, ...blocking.map(formatFinding), ...fixes, ...securityFlags, ...answers.map(({ why }) => why)].join('\n');
