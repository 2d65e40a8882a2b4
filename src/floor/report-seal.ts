import type { Facts } from '../formats/journal-entry.ts';
import type { LineRecord } from '../formats/line-record.ts';
import { FILES, HANDOFF } from '../formats/names.ts';
import { forJson } from '../formats/plain-text.ts';
import type { JudgeReport } from '../formats/review.ts';
import { judgeReportDocument, renderJudgeReport } from '../line/papers/reports.ts';
import { Problem } from '../problems/problem.ts';
import { Stopped } from './step-log.ts';
import type { StepOutcome } from './step-log.ts';
import type { World } from './world.ts';

/** The judge's report as it lies in `_handoff/`, when somebody changed it after andon had read or written it. */
export interface EditedReport {
  readonly name: string;
  readonly text: string;
  readonly ours: string;
}

/**
 * Finds a judge's report that is not what andon read. Other line ends are no edit, a touched or missing file is none;
 * `JUDGE_REPORT.md` counts where andon itself wrote it, because a judge outside may still be writing his.
 */
function editedReport(world: World, record: LineRecord): EditedReport | undefined {
  const report = sealedReport(record);
  if (report === undefined) return undefined;
  for (const { name, digest, ours } of sealsOf(record, report)) {
    const read = world.handoff.read(name);
    if (digest === undefined || (read.ok && read.value === undefined)) continue;
    const text = read.ok ? (read.value ?? '') : `(it ${read.why})`;
    if (read.ok && isSame(world, text, digest, ours)) continue;
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

  look(world: World, record: LineRecord): EditedReport | undefined {
    const now = editedReport(world, record);
    if (now?.name !== this.seen?.name || now?.text !== this.seen?.text) this.since = performance.now();
    this.seen = now;
    return performance.now() - this.since >= SETTLE_MS ? now : undefined;
  }

  /** Waits, while a report looks edited, until that is so or not. */
  async settled(world: World, record: LineRecord, signal: AbortSignal): Promise<EditedReport | undefined> {
    for (;;) {
      const edited = this.look(world, record);
      if (edited !== undefined || this.seen === undefined) return edited;
      await world.bell.next(signal);
      if (signal.aborted) throw new Stopped();
    }
  }
}

/** The outcome of a step that found a report edited: the line stops with both versions. */
export function tamperedReport(world: World, { name, text, ours }: EditedReport): StepOutcome & { facts: Facts } {
  const tampered = { found: world.digest(text), expected: world.digest(ours), edited: text, file: name, ours };
  return { event: 'tampered', reason: `${HANDOFF}/${name} was changed on disk`, facts: { tampered } };
}

/** Refuses a choice that would rest on a report somebody has edited since the line halted. */
export function refuseEditedReports(world: World, record: LineRecord): void {
  if (record.lastFacts.tampered?.file !== undefined) return; // that is what the halt is about
  const edited = editedReport(world, record);
  if (edited === undefined) return;
  throw new Problem(
    'outdated-choice',
    `${HANDOFF}/${edited.name} is not the report any more that the line halted with`,
    'move that file away (andon writes its own again), then choose again',
  );
}

/** Writes the reports as andon knows them, where they are missing or a human had them restored. */
export function restoreReports(world: World, record: LineRecord, { edited }: { readonly edited: boolean }): void {
  const report = sealedReport(record);
  if (report === undefined) return;
  for (const { name, digest, ours } of sealsOf(record, report)) {
    const read = world.handoff.read(name);
    const isThere = !read.ok || read.value !== undefined;
    if (digest === undefined || (isThere && !edited)) continue;
    if (read.ok && read.value !== undefined && isSame(world, read.value, digest, ours)) continue;
    world.handoff.write(name, ours);
  }
}

/** A report is sealed from its reading until what it led to is done. */
function sealedReport({ status, halt, lastFacts, report }: LineRecord): JudgeReport | undefined {
  const isOpen = status === 'review_complete' || halt?.statusBefore === 'review_complete';
  return isOpen || (halt !== undefined && lastFacts.report !== undefined) ? report : undefined;
}

const sealsOf = (record: LineRecord, report: JudgeReport) => [
  {
    name: FILES.judgeReportJson,
    digest: report.digest,
    ours: `${forJson(judgeReportDocument(record, report))}\n`,
  },
  { name: FILES.judgeReport, digest: report.page, ours: renderJudgeReport(record, report) },
];

function isSame(world: World, text: string, digest: string, ours: string): boolean {
  const unix = text.replaceAll('\r\n', '\n');
  return (
    unix === ours || [text, unix, unix.replaceAll('\n', '\r\n')].some((version) => world.digest(version) === digest)
  );
}
