import { toTerminalLine } from '../../base/plain-text.ts';
import { fitToWidth } from '../../base/text-width.ts';
import {
  agentStats,
  type AgentStats,
  type ReviewerRow,
  toReviewerFacts,
  formatReviewer,
  formatReviewerName,
  reviewerLedger,
} from '../../line/reports/reviewer-ledger.ts';
import { formatCount } from '../../base/format-count.ts';
import { formatBothTokens, formatDuration } from '../../line/reports/task-report/format-figures.ts';
import { toCostFacts } from '../../line/core/cost.ts';
import type { Invocation } from './command.ts';
import { hasFlag } from './options.ts';
import { printJson, printLine, colourText } from './print.ts';
import { getColumns } from './width.ts';
import { withJournal } from './tasks.ts';

/** `andon agents stats`: the calls, changes and costs of each agent and model in this repository. */
export function stats(invocation: Invocation): Promise<number> {
  if (hasFlag(invocation.options, 'reviewers')) return reviewerStats(invocation);
  return withJournal(invocation, (journal) => {
    const tasks = (journal?.taskIds() ?? []).map((id) => journal?.entries(id) ?? []);
    const ledger = reviewerLedger(tasks);
    const rows = agentStats(tasks).map((row) => ({ ...row, findings: countFindings(row, ledger) }));
    if (hasFlag(invocation.options, 'json')) printJson({ agents: rows.map(toFacts) });
    else if (rows.length === 0) printLine('No agent was called yet.');
    else {
      const width = getColumns(invocation.env);
      for (const row of rows) {
        const name = toTerminalLine(`${row.agent} ${row.model}`.trim(), 60);
        printLine(fitToWidth(`${colourText('bold', row.station)}  ${name}`, width));
        for (const words of [workOf(row), costOf(row)]) printLine(fitToWidth(`  ${words.join(', ')}`, width));
      }
      if (rows.some(({ cost }) => cost.unknown > 0)) printLine('+ means: some calls did not report all they used.');
    }
    return 0;
  });
}

/** `andon agents stats --reviewers`: the findings of each reviewer, and their outcome. */
function reviewerStats(invocation: Invocation): Promise<number> {
  return withJournal(invocation, (journal) => {
    const rows = reviewerLedger((journal?.taskIds() ?? []).map((id) => journal?.entries(id) ?? []));
    if (hasFlag(invocation.options, 'json')) printJson({ reviewers: rows.map(toReviewerFacts) });
    else if (rows.length === 0) printLine('No review yet.');
    else {
      const width = getColumns(invocation.env);
      for (const row of rows) {
        printLine(fitToWidth(colourText('bold', toTerminalLine(formatReviewerName(row), 100)), width));
        printLine(fitToWidth(`  ${formatReviewer(toReviewerFacts(row))}`, width));
        printLine(fitToWidth(`  ${[formatCount(row.calls, 'call'), ...costOf(row)].join(', ')}`, width));
      }
    }
    return 0;
  });
}

type FindingCounts = NonNullable<ReturnType<typeof countFindings>>;

/** The findings of an agent with a model, on every seat of a panel; undefined where it reviewed nothing. */
function countFindings(agent: AgentStats, ledger: readonly ReviewerRow[]) {
  const rows = ledger.filter(
    (row) => row.station === agent.station && row.agent === agent.agent && row.model === agent.model,
  );
  const sum = (of: (row: ReviewerRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return rows.length === 0
    ? undefined
    : { findings: sum((row) => row.findings), held: sum((row) => row.confirmed), refuted: sum((row) => row.refuted) };
}

type StatsRow = AgentStats & { readonly findings: FindingCounts | undefined };

function workOf(row: StatsRow): readonly string[] {
  const { tasks, calls, failedCalls, changes, gateRed, merged, firstPass, findings } = row;
  return [
    formatCount(tasks, 'task'),
    formatCount(calls, 'call'),
    ...(failedCalls > 0 ? [`${failedCalls} of them failed`] : []),
    ...(row.station === 'implementer'
      ? [
          `${firstPass} of ${merged} merged at the first change`,
          `gates red in ${gateRed} of ${formatCount(changes, 'change')}`,
        ]
      : []),
    ...(findings === undefined
      ? []
      : [`${formatCount(findings.findings, 'finding')}: ${findings.held} held, ${findings.refuted} refuted`]),
  ];
}

const costOf = ({ cost }: Pick<AgentStats, 'cost'>): readonly string[] => {
  const atLeast = cost.unknown > 0 ? '+' : '';
  return [
    `$${cost.usd.toFixed(4)}${atLeast}`,
    formatDuration(cost.minutes * 60_000),
    formatBothTokens(cost.tokensIn, cost.tokensOut, cost.unknownTokens),
  ];
};

const toFacts = (row: StatsRow): object => ({
  station: row.station,
  agent: row.agent,
  model: row.model,
  tasks: row.tasks,
  failed_calls: row.failedCalls,
  ...(row.station === 'implementer'
    ? { changes: row.changes, gate_red: row.gateRed, merged: row.merged, first_pass: row.firstPass }
    : {}),
  ...(row.findings === undefined
    ? {}
    : {
        findings: row.findings.findings,
        findings_held: row.findings.held,
        findings_refuted: row.findings.refuted,
      }),
  ...toCostFacts(row.cost),
  calls: row.calls,
});
