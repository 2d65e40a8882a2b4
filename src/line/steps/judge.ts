import { namesNoPlace } from '../stations/message-checks.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { renderRebuttal, judgeReportDocument, renderJudgeReport, renderGateEvidence } from '../reports/reports.ts';
import { describePointOfView } from '../panel/create-question.ts';
import { citedIssues, createPanelReport } from '../panel/settle.ts';
import { maskReport } from '../core/mask-facts.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { countCitedLines } from '../../rules/files/cited-files.ts';
import { DESK, hasOpenedChange, toProjectPath } from '../stations/weigh-quotes.ts';
import { briefJudge } from '../stations/brief-judge.ts';
import { applyTies, findReport, readReport } from '../stations/read-judge-report.ts';
import { fenceText, fenceRule, fenceProjectRules } from '../../agents/fence-text.ts';
import { prepareJudgeDir, loadQuotes, reviewRequest } from './review-workspace.ts';
import { isJudgedOutside, findOutsideWait } from '../core/find-outside-wait.ts';
import { joinReason } from '../words/view-activity.ts';
import {
  awaitExternalClaim,
  keepRefused,
  keepUnasked,
  reportFromOutside,
  type GivenReport,
} from './external-judge-worker.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { keepReportDecision } from '../documents/paperwork.ts';
import { listInstructions } from './apply-rules.ts';
import { takeMessage } from './take-message.ts';
import {
  askOneOfSeveral,
  callMember,
  createUnreadable,
  describeFindings,
  describeMember,
  findNextMember,
  settlePanel,
  takeTurn,
  tidyPlace,
  toMissedTurn,
  toUnreadable,
  type PanelTurnSlot,
} from './ask-reviewer.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';
import { addedLineNumbers } from '../../base/read-diff.ts';
import { toSafeJson } from '../../base/plain-text.ts';
import { formatFinding } from '../../rules/model/finding.ts';
import type { JudgeReport } from '../record/review.ts';
import { classifyFinding } from '../stations/classify-finding.ts';
import type { WhatRulesSay } from './rule-on-task.ts';
import type { JournalEntry, Started } from '../record/journal-entry.ts';
import { createCanary } from '../stations/create-canary.ts';
import { callAgent, type CallFailure, type CallSeat } from '../calls/call-agent.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';

/** Asks for the review: old reports go first, then the request appears whole; it is claimed by renaming it. */
export async function requestReview(
  services: Needs<'bell' | 'digest' | 'handoff' | 'repository' | 'say' | 'settings'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { handoff } = services;
  const request = await reviewRequest(services, log.record);
  const claimed = handoff.read(FILES.reviewInProgress);
  const outside = isJudgedOutside(log.record, services.settings);
  const started = outside ? startedOutside() : STARTED;
  if (outside && claimed.ok && claimed.value === request) return started; // taken while andon was down
  // A report beside a request that was put back may have come since.
  const isStale = !outside || log.record.history.at(-1)?.event !== 'claim_returned';
  if (outside && isStale) keepUnasked(services, log.record);
  for (const old of isStale ? [FILES.judgeReport, FILES.judgeReportJson] : []) handoff.remove(old);
  handoff.remove(FILES.reviewInProgress);
  keepReportDecision(services, log.record, `${log.record.history.length}.${FILES.decision}`);
  if (log.record.rebuttal.length > 0) handoff.write(FILES.rebuttal, renderRebuttal(log.record));
  else handoff.remove(FILES.rebuttal);
  handoff.write(FILES.reviewRequest, request);
  const waits = findOutsideWait(log.record, services.settings);
  if (waits !== undefined)
    services.say({ kind: 'word', level: 'info', text: `${log.record.taskId}: ${joinReason(waits)}` });
  if (outside) await awaitExternalClaim(services, log.record, signal);
  else if (!handoff.rename(FILES.reviewRequest, FILES.reviewInProgress)) handoff.write(FILES.reviewInProgress, request); // the request or the whole folder was deleted
  return started;
}

const STARTED: StepOutcome = { event: 'review_started', reason: 'the change goes to the judge', facts: {} };

/** A reader of the contract alone, as the blueprint's prompt says, finds the question there. */
const startedOutside = (): StepOutcome => ({
  ...STARTED,
  reason: `the change goes to the judge; what is asked, the change and how to report: ${HANDOFF}/${FILES.reviewInProgress}`,
});

/** One review, by andon's own judge, one of several, or an external one. Its report is read, bound, checked and recorded. */
export async function judge(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  if (isJudgedOutside(log.record, services.settings)) {
    const given = await reportFromOutside(services, log.record, signal);
    return given.ok ? takeReport(services, log, undefined, given.value, signal) : given.why;
  }
  // The request is in `_handoff/` while it is answered.
  if (!services.handoff.exists(FILES.reviewInProgress))
    services.handoff.write(FILES.reviewInProgress, await reviewRequest(services, log.record));
  const slot = findNextMember(log.record, 'judge');
  if (slot === undefined) return settleReports(services, log.record);
  if (slot.round === 2) return askOneOfSeveral(services, log, slot, signal);
  const given = await askJudge(services, log, slot, signal);
  if (given.ok) return takeReport(services, log, slot, given.value, signal);
  if (slot.seat === undefined) services.handoff.remove(FILES.reviewInProgress); // the review is over
  return given.why;
}

/** Reads a report. It counts for the only judge and for an external one; of several it is one voice. */
async function takeReport(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  slot: PanelTurnSlot | undefined,
  { report: written, bound, text, hasOpened, call }: GivenReport,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { handoff, settings } = services;
  const outside = slot === undefined;
  const isOfSeveral = slot?.seat !== undefined;
  if (!isOfSeveral) handoff.remove(FILES.reviewRequest); // answered without being taken; it must not be taken now
  const refuse = (kind: 'unreadable' | 'refused', why: string, facts: Facts = {}): StepOutcome => {
    if (isOfSeveral) return toUnreadable(slot, why, kind, { call });
    if (text !== undefined) keepRefused(services, log.record, text);
    else handoff.remove(FILES.reviewInProgress); // the review is over
    return createUnreadable('judge', why, facts, kind);
  };
  const weigh = await loadQuotes(services, log.record, { text: '', structured: written }, 'acceptance gates');
  const read = readReport(written, log.record, { bound, weigh, outside });
  if (!read.ok) return refuse('unreadable', read.why);
  if (read.value.verdict === 'NEEDS_REVIEW') return refuse('refused', read.value.why);
  const { findings, dropped } = citedIssues(read.value, written, weigh);
  const report = isOfSeveral ? { ...read.value, blocking: findings.map(({ finding }) => finding) } : read.value;
  const evidence = {
    unopened: outside || hasOpened ? undefined : DESK.diff,
    ...(!outside && namesNoPlace(report)
      ? { diff: await services.repository.patch(log.record.base, report.commit) }
      : {}),
    lines: await countCitedLines(services.repository, report.commit, report.summary),
    // An external judge may be a person, whose words are not checked.
    settings: { ...settings.messages, enabled: settings.messages.enabled && !outside },
  };
  const message = { message: report, evidence, words: reportInWords(report) };
  const ruled = await takeMessage(services, log, 'report', message, signal, isOfSeveral);
  if (isOfSeveral) {
    const turn = {
      verdict: report.verdict === 'PASS' ? ('PASS' as const) : ('FAIL' as const),
      findings: findings.map(({ cited }) => cited),
      dropped: [...dropped],
      report: maskReport(report),
      call,
    };
    return takeTurn(slot, ruled, turn, describeFindings(report.verdict, report.blocking, dropped));
  }
  return ruled.unfit === undefined
    ? fileReport(services, log.record, report, ruled, text)
    : refuse('refused', ruled.unfit, { rulings: [...ruled.rulings] });
}

/** Asks a judge in its folder, after a known-bad change now and then. One of several has its view and its rules. */
async function askJudge(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  slot: PanelTurnSlot,
  signal: AbortSignal,
): Promise<Outcome<GivenReport, StepOutcome>> {
  const nonce = services.nonce();
  const rules = fenceProjectRules(await listInstructions(services, log.record, 'report'), nonce);
  const tried = await tryJudge(services, log, rules, signal, slot);
  if (!tried.ok) {
    tidyPlace(services, slot);
    if (!('event' in tried.why)) return failure(toMissedTurn(services, log.record, slot, tried.why));
    return failure(
      tried.why.facts.canary === undefined ? toUnreadable(slot, tried.why.reason, 'unreadable') : tried.why,
    );
  }
  const folder = await prepareJudgeDir(services, log.record, slot.place);
  const view = slot.seat === undefined ? undefined : await describeJudgeView(services, log.record, slot, nonce);
  const brief = briefJudge(log.record, rules, view);
  const answer = await callMember(services, log, slot, { brief, folder }, signal);
  if (!answer.ok) return answer;
  const { opened = [], call } = answer.value;
  const hasOpened = hasOpenedChange(opened, folder);
  return success({ report: findReport(answer.value), bound: 'by name', text: undefined, hasOpened, call });
}

async function describeJudgeView(
  services: Needs<'journal' | 'profiles' | 'project'>,
  { askedAnew }: TaskRecord,
  slot: PanelTurnSlot,
  nonce: string,
) {
  const view = await describeMember(services, slot);
  const why = askedAnew?.find(({ reviewer }) => reviewer === slot.name)?.why ?? '';
  const held = view.rules.length === 0 ? [] : [fenceText('rules', view.rules.join('\n'), nonce)];
  const again = why === '' ? [] : [fenceText('why your last answer did not count', why, nonce)];
  const rules = [...held, ...again];
  return {
    view: describePointOfView(view),
    rules: (rules.length === 0 ? [] : [fenceRule(nonce), ...rules]).join('\n\n'),
  };
}

/** The report of several judges, once all were asked. */
function settleReports(
  services: Needs<'digest' | 'handoff' | 'nonce' | 'profiles' | 'repository' | 'settings'>,
  record: TaskRecord,
): Promise<StepOutcome> | StepOutcome {
  services.handoff.remove(FILES.reviewRequest);
  const settled = settlePanel(services, record, 'judge');
  if (!settled.ok) {
    services.handoff.remove(FILES.reviewInProgress); // the review is over
    return settled.why;
  }
  const report = createPanelReport(record, settled.value, record.panel ?? []);
  return fileReport(services, record, report, { rulings: [] }); // each was ruled on when it was heard
}

/**
 * Writes a proven report for people and for programs, and ends the review with it. `written` is the text of an external
 * judge, whose file stays unchanged.
 */
async function fileReport(
  services: Needs<'digest' | 'handoff' | 'nonce' | 'repository'>,
  record: TaskRecord,
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
    report: await classifyBlocking(services, record, {
      ...kept,
      digest: services.digest(text),
      ...(outside ? { outside: true as const, nonce: services.nonce() } : {}),
    }),
  };
  const weakeningReport = applyTies(record, report.tied ?? []);
  const known = { ...facts, ...(weakeningReport === undefined ? {} : { weakeningReport }) };
  if (objection !== undefined) return { ...objection, facts: { ...known, ...objection.facts } };
  const { verdict, summary, blocking } = kept;
  const [first] = blocking;
  return {
    event: 'judge_complete',
    reason: `${verdict}: ${first === undefined ? summary : formatFinding(first)}`,
    facts: { ...known, ...(rulings.length === 0 ? {} : { rulings: [...rulings] }) },
  };
}

/** Classifies the blocking findings of a report once, as evidence: their subject, and whether their lines are new. */
async function classifyBlocking(
  services: Needs<'repository'>,
  record: TaskRecord,
  report: JudgeReport,
): Promise<JudgeReport> {
  if (report.blocking.length === 0) return report;
  const before = record.rounds.at(-1)?.commit;
  const isNew =
    before === undefined || before === report.commit
      ? undefined
      : addedLineNumbers(await services.repository.patch(before, report.commit));
  const around = {
    others: record.review?.findings ?? [],
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

/** The judge's own words, which the rules apply to. */
const reportInWords = ({ summary, blocking, fixes, securityFlags, answers = [] }: JudgeReport): string =>
  [summary, ...blocking.map(formatFinding), ...fixes, ...securityFlags, ...answers.map(({ why }) => why)].join('\n');

/**
 * Before a real judgement, now and then, asks andon's own judge (each of several by itself) about a known-bad change: the
 * same request at the same station, with a reserve of its own. A judge that passes it stops the line. Git is not touched.
 */
async function tryJudge(
  services: CallServices,
  log: StepJournal,
  rules: string,
  signal: AbortSignal,
  { seat, place }: { readonly seat: CallSeat | undefined; readonly place: string },
): Promise<Outcome<undefined, StepOutcome | CallFailure>> {
  const { answered } = log.record;
  if (answered?.started.station === 'judge' && answered.started.canary === undefined) return success(undefined); // about the real one
  if (answered === undefined && !isDue(services, log.record, seat?.name)) return success(undefined);
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

/** The first judgement of a judge in a repository, then every n-th one, and the next one after it missed a canary. */
function isDue(
  services: Needs<'agents' | 'journal' | 'profiles' | 'settings'>,
  record: TaskRecord,
  reviewer: string | undefined,
): boolean {
  const { journal } = services;
  const every = services.settings.canaryEvery;
  if (every === 0) return false;
  // The name of the only judge may stand for another program or model by now.
  const { agent, model } = resolveWorker(services, record, 'judge', reviewer);
  const isOfJudge = (entries: readonly JournalEntry[], at: number, call: number): boolean => {
    const started = entries.slice(0, at).findLast((entry) => entry.kind === 'started' && entry.call === call) as
      | Started
      | undefined;
    return started?.agent === agent.id && started.model === model;
  };
  let judged = 0;
  for (const id of [
    record.taskId,
    ...journal
      .taskIds()
      .filter((other) => other !== record.taskId)
      .toReversed(),
  ]) {
    const entries = journal.entries(id);
    for (const [at, entry] of [...entries.entries()].toReversed()) {
      if (entry.kind === 'canary' && entry.reviewer === reviewer && isOfJudge(entries, at, entry.call))
        return entry.missed || judged >= every;
      if (isJudgement(entry, reviewer) && (entry.kind !== 'called' || isOfJudge(entries, at, entry.call))) judged += 1;
    }
  }
  return true;
}

/** One of several judges is known by the name in its recorded turn. */
const isJudgement = (entry: JournalEntry, reviewer: string | undefined): boolean =>
  reviewer === undefined
    ? entry.kind === 'called' && entry.station === 'judge' && entry.ok
    : entry.kind === 'moved' && entry.facts.panel?.report !== undefined && entry.facts.panel.reviewer === reviewer;
