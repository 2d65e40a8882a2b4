import { inOneLine } from '../../formats/finding.ts';
import type { LineRecord } from '../../formats/line-record.ts';
import { FILES } from '../../formats/names.ts';
import type { Outcome } from '../../formats/outcome.ts';
import { failure, success } from '../../formats/outcome.ts';
import { inScope, mayBeAllowed } from '../../formats/paths.ts';
import { forJson } from '../../formats/plain-text.ts';
import type { JudgeReport } from '../../formats/review.ts';
import { maskReport } from '../../governance/secrets/mask-facts.ts';
import {
  findingsText,
  gateEvidence,
  judgeReportDocument,
  renderJudgeReport,
  renderRebuttal,
  renderReviewRequest,
} from '../../line/papers/reports.ts';
import { contractInWords } from '../../stations/brief.ts';
import { DESK, briefJudge, citedPath, readReport } from '../../stations/judge.ts';
import type { FindLine } from '../../stations/judge.ts';
import { callAgent, withoutTranscript } from '../call-agent.ts';
import { tryJudge } from '../canary.ts';
import { isJudgedOutside, waitsForOutside } from '../../line/outside.ts';
import { claimedOutside, keepRefused, keepUnasked, reportFromOutside } from './judge-outside.ts';
import type { StepLog, StepOutcome } from '../step-log.ts';
import { keepDecision } from '../paperwork.ts';
import { ruleOnWords } from './keep-rules.ts';
import { treeIndex } from '../tree-index.ts';
import { weighReport } from '../weigh-report.ts';
import type { World } from '../world.ts';

/** Asks for the review: old reports go first, then the request appears whole; it is claimed by renaming it. */
export async function requestReview(world: World, log: StepLog, signal: AbortSignal): Promise<StepOutcome> {
  const { handoff } = world;
  const request = renderReviewRequest(log.record);
  const claimed = handoff.read(FILES.reviewInProgress);
  const outside = isJudgedOutside(log.record, world.settings);
  if (outside && claimed.ok && claimed.value === request) return STARTED; // taken while andon was down
  if (outside) keepUnasked(world, log.record);
  for (const old of [FILES.judgeReport, FILES.judgeReportJson, FILES.reviewInProgress]) handoff.remove(old);
  keepDecision(world, log.record, `${log.record.history.length}.${FILES.decision}`);
  if (log.record.rebuttal.length > 0) handoff.write(FILES.rebuttal, renderRebuttal(log.record));
  else handoff.remove(FILES.rebuttal);
  handoff.write(FILES.reviewRequest, request);
  const waits = waitsForOutside(log.record, world.settings);
  if (waits !== undefined) world.say({ kind: 'word', level: 'info', text: `${log.record.taskId}: waits for ${waits}` });
  if (outside) await claimedOutside(world, log.record, signal);
  else if (!handoff.rename(FILES.reviewRequest, FILES.reviewInProgress)) handoff.write(FILES.reviewInProgress, request); // somebody deleted the request, or the whole folder
  return STARTED;
}

const STARTED: StepOutcome = { event: 'review_started', reason: 'the judge has the change', facts: {} };

/** One review: by andon's own judge, or by somebody outside. Its report is read, bound, proven and written down. */
export async function judge(world: World, log: StepLog, signal: AbortSignal): Promise<StepOutcome> {
  const { handoff } = world;
  const outside = isJudgedOutside(log.record, world.settings);
  const answer = outside ? await reportFromOutside(world, log.record, signal) : await askJudge(world, log, signal);
  if (!answer.ok) return answer.why;
  handoff.remove(FILES.reviewRequest); // answered without having been taken; nobody is to take it now
  const report = readReport(answer.value.report, log.record, {
    bound: answer.value.bound,
    findLine: await lineFinder(world, log.record),
    digest: '',
  });
  if (!report.ok || report.value.verdict === 'NEEDS_REVIEW') {
    if (answer.value.text !== undefined) keepRefused(world, log.record, answer.value.text);
    else handoff.remove(FILES.reviewInProgress); // nobody reviews any more
    return report.ok ? unreadable('report_unproven', report.value.why) : unreadable('report_unreadable', report.why);
  }
  if (report.value.verdict === 'PASS' && answer.value.blind) {
    handoff.remove(FILES.reviewInProgress);
    return unreadable('report_unproven', BLIND);
  }
  const ruled = await ruleOnWords(world, log.record, 'report', reportInWords(report.value));
  if (ruled.unfit !== undefined) {
    if (answer.value.text !== undefined) keepRefused(world, log.record, answer.value.text);
    else handoff.remove(FILES.reviewInProgress);
    const facts = { judgeUnreadable: ruled.unfit, rulings: [...ruled.rulings] };
    return { event: 'report_unproven', reason: ruled.unfit, facts };
  }
  const kept = maskReport(report.value);
  const text = answer.value.text ?? `${forJson(judgeReportDocument(log.record, kept))}\n`;
  const page = renderJudgeReport(log.record, kept);
  const sealed = answer.value.text === undefined ? { page: world.digest(page) } : {};
  if (answer.value.text === undefined) handoff.write(FILES.judgeReportJson, text);
  // Whoever judges outside may write the page beside his report, a moment after it.
  handoff.write(FILES.judgeReport, page, () => answer.value.text === undefined || !handoff.exists(FILES.judgeReport));
  if (!outside) handoff.remove(FILES.reviewInProgress); // outside, whoever claimed it takes it back
  const { verdict, summary, blocking } = kept;
  const [first] = blocking;
  const facts = {
    report: await weighReport(world, log.record, { ...kept, digest: world.digest(text), ...sealed }),
  };
  if (ruled.objection !== undefined) return { ...ruled.objection, facts: { ...facts, ...ruled.objection.facts } };
  return {
    event: 'judge_complete',
    reason: `${verdict}: ${first === undefined ? summary : inOneLine(first)}`,
    facts: { ...facts, ...(ruled.rulings.length === 0 ? {} : { rulings: [...ruled.rulings] }) },
  };
}

/** The judge's own words, as the rules are asked about them. */
const reportInWords = ({ summary, blocking, fixes, securityFlags }: JudgeReport): string =>
  [summary, ...blocking.map(inOneLine), ...fixes, ...securityFlags].join('\n');

const unreadable = (event: string, why: string): StepOutcome => ({
  event,
  reason: why,
  facts: { judgeUnreadable: why },
});

type Answer = {
  readonly report: unknown;
  readonly bound: 'by name' | 'by claim';
  readonly text: string | undefined;
  /** The judge's tools were refused and none worked: it has seen nothing of the desk. */
  readonly blind: boolean;
};

const BLIND = 'the judge says PASS, but its tools were refused and none of them worked, so it has read nothing';

/** andon's own judge, on a desk of andon's making. */
async function askJudge(world: World, log: StepLog, signal: AbortSignal): Promise<Outcome<Answer, StepOutcome>> {
  const { handoff } = world;
  if (!handoff.exists(FILES.reviewInProgress)) handoff.write(FILES.reviewInProgress, renderReviewRequest(log.record));
  const tried = await tryJudge(world, log, signal);
  if (!tried.ok) {
    handoff.remove(FILES.reviewInProgress);
    return failure('event' in tried.why ? tried.why : unread(withoutTranscript('judge', tried.why)));
  }
  const folder = await layDesk(world, log.record);
  const transcript = await callAgent(world, log, { station: 'judge', brief: briefJudge(log.record), folder, signal });
  if (!transcript.ok) {
    handoff.remove(FILES.reviewInProgress); // nobody reviews any more
    return failure(unread(withoutTranscript('judge', transcript.why)));
  }
  const { structured, denials = [], toolUses = 0 } = transcript.value;
  return success({
    report: structured,
    bound: 'by name',
    text: undefined,
    blind: denials.length > 0 && toolUses === 0,
  });
}

/** A judge that crashed or printed nothing gave no report; a stall or a fault keeps its own name. */
function unread(outcome: StepOutcome): StepOutcome {
  const { strike } = outcome.facts;
  if (strike === undefined || strike.kind === 'stall') return outcome;
  return {
    event: 'report_unreadable',
    reason: outcome.reason,
    facts: { judgeUnreadable: `${strike.kind}: ${strike.why}` },
  };
}

/** Lays out what the judge may read: papers and the judged tree. */
export async function layDesk(world: World, record: LineRecord): Promise<string> {
  const { change } = record;
  if (change === undefined) throw new Error('there is no change to judge');
  const files = new Map<string, string>([
    [DESK.contract, `${contractInWords(record, true)}\n`],
    [DESK.diff, await world.repository.patch(record.base, change.commit)],
    [DESK.gates, `${gateEvidence(record.gates)}\n`],
    [DESK.findings, `${findingsText(record)}\n`],
    [DESK.rounds, earlierRounds(record)],
  ]);
  if (record.rebuttal.length > 0) files.set(DESK.rebuttal, renderRebuttal(record));
  const folder = world.folders.desk(record.taskId, files, [DESK.tree]);
  await world.repository.checkOut(
    change.commit,
    `${folder}/${DESK.tree}`,
    await pathsForJudge(world, record, change.commit),
  );
  return folder;
}

/** The judge sees what changed, what was given, and everything that was allowed to change (names that are UTF-8). */
async function pathsForJudge(world: World, record: LineRecord, commit: string): Promise<string[]> {
  const { constraints, specification } = record.contract;
  const sources = new Set(specification.sourceFiles.map(({ path }) => path));
  const changed = new Set((record.change?.files ?? []).map(({ path }) => path));
  const scope = { allowedPaths: [...constraints.allowedPaths, ...record.grants.paths], forbiddenPaths: [] };
  const files = await world.repository.files(commit);
  const known = JUDGED.get(files);
  if (known?.contract === record.contract && known.change === record.change && known.grants === record.grants)
    return known.paths;
  const { plain, meantBy } = treeIndex(files);
  const paths = [...new Set([...sources, ...changed, ...meantBy(scope.allowedPaths)])].filter(
    (path) =>
      plain.has(path) &&
      !path.includes('\ufffd') &&
      (sources.has(path) || changed.has(path) || (mayBeAllowed(path, scope) && inScope(path, scope) === 'allowed')),
  );
  const { contract, change, grants } = record;
  JUDGED.set(files, { contract, change, grants, paths });
  return paths;
}

/** What was worked out for the desk is the same for the quotes. */
const JUDGED = new WeakMap<object, Pick<LineRecord, 'contract' | 'change' | 'grants'> & { readonly paths: string[] }>();

function earlierRounds(record: LineRecord): string {
  if (record.rounds.length === 0) return 'This is the first round.\n';
  return `${record.rounds.map((round, index) => [`Round ${index + 1}: ${round.verdict}. ${round.summary}`, ...round.blocking.map((finding) => `- ${inOneLine(finding)}`)].join('\n')).join('\n\n')}\n`;
}

/** Looks quotes up in the judged tree: a quote counts only where that line really stands. */
export async function lineFinder(world: World, record: LineRecord): Promise<FindLine> {
  const commit = record.change?.commit ?? record.base;
  const files = await world.repository.files(commit);
  const changed = (record.change?.files ?? []).filter(({ status }) => status !== 'deleted').map(({ path }) => path);
  const contents = await world.repository.read(commit, [
    ...new Set([...changed, ...(await pathsForJudge(world, record, commit))]),
  ]);
  return (file, quote) => {
    const path = citedPath(file);
    const wanted = quote.trim();
    if (wanted === '') return undefined;
    const places = path === '' ? changed : treeIndex(files).byPath.has(path) ? [path] : [];
    for (const place of places) {
      const line = lines(contents.get(place)).findIndex(
        (text) => text.trim() === wanted || (wanted.length >= 12 && text.includes(wanted)),
      );
      if (line !== -1) return line + 1;
    }
    return undefined;
  };
}

const lines = (bytes: Uint8Array | undefined): readonly string[] =>
  new TextDecoder().decode(bytes ?? new Uint8Array()).split('\n');
