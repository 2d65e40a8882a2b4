import { changedLines } from '../../base/changed-lines.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { JudgeReport } from '../../record/review.ts';
import { localReview } from '../../record/reviews.ts';
import { weigh } from '../../rules/reviews/substance.ts';
import { citedPath } from '../../line/stations/desk.ts';
import type { Services } from '../../wiring/services.ts';

/** Weighs the blocking findings of a report once, as evidence: what they are about, and whether their lines are new. */
export async function weighReport(
  services: Pick<Services, 'repository'>,
  record: LineRecord,
  report: JudgeReport,
): Promise<JudgeReport> {
  if (report.blocking.length === 0) return report;
  const before = record.rounds.at(-1)?.commit;
  const isNew =
    before === undefined || before === report.commit
      ? undefined
      : changedLines(await services.repository.patch(before, report.commit));
  const around = {
    others: localReview(record)?.findings ?? [],
    forbiddenPaths: record.contract.constraints.forbiddenPaths,
  };
  const blocking = report.blocking.map((finding) => {
    const { file, line } = finding;
    const weight = weigh(finding, around);
    if (isNew === undefined || file === undefined || line === undefined) return { ...finding, weight };
    const blamed = (record.rounds.at(-1)?.blocking ?? []).some((old) => old.file === file && isNear(old.line, line));
    return { ...finding, weight, unchanged: !blamed && isNew.get(citedPath(file))?.has(line) !== true };
  });
  return { ...report, blocking };
}

/** Lines shift a little between rounds. */
const isNear = (one: number | undefined, other: number): boolean => one === undefined || Math.abs(one - other) <= 5;
