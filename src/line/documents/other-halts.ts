import { inMarkdownLine } from '../../base/plain-text.ts';
import type { Halt } from '../../record/trip.ts';
import { resumeEither } from '../resume-command.ts';

/** One more halt that stands, and where its papers lie. */
interface OtherHalt {
  readonly taskId: string;
  readonly halt: Halt;
  /** The report, as people know it: from the root of the project. */
  readonly file: string;
}

/** A halt report with the list of the others that stand; each names its own report and the command that answers it. */
export function withOthers(report: string, others: readonly OtherHalt[]): string {
  if (others.length === 0) return report;
  const rows = others.map(
    ({ taskId, halt, file }) =>
      `- **${taskId}**, ${halt.trip.breaker}: ${inMarkdownLine(halt.trip.reason, 300)}\n  Read \`${file}\`, then: \`${resumeEither(taskId, halt.id)}\``,
  );
  const heading = others.length === 1 ? 'One more halt stands' : `${others.length} more halts stand`;
  return `${report}\n## ${heading}\n\n${rows.join('\n')}\n`;
}

/** Whether a page is that report with a list of andon's below it, or none: nobody has written in it. */
export const isUntouchedPage = (page: string, report: string): boolean =>
  page.startsWith(report) && LIST.test(page.slice(report.length));

const LIST = /^(?:\n## (?:One more halt stands|\d+ more halts stand)\n\n(?:- \*\*.+\n {2}Read `.+\n)+)?$/;
