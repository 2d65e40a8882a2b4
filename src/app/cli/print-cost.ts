import { toTerminalLine } from '../../base/plain-text.ts';
import { computeCost, sum, toCostFacts, type Cost } from '../../line/core/cost.ts';
import { formatCount } from '../../base/format-count.ts';
import { formatBothTokens, formatDuration } from '../../line/reports/task-report/format-figures.ts';
import { hasFlag, readMomentOption } from './options.ts';
import { printJson, printLine, colourText } from './print.ts';
import { getColumns } from './width.ts';
import { findRecord, withJournal } from './tasks.ts';
import { fitToWidth } from '../../base/text-width.ts';
import type { Invocation } from './command.ts';

/** `andon show --cost`: what tasks have used, in dollars, tokens and agents' time. */
export function printCost(invocation: Invocation): Promise<number> {
  const [task] = invocation.args;
  const since = readMomentOption(invocation.options, 'since') ?? '';
  return withJournal(invocation, async (journal, place) => {
    if (typeof task === 'string') await findRecord(place, journal, task);
    const ids = typeof task === 'string' ? [task] : (journal?.taskIds() ?? []);
    const tasks = ids
      .map((id) => ({ id, ...computeCost(journal?.entries(id) ?? [], since) }))
      .filter(({ total }) => total.calls > 0);
    const total = sum(tasks.map((one) => one.total));
    if (hasFlag(invocation.options, 'json'))
      printJson({
        since: since === '' ? null : since,
        total: toCostFacts(total),
        tasks: tasks.map((one) => ({
          task_id: one.id,
          ...toCostFacts(one.total),
          calls_by_station: one.rows.map((row) => ({ station: row.station, model: row.model, ...toCostFacts(row) })),
        })),
      });
    else if (tasks.length === 0) printLine('no agent was called yet.');
    else {
      const width = getColumns(invocation.env);
      const several = tasks.length > 1;
      const all = [...tasks.flatMap((one) => [...one.rows, one.total]), ...(several ? [total] : [])].map(cells);
      const widths = all.reduce((most, row) => row.map((cell, at) => Math.max(cell.length, most[at] ?? 0)), [0]);
      const print = (name: string, cost: Cost, model = ''): void => {
        const figures = cells(cost).map((cell, at) => cell.padStart(widths[at] ?? 0));
        printLine(fitToWidth([name.padEnd(NAME), ...figures, toTerminalLine(model, 40)].join('  ').trimEnd(), width));
      };
      for (const one of tasks) {
        printLine(colourText('bold', fitToWidth(one.id, width)));
        for (const row of one.rows) print(`  ${row.station}`, row, row.model);
        if (one.rows.length > 1) print('  together', one.total);
      }
      if (several) print('all tasks', total);
      for (const gap of describeGaps(total)) printLine(gap);
    }
    return 0;
  });
}

/** What calls did not report, and how the sums count it. */
function describeGaps({ unpriced, reservedUsd, unknownTokens }: Cost): readonly string[] {
  const reserved = reservedUsd > 0 ? `; $${reservedUsd.toFixed(4)} that was reserved counts against budgets` : '';
  return [
    ...(unpriced === 0
      ? []
      : [`${formatCount(unpriced, 'call')} did not report a price: the dollars are a lower bound${reserved}.`]),
    ...(unknownTokens === 0
      ? []
      : [`${formatCount(unknownTokens, 'call')} did not report all tokens: the tokens are a lower bound.`]),
  ];
}

const NAME = '  local-reviewer'.length;

const cells = ({ calls, tokensIn, tokensOut, usd, minutes, unknownTokens }: Cost): readonly string[] => [
  formatCount(calls, 'call').padEnd(`${calls} calls`.length),
  `$${usd.toFixed(4)}`,
  formatDuration(minutes * 60_000),
  formatBothTokens(tokensIn, tokensOut, unknownTokens),
];
