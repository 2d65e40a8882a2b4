import { addedLineNumbers } from '../../base/read-diff.ts';
import { FILES } from '../../base/names.ts';
import { toSafeJson } from '../../base/plain-text.ts';
import { judgeReportDocument, renderJudgeReport } from '../reports/reports.ts';
import { toProjectPath } from '../stations/evidence.ts';
import { applyTies } from '../stations/judge.ts';
import { formatFinding } from '../../rules/model/finding.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { type JudgeReport, getLocalReview } from '../record/review.ts';
import { classifyFinding } from '../../rules/reviews/substance.ts';
import { maskReport } from '../core/mask-facts.ts';
import type { Needs } from '../services/services.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { WhatRulesSay } from './rule-on-task.ts';

/**
 * Writes a proven report for people and for programs, and ends the review with it. `written` is the text of an external
 * judge, whose file stays unchanged.
 */
export async function fileReport(
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

/** The judge's own words, which the rules apply to. */
export const reportInWords = ({ summary, blocking, fixes, securityFlags, answers = [] }: JudgeReport): string =>
  [summary, ...blocking.map(formatFinding), ...fixes, ...securityFlags, ...answers.map(({ why }) => why)].join('\n');
