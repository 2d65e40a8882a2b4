import { jsonSchemaForModel } from '../../base/json-schema-for-model.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { formatFinding } from '../../rules/model/finding.ts';
import { floorAnswerSchema, spokenFloorSchema } from '../record/agent-answers.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { formatFindingNumber, type RebuttalPoint, type JudgeReport } from '../record/review.ts';
import { describeContract } from '../stations/describe-contract.ts';
import type { Brief } from '../../agents/agent.ts';
import { type WeighQuote, lookUpAgainst } from '../stations/weigh-quotes.ts';
import { fenceText, fenceRule } from '../../agents/fence-text.ts';
import { readOnlyObject, type SpokenAnswer } from '../../agents/json-objects.ts';

type FloorAnswer =
  | { readonly do: 'fix'; readonly reason: string }
  | { readonly do: 'rebut'; readonly reason: string; readonly points: readonly RebuttalPoint[] };

/** Asks the floor manager's agent whether the judge is right. A PASS is merged by code without this question. */
export function briefFloorManager(
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
export function readFloorAnswer(
  answer: SpokenAnswer,
  report: JudgeReport,
  weigh: WeighQuote,
): Outcome<FloorAnswer, string> {
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
