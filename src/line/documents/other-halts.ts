import { toMarkdownLine } from '../../base/plain-text.ts';
import type { Halt } from '../../record/trip.ts';
import { resumeEither } from '../resume-command.ts';

/** Another halted task. */
interface OtherHalt {
  readonly taskId: string;
  readonly halt: Halt;
  /** Its report, from the root of the project. */
  readonly file: string;
}

/** A halt report with a list of the other halts; each names its own report and the command that answers it. */
export function withOthers(report: string, others: readonly OtherHalt[]): string {
  if (others.length === 0) return report;
  const rows = others.map(
    ({ taskId, halt, file }) =>
      `- **${taskId}**, ${halt.trip.breaker}: ${toMarkdownLine(halt.trip.reason, 300)}\n  Read \`${file}\`, then run \`${resumeEither(taskId, halt.id)}\``,
  );
  const heading = others.length === 1 ? 'One more halt' : `${others.length} more halts`;
  return `${report}\n## ${heading}\n\n${rows.join('\n')}\n`;
}
