import { toTerminalLine } from '../../base/plain-text.ts';
import { fitToWidth } from '../../base/text-width.ts';
import {
  agentStats,
  type AgentStats,
  toReviewerFacts,
  formatReviewer,
  formatReviewerName,
  reviewerLedger,
} from '../../line/reviewer-ledger.ts';
import type { Cost } from '../../line/cost.ts';
import { formatCount, formatDuration } from '../../line/documents/task-report/words.ts';
import { toCostFacts } from './actions/print-cost.ts';
import type { Invocation } from './command.ts';
import { hasFlag } from './options.ts';
import { printJson, printLine, colourText } from './print.ts';
import { withJournal } from './tasks.ts';
import { getColumns } from './width.ts';

/**
 * `andon agents stats`: the calls, changes and costs of each agent and model in this repository; with `--reviewers` the
 * findings of each reviewer, and their outcome.
 */
export const stats = (invocation: Invocation): Promise<number> =>
  withJournal(invocation, (journal) => {
    const asJson = hasFlag(invocation.options, 'json');
    const tasks = (journal?.taskIds() ?? []).map((id) => journal?.entries(id) ?? []);
    const width = getColumns(invocation.env);
    const print = (head: string, ...lines: readonly string[]): void => {
      printLine(fitToWidth(colourText('bold', toTerminalLine(head, 100)), width));
      for (const line of lines) printLine(fitToWidth(`  ${line}`, width));
    };
    if (hasFlag(invocation.options, 'reviewers')) {
      const rows = reviewerLedger(tasks);
      if (asJson) printJson({ reviewers: rows.map(toReviewerFacts) });
      else if (rows.length === 0) printLine('No review yet.');
      else
        for (const row of rows)
          print(
            formatReviewerName(row),
            formatReviewer(toReviewerFacts(row)),
            `${formatCount(row.calls, 'call')}, ${formatCost(row.cost)}`,
          );
      return 0;
    }
    const rows = agentStats(tasks);
    if (asJson) printJson({ agents: rows.map(toFacts) });
    else if (rows.length === 0) printLine('No agent was called yet.');
    else
      for (const row of rows) print(`${row.station}  ${row.agent} ${row.model}`, formatWork(row), formatCost(row.cost));
    return 0;
  });

function formatWork({ station, tasks, calls, failedCalls, changes, gateRed, merged, firstPass }: AgentStats): string {
  return [
    formatCount(tasks, 'task'),
    formatCount(calls, 'call'),
    ...(failedCalls > 0 ? [`${failedCalls} of them failed`] : []),
    ...(station === 'implementer'
      ? [
          `${firstPass} of ${merged} merged at the first change`,
          `gates red in ${gateRed} of ${formatCount(changes, 'change')}`,
        ]
      : []),
  ].join(', ');
}

function formatCost({ unknown, usd, minutes, tokensIn, tokensOut }: Cost): string {
  const atLeast = unknown > 0 ? 'at least ' : '';
  return `${atLeast}$${usd.toFixed(4)}, ${formatDuration(minutes * 60_000)}, ${atLeast}${tokensIn} + ${tokensOut} tokens`;
}

const toFacts = (row: AgentStats): object => ({
  station: row.station,
  agent: row.agent,
  model: row.model,
  tasks: row.tasks,
  failed_calls: row.failedCalls,
  ...(row.station === 'implementer'
    ? { changes: row.changes, gate_red: row.gateRed, merged: row.merged, first_pass: row.firstPass }
    : {}),
  ...toCostFacts(row.cost),
  calls: row.calls,
});
