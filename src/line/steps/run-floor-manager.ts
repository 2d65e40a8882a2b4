import type { TaskRecord } from '../record/task-record.ts';
import { formatFindingNumber, formatRebuttalPoint, type JudgeReport, type RebuttalPoint } from '../record/review.ts';
import { listDoubts } from '../../rules/model/ruling.ts';
import { decideOnChange, type FloorDecision } from '../core/decide-on-change.ts';
import { lookUpAgainst, toProjectPath, type WeighQuote } from '../stations/weigh-quotes.ts';
import { merge } from './merge.ts';
import { isDecidedOutside, findOutsideWait } from '../core/find-outside-wait.ts';
import { joinReason } from '../words/view-activity.ts';
import { UNMEASURED, withoutWaiting } from '../../rules/model/weakening.ts';
import { takeSecondLook } from '../gates/take-second-look.ts';
import { checkBase } from '../gates/run-gates.ts';
import { objectToWeakening } from '../gates/measure-gates.ts';
import { Stopped } from '../journal/stopped.ts';
import type { StepJournal, StepOutcome } from '../journal/step-journal.ts';
import { indexTree } from '../git/tree-index.ts';
import { askDoubts } from './ask-on-the-line.ts';
import { ruleOnWords } from './rule-on-task.ts';
import type { CallServices, GateServices, Needs } from '../services/services.ts';
import { FLOOR_MANAGER, HUMAN, POLICY } from '../../base/names.ts';
import { getBudget } from '../record/get-budget.ts';
import { renderFindings } from '../reports/reports.ts';
import type { Brief } from '../../agents/agent.ts';
import { readOnlyObject, type SpokenAnswer } from '../../agents/json-objects.ts';
import { fenceText, fenceRule } from '../../agents/fence-text.ts';
import { jsonSchemaForModel } from '../../base/json-schema-for-model.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { formatFinding } from '../../rules/model/finding.ts';
import { floorAnswerSchema, spokenFloorSchema } from '../record/agent-answers.ts';
import { describeContract } from '../stations/describe-contract.ts';
import { callAgent } from '../calls/call-agent.ts';
import { resolveDriver, type Worker } from '../../agents/calls/resolve-driver.ts';
import { loadQuotes } from './review-workspace.ts';

export async function runFloorManager(
  services: CallServices & GateServices & Needs<'audit' | 'configuration' | 'nonce' | 'project'>,
  log: StepJournal,
  signal: AbortSignal,
): Promise<StepOutcome> {
  const { record } = log;
  const decision = isDecidedOutside(record)
    ? await awaitHumanDecision(services, log, signal)
    : await askFloorManager(services, log, decideOnChange(record, await treeLookup(services, record)), signal);
  switch (decision.do) {
    case 'merge':
      return (await explainNotMerged(services, record, signal)) ?? merge(services, log, signal);
    case 'rebut':
      return {
        event: 'fail_disagree',
        reason: `rebuttal: ${decision.points.slice(0, 1).map(formatRebuttalPoint).join('')}`,
        facts: { rebuttal: [...decision.points] },
      };
    case 'fix': {
      const text = decision.fixes.map((fix) => `- ${fix}`).join('\n');
      const { objection, rulings } = await askDoubts(services, log, signal, (ask) =>
        ruleOnWords(services, record, 'fixes', text, ask),
      );
      const doubts = rulings.map((ruling) => ({ ...ruling, found: [...listDoubts(ruling)] }));
      return (
        objection ?? {
          event: 'fail_agree',
          reason: decision.reason,
          facts: {
            feedback: [{ from: 'judge', text }],
            ...(doubts.some(({ found }) => found.length > 0) ? { rulings: doubts } : {}),
          },
        }
      );
    }
  }
}

/** What the judge tied to no requirement, and what slow gates say when they are asked a second time. */
async function explainNotMerged(
  services: GateServices & Needs<'journal'>,
  record: TaskRecord,
  signal: AbortSignal,
): Promise<StepOutcome | undefined> {
  const { weakeningReport: report = UNMEASURED, change, gates } = record;
  const untied = objectToWeakening(withoutWaiting(report), {});
  const isAsked = typeof report.secondLook !== 'object' || report.secondLook.later.length === 0;
  if (untied !== undefined || isAsked || change === undefined || gates === undefined) return untied;
  const base = await checkBase(services, record, signal);
  if (!base.ok) return base.why;
  const request = { record, change, report, base: base.value, run: gates };
  const again = await takeSecondLook(services, request, 'before the merge', signal);
  return objectToWeakening(withoutWaiting(again.report), {});
}

async function treeLookup(
  services: Needs<'repository'>,
  record: TaskRecord,
): Promise<(file: string, line: number | undefined) => boolean> {
  const commit = record.change?.commit ?? record.base;
  const { byPath: known } = indexTree(await services.repository.files(commit));
  const cited = (record.report?.blocking ?? [])
    .flatMap(({ file }) => (file === undefined ? [] : [toProjectPath(file)]))
    .filter((file) => known.has(file));
  const contents = await services.repository.read(commit, [...new Set(cited)]);
  return (file, line) => {
    const path = toProjectPath(file);
    if (!known.has(path)) return false;
    if (line === undefined) return true;
    const text = new TextDecoder().decode(contents.get(path) ?? new Uint8Array());
    return line <= text.split('\n').length;
  };
}

/**
 * Asks an agent whether the judge is right, where code leaves a choice: of a report that is no PASS and that code does not
 * already contradict. Asked is whom contract or configuration name, else `gemini` where its program is there. What it says
 * is journaled with its reason; where it fails, or says what it may not, `policy` decides. It never merges, and never lifts
 * a breaker.
 */
async function askFloorManager(
  services: CallServices & Needs<'nonce' | 'repository'>,
  log: StepJournal,
  policy: FloorDecision,
  signal: AbortSignal,
): Promise<FloorDecision> {
  const { record } = log;
  const named = floorManagerOf(services, record);
  const report = record.report;
  if (named === undefined || policy.do !== 'fix' || report === undefined || record.sided !== undefined) return policy;
  if (report.verdict !== 'FAIL' && report.verdict !== 'CONDITIONAL') return policy;
  const remark = (text: string): void => log.note({ kind: 'remark', at: services.clock.now(), text });
  const { name, isUsual } = named;
  const worker = resolveDriver(services, name);
  if (isUsual && (worker === undefined || !(await isReady(worker, record)))) return policy;
  if (worker === undefined || !worker.agent.worksAt.includes('local-reviewer')) {
    remark(`floor manager: ${name} names no program that answers by a schema; andon's own policy decides`);
    return policy;
  }
  const brief = briefFloorManager(record, {
    report,
    diff: await services.repository.patch(record.base, report.commit),
    findings: renderFindings(record),
    nonce: services.nonce(),
  });
  const transcript = await callAgent(services, log, {
    station: 'floor-manager',
    worker,
    brief,
    folder: services.folders.empty(record.taskId),
    mayBeMissed: true,
    signal,
  });
  if (!transcript.ok) {
    const { why } = transcript;
    remark(
      `floor manager: ${name} gave no answer (${why.by === 'agent' ? why.failure.detail : why.reason}); andon's own policy decides`,
    );
    return policy;
  }
  const quotes = await loadQuotes(services, record, transcript.value, 'acceptance gates');
  const answer = readFloorAnswer(transcript.value, report, quotes);
  if (!answer.ok) {
    remark(`floor manager: what ${name} says does not count: ${answer.why}; andon's own policy decides`);
    return policy;
  }
  remark(`floor manager: ${name} says ${answer.value.do}: ${answer.value.reason}`);
  return answer.value.do === 'rebut'
    ? { do: 'rebut', points: answer.value.points }
    : { ...policy, reason: `${policy.reason}; the floor manager agrees: ${answer.value.reason}` };
}

/** Who is asked in the floor manager's place, and whether it is only the usual one: contract, else configuration, else that. */
function floorManagerOf({ settings }: Needs<'settings'>, { contract }: TaskRecord) {
  const named = contract.roles.floorManager ?? settings.roles.floorManager;
  if (named === HUMAN || named === POLICY) return undefined;
  return { name: named ?? FLOOR_MANAGER, isUsual: named === undefined };
}

/**
 * The default floor manager was not configured, so it is asked only where that costs no more than its call: its program is installed with
 * a login, and, where it tells no price, no budget in dollars would count its call as all that is left.
 */
async function isReady({ agent }: Worker, record: TaskRecord): Promise<boolean> {
  if (agent.capabilities.billing === 'unpriced' && getBudget(record).usd !== undefined) return false;
  return (await agent.probe('')).ok;
}

/** Waits for a person's decision, which the line reads. Its file stays until the next review, so that a crash loses nothing. */
async function awaitHumanDecision(
  services: Needs<'bell' | 'say' | 'settings'>,
  { record, readDecision }: StepJournal,
  signal: AbortSignal,
): Promise<FloorDecision> {
  const waits = findOutsideWait(record, services.settings);
  if (waits !== undefined)
    services.say({ kind: 'word', level: 'info', text: `${record.taskId}: ${joinReason(waits)}` });
  for (;;) {
    const decision = readDecision(record);
    if (decision !== undefined) return decision;
    await services.bell.next(signal);
    if (signal.aborted) throw new Stopped();
  }
}

type FloorAnswer =
  | { readonly do: 'fix'; readonly reason: string }
  | { readonly do: 'rebut'; readonly reason: string; readonly points: readonly RebuttalPoint[] };

/** Asks the floor manager's agent whether the judge is right. A PASS is merged by code without this question. */
function briefFloorManager(
  record: TaskRecord,
  {
    report,
    diff,
    findings,
    nonce,
  }: { readonly report: JudgeReport; readonly diff: string; readonly findings: string; readonly nonce: string },
): Brief {
  const prompt = [
    'You are the floor manager: the judge did not pass this change. Say whether it goes back for a fix, or whether the judge is wrong.',
    fenceRule(nonce),
    fenceText('contract', describeContract(record, true), nonce),
    fenceText('diff', diff, nonce),
    fenceText('local review', findings, nonce),
    fenceText("the judge's blocking findings", numberFindings(report).join('\n'), nonce),
    'fix: the judge is right in at least one point. rebut: every one of his findings is contradicted by what stands in the change; then answer each by its number with `why` and a citation: `file`, `line` and in `quote` the words that stand there, exactly. A point that cites nothing, or only a comment, does not count, and then the change goes back for a fix.',
    'Answer with one JSON object: {"decision": "fix" or "rebut", "reason", "rebuttals": [{"finding": "B1", "why", "file", "line", "quote"}]}. No other text.',
  ];
  return { prompt: prompt.join('\n\n'), schema: jsonSchemaForModel(floorAnswerSchema()) };
}

const numberFindings = ({ blocking }: JudgeReport): readonly string[] =>
  blocking.map((finding, at) => `${formatFindingNumber(at)} ${formatFinding(finding)}`);

/** Parses the answer; an answer that code rejects, or without citation, falls back to andon's own policy. */
function readFloorAnswer(answer: SpokenAnswer, report: JudgeReport, weigh: WeighQuote): Outcome<FloorAnswer, string> {
  const read = readOnlyObject(answer, 'decision', (value) => spokenFloorSchema().safeParse(value));
  if (!read.ok) return read;
  const { decision, reason, rebuttals } = read.value;
  const why = (reason ?? '').replace(/\s+/g, ' ').trim().slice(0, 500);
  if (decision === 'fix') return why === '' ? failure('it gives no reason') : success({ do: 'fix', reason: why });
  if (decision !== 'rebut') return failure(`"${decision.slice(0, 20)}" is not for it to decide; fix and rebut are`);
  if (report.blocking.length === 0) return failure('there is no finding that could be rebutted');
  const points: RebuttalPoint[] = [];
  for (const finding of report.blocking.map((_, at) => formatFindingNumber(at))) {
    const point = rebuttals?.find((one) => one.finding?.trim().toUpperCase() === finding);
    if (point === undefined) return failure(`it does not answer ${finding}`);
    const cited = lookUpAgainst(point, weigh);
    if (!cited.ok) return failure(`its answer to ${finding} does not count: ${cited.why}`);
    const text = (point.why ?? '').replace(/\s+/g, ' ').trim().slice(0, 500);
    points.push({ finding, why: text, cites: cited.value });
  }
  return success({ do: 'rebut', reason: why, points });
}
