import { namesNoPlace } from '../messages/message-checks.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { renderRebuttal } from '../reports/reports.ts';
import { createPanelReport } from '../panel/judged.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { countCitedLines } from '../../rules/files/cited-files.ts';
import { DESK, hasOpenedChange } from '../stations/evidence.ts';
import { briefJudge, findReport, readReport } from '../stations/judge.ts';
import { fenceProjectRules } from '../../agents/fence.ts';
import { callAgent, createCallFailureOutcome } from '../calls/call-agent.ts';
import { tryJudge } from '../calls/canary.ts';
import { prepareJudgeDir, checkQuotes, reviewRequest } from './review-workspace.ts';
import { isJudgedOutside, describeOutsideWait } from '../core/external-judge.ts';
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
import { askJudgeOfSeveral } from './ask-judge.ts';
import { fileReport, reportInWords } from './file-report.ts';
import { askAboutOthers } from './ask-reviewer.ts';
import { findNextMember, findPanel, settlePanel } from './panel-seat.ts';
import type { CallServices, Needs, RuleServices } from '../services/services.ts';

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
  if (outside) keepUnasked(services, log.record);
  for (const old of [FILES.judgeReport, FILES.judgeReportJson, FILES.reviewInProgress]) handoff.remove(old);
  keepReportDecision(services, log.record, `${log.record.history.length}.${FILES.decision}`);
  if (log.record.rebuttal.length > 0) handoff.write(FILES.rebuttal, renderRebuttal(log.record));
  else handoff.remove(FILES.rebuttal);
  handoff.write(FILES.reviewRequest, request);
  const waits = describeOutsideWait(log.record, services.settings);
  if (waits !== undefined)
    services.say({ kind: 'word', level: 'info', text: `${log.record.taskId}: waits for ${waits}` });
  if (outside) await awaitExternalClaim(services, log.record, signal);
  else if (!handoff.rename(FILES.reviewRequest, FILES.reviewInProgress)) handoff.write(FILES.reviewInProgress, request); // the request or the whole folder was deleted
  return started;
}

const STARTED: StepOutcome = { event: 'review_started', reason: 'the judge has the change', facts: {} };

/** A reader of the contract alone, as the blueprint's prompt says, finds the question there. */
const startedOutside = (): StepOutcome => ({
  ...STARTED,
  reason: `the judge has the change; what is asked, the change and how to report: ${HANDOFF}/${FILES.reviewInProgress}`,
});

/** One review, by andon's own or an external judge. Its report is read, bound to the request, checked and recorded. */
export async function judge(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { handoff } = services;
  const outside = isJudgedOutside(log.record, services.settings);
  if (!outside && findPanel(log.record, 'judge') !== undefined) return judgeTogether(services, log, signal);
  const answer = outside
    ? await reportFromOutside(services, log.record, signal)
    : await askJudge(services, log, signal);
  if (!answer.ok) return answer.why;
  handoff.remove(FILES.reviewRequest); // answered without being taken; it must not be taken now
  const report = readReport(answer.value.report, log.record, {
    bound: answer.value.bound,
    weigh: await checkQuotes(services, log.record),
    digest: '',
    outside,
  });
  if (!report.ok || report.value.verdict === 'NEEDS_REVIEW') {
    if (answer.value.text !== undefined) keepRefused(services, log.record, answer.value.text);
    else handoff.remove(FILES.reviewInProgress); // the review is over
    return report.ok ? unreadable('report_unproven', report.value.why) : unreadable('report_unreadable', report.why);
  }
  const ruled = await takeMessage(
    services,
    log,
    'report',
    {
      message: report.value,
      evidence: {
        unopened: outside || answer.value.hasOpened ? undefined : DESK.diff,
        ...(!outside && namesNoPlace(report.value)
          ? { diff: await services.repository.patch(log.record.base, report.value.commit) }
          : {}),
        lines: await countCitedLines(services.repository, report.value.commit, report.value.summary),
        // An external judge may be a person, whose words are not checked.
        settings: { ...services.settings.messages, enabled: services.settings.messages.enabled && !outside },
      },
      words: reportInWords(report.value),
    },
    signal,
  );
  if (ruled.unfit !== undefined) {
    if (answer.value.text !== undefined) keepRefused(services, log.record, answer.value.text);
    else handoff.remove(FILES.reviewInProgress);
    const facts = { judgeUnreadable: ruled.unfit, rulings: [...ruled.rulings] };
    return { event: 'report_unproven', reason: ruled.unfit, facts };
  }
  return fileReport(services, log.record, report.value, ruled, answer.value.text);
}

const unreadable = (event: 'report_unproven' | 'report_unreadable', why: string): StepOutcome => ({
  event,
  reason: why,
  facts: { judgeUnreadable: why },
});

async function askJudge(
  services: CallServices & Needs<'nonce' | 'project' | 'repository'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<Outcome<GivenReport, StepOutcome>> {
  const { handoff } = services;
  await restoreRequest(services, log.record);
  const rules = fenceProjectRules(await listInstructions(services, log.record, 'report'), services.nonce());
  const tried = await tryJudge(services, log, rules, signal);
  if (!tried.ok) {
    handoff.remove(FILES.reviewInProgress);
    return failure('event' in tried.why ? tried.why : toUnreadableReport(createCallFailureOutcome('judge', tried.why)));
  }
  const folder = await prepareJudgeDir(services, log.record);
  const transcript = await callAgent(services, log, {
    station: 'judge',
    brief: briefJudge(log.record, rules),
    folder,
    signal,
  });
  if (!transcript.ok) {
    handoff.remove(FILES.reviewInProgress); // the review is over
    return failure(toUnreadableReport(createCallFailureOutcome('judge', transcript.why)));
  }
  const { opened = [] } = transcript.value;
  const hasOpened = hasOpenedChange(opened, folder);
  return success({ report: findReport(transcript.value), bound: 'by name', text: undefined, hasOpened });
}

/** A judge that crashed or printed nothing gave no report; a stall or a fault keeps its own name. */
function toUnreadableReport(outcome: StepOutcome): StepOutcome {
  const { strike } = outcome.facts;
  if (strike === undefined || strike.kind === 'stall') return outcome;
  return {
    event: 'report_unreadable',
    reason: outcome.reason,
    facts: { judgeUnreadable: `${strike.kind}: ${strike.why}` },
  };
}

/** Writes the request again where it is missing: it is in `_handoff/` while it is answered. */
async function restoreRequest(services: Needs<'handoff' | 'repository'>, record: TaskRecord): Promise<void> {
  if (!services.handoff.exists(FILES.reviewInProgress))
    services.handoff.write(FILES.reviewInProgress, await reviewRequest(services, record));
}

/** Several judges: asked one after another; then their votes are counted. */
async function judgeTogether(
  services: CallServices & RuleServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  await restoreRequest(services, log.record);
  const seat = findNextMember(log.record, 'judge');
  if (seat !== undefined) return (seat.round === 1 ? askJudgeOfSeveral : askAboutOthers)(services, log, seat, signal);
  services.handoff.remove(FILES.reviewRequest);
  const panel = settlePanel(services, log.record, 'judge');
  if ('undecided' in panel) {
    services.handoff.remove(FILES.reviewInProgress); // the review is over
    return panel.undecided;
  }
  const report = createPanelReport(log.record, panel.settled, log.record.panel ?? []);
  return fileReport(services, log.record, report, { rulings: [] }); // each was ruled on when it was heard
}
