import { readJson } from '../../base/json.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import type { Needs } from '../../wiring/services.ts';

/** A judge that still holds its claim may still be writing. */
const SETTLE_MS = 2000;

/**
 * The reports of a judge who wrote them into the root of the project, as the blueprint's prompt allows. They are moved
 * into `_handoff/`, so that the checkout is not littered; but only what was written after the request was taken, and
 * what git does not know: a file of the project that happens to have that name is left alone.
 */
export class RootReport {
  private readonly services: Needs<'handoff' | 'repository' | 'say'>;
  private readonly record: LineRecord;
  private claimedAt: number | undefined;
  private said = '';

  constructor(services: Needs<'handoff' | 'repository' | 'say'>, record: LineRecord) {
    this.services = services;
    this.record = record;
  }

  /** Takes in what counts; a reason when it contradicts the report in `_handoff/`. */
  async takeIn(): Promise<string | undefined> {
    const { handoff } = this.services;
    this.claimedAt ??= handoff.namedAt(FILES.reviewInProgress);
    if (handoff.exists(FILES.reviewRequest)) return undefined; // it was not taken, so nothing answers it
    const report = handoff.beside(FILES.judgeReportJson);
    if (report === undefined || !this.isNew(report.writtenAt)) return undefined;
    const isOver = !handoff.exists(FILES.reviewInProgress);
    if (!isOver && Date.now() - report.writtenAt < SETTLE_MS) return undefined;
    if (!report.text.ok) return this.leave(`${report.text.why}, so it is no report`);
    if (!isOver && !readJson(report.text.value).ok) return undefined;
    if (await this.services.repository.isTracked(FILES.judgeReportJson))
      return this.leave('belongs to the project (git tracks it), so it is no report');
    const within = handoff.read(FILES.judgeReportJson);
    if (within.ok && within.value === report.text.value) handoff.removeBeside(FILES.judgeReportJson, report.text.value);
    else if (!handoff.takeIn(FILES.judgeReportJson, report.text.value)) return this.contradiction(report.text.value);
    await this.takePage();
    return undefined;
  }

  /** The page for people goes with the report. */
  private async takePage(): Promise<void> {
    const { handoff, repository } = this.services;
    const page = handoff.beside(FILES.judgeReport);
    if (page?.text.ok !== true || !this.isNew(page.writtenAt) || (await repository.isTracked(FILES.judgeReport)))
      return;
    handoff.takeIn(FILES.judgeReport, page.text.value);
  }

  /** Written after the claim, or after the request if the claim was not seen. */
  private isNew(writtenAt: number): boolean {
    const { history, updatedAt } = this.record;
    const asked = history.findLast(({ to }) => to === 'pending_judge_review')?.at ?? updatedAt;
    return writtenAt >= (this.claimedAt ?? Date.parse(asked));
  }

  /** Two reports that say different things in one turn: neither is believed; both are kept. */
  private contradiction(text: string): string {
    const { handoff } = this.services;
    const { taskId, history } = this.record;
    const kept = `${FILES.archive}/${taskId}/${history.length}`;
    handoff.write(`${kept}.root.${FILES.judgeReportJson}`, text);
    handoff.removeBeside(FILES.judgeReportJson, text);
    handoff.rename(FILES.judgeReportJson, `${kept}.refused.${FILES.judgeReportJson}`);
    handoff.remove(FILES.reviewInProgress);
    return `${FILES.judgeReportJson} in the root and in ${HANDOFF}/ say different things, so neither counts; both are kept in ${HANDOFF}/${FILES.archive}/${taskId}`;
  }

  private leave(why: string): undefined {
    if (this.said !== why)
      this.services.say({
        kind: 'word',
        level: 'warn',
        text: `${this.record.taskId}: ${FILES.judgeReportJson} in the root of the project ${why}`,
      });
    this.said = why;
  }
}
