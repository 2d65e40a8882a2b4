import type { Facts } from '../../record/facts.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { forJson } from '../../base/plain-text.ts';
import type { JudgeReport } from '../../record/review.ts';
import { judgeReport } from '../../record/reviews.ts';
import { judgeReportDocument, renderJudgeReport } from '../../line/documents/reports.ts';
import { Problem } from '../../base/problem.ts';
import { Stopped } from '../../wiring/step-log.ts';
import type { StepOutcome } from '../../wiring/step-log.ts';
import type { Services } from '../../wiring/services.ts';

/** The judge's report as it lies in `_handoff/`, when somebody changed it after andon had read or written it. */
interface EditedReport {
  readonly name: string;
  readonly text: string;
  readonly ours: string;
}

/**
 * Finds a judge's report that is not what andon read. Other line ends are no edit, a touched or missing file is none;
 * `JUDGE_REPORT.md` counts where andon itself wrote it, because a judge outside may still be writing his.
 */
function editedReport(services: Pick<Services, 'digest' | 'handoff'>, record: LineRecord): EditedReport | undefined {
  const report = sealedReport(record);
  if (report === undefined) return undefined;
  for (const { name, digest, ours } of sealsOf(record, report)) {
    const read = services.handoff.read(name);
    if (digest === undefined || (read.ok && read.value === undefined)) continue;
    const text = read.ok ? (read.value ?? '') : `(it ${read.why})`;
    if (read.ok && isSame(services, text, digest, ours)) continue;
    return { name, text, ours };
  }
  return undefined;
}

/** An editor may save in pieces: an edit counts when it has stayed as it is for so long. */
const SETTLE_MS = 1000;

/** Finds an edited report from look to look, once the edit has settled. */
export class ReportSeal {
  private seen: EditedReport | undefined;
  private since = 0;

  look(services: Services, record: LineRecord): EditedReport | undefined {
    const now = editedReport(services, record);
    if (now?.name !== this.seen?.name || now?.text !== this.seen?.text) this.since = performance.now();
    this.seen = now;
    return performance.now() - this.since >= SETTLE_MS ? now : undefined;
  }

  /** Waits, while a report looks edited, until that is so or not. */
  async settled(services: Services, record: LineRecord, signal: AbortSignal): Promise<EditedReport | undefined> {
    for (;;) {
      const edited = this.look(services, record);
      if (edited !== undefined || this.seen === undefined) return edited;
      await services.bell.next(signal);
      if (signal.aborted) throw new Stopped();
    }
  }
}

/** The outcome of a step that found a report edited: the line stops with both versions. */
export function tamperedReport(
  services: Pick<Services, 'digest'>,
  { name, text, ours }: EditedReport,
): StepOutcome & { facts: Facts } {
  const tampered = { found: services.digest(text), expected: services.digest(ours), edited: text, file: name, ours };
  return { event: 'tampered', reason: `${HANDOFF}/${name} was changed on disk`, facts: { tampered } };
}

/** Refuses a choice that would rest on a report somebody has edited since the line halted. */
export function refuseEditedReports(services: Pick<Services, 'digest' | 'handoff'>, record: LineRecord): void {
  if (record.lastFacts.tampered?.file !== undefined) return; // that is what the halt is about
  const edited = editedReport(services, record);
  if (edited === undefined) return;
  throw new Problem(
    'outdated-choice',
    `${services.handoff.shown(edited.name)} is not the report any more that the line halted with`,
    'move that file away (andon writes its own again), then choose again',
  );
}

/** Writes the reports as andon knows them, where they are missing or a human had them restored. */
export function restoreReports(
  services: Pick<Services, 'digest' | 'handoff'>,
  record: LineRecord,
  { edited }: { readonly edited: boolean },
): void {
  const report = sealedReport(record);
  if (report === undefined) return;
  for (const { name, digest, ours } of sealsOf(record, report)) {
    const read = services.handoff.read(name);
    const isThere = !read.ok || read.value !== undefined;
    if (digest === undefined || (isThere && !edited)) continue;
    if (read.ok && read.value !== undefined && isSame(services, read.value, digest, ours)) continue;
    services.handoff.write(name, ours);
  }
}

/** A report is sealed from its reading until what it led to is done. */
function sealedReport(record: LineRecord): JudgeReport | undefined {
  const { status, halt, lastFacts } = record;
  const isOpen = status === 'review_complete' || halt?.statusBefore === 'review_complete';
  return isOpen || (halt !== undefined && lastFacts.report !== undefined) ? judgeReport(record) : undefined;
}

const sealsOf = (record: LineRecord, report: JudgeReport) => [
  {
    name: FILES.judgeReportJson,
    digest: report.digest,
    ours: `${forJson(judgeReportDocument(record, report))}\n`,
  },
  { name: FILES.judgeReport, digest: report.page, ours: renderJudgeReport(record, report) },
];

function isSame(services: Pick<Services, 'digest'>, text: string, digest: string, ours: string): boolean {
  const unix = text.replaceAll('\r\n', '\n');
  return (
    unix === ours || [text, unix, unix.replaceAll('\n', '\r\n')].some((version) => services.digest(version) === digest)
  );
}
