import { inOneTerminalLine } from '../../../formats/plain-text.ts';
import { costOf, sum } from '../../../line/cost.ts';
import type { Cost } from '../../../line/cost.ts';
import { count } from '../../../line/papers/task-report/words.ts';
import { Problem } from '../../../problems/problem.ts';
import { flag, textOption } from '../options.ts';
import { json, line, styled } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from './command.ts';

/** `andon cost`: what tasks have used, in dollars, tokens and minutes of agents' time. */
export function run(invocation: Invocation): Promise<number> {
  const [task] = invocation.args;
  const since = sinceWhen(textOption(invocation.options, 'since'));
  return withJournal(invocation, (journal) => {
    if (typeof task === 'string') recordOf(journal, task);
    const ids = typeof task === 'string' ? [task] : (journal?.taskIds() ?? []);
    const tasks = ids
      .map((id) => ({ id, ...costOf(journal?.entries(id) ?? [], since) }))
      .filter(({ total }) => total.calls > 0);
    const total = sum(tasks.map((one) => one.total));
    if (flag(invocation.options, 'json'))
      json({
        since: since === '' ? null : since,
        total: printed(total),
        tasks: tasks.map((one) => ({
          task_id: one.id,
          ...printed(one.total),
          calls_by_station: one.rows.map((row) => ({ station: row.station, model: row.model, ...printed(row) })),
        })),
      });
    else if (tasks.length === 0) line('no agent was called yet.');
    else {
      for (const one of tasks) {
        line(styled('bold', one.id));
        for (const row of one.rows)
          line(`  ${row.station.padEnd(15)}${words(row)}  ${inOneTerminalLine(row.model, 40)}`);
        if (one.rows.length > 1) line(`  ${'together'.padEnd(15)}${words(one.total)}`);
      }
      if (tasks.length > 1) line(`${styled('bold', 'all tasks'.padEnd(17))}${words(total)}`);
      if (total.unknown > 0)
        line(
          `${count(total.unknown, 'call')} did not report all ${total.unknown === 1 ? 'it' : 'they'} used: the sums are lower bounds.`,
        );
    }
    return 0;
  });
}

function sinceWhen(written: string | undefined): string {
  if (written === undefined) return '';
  const at = new Date(written);
  if (Number.isNaN(at.getTime()))
    throw new Problem('bad-argument', `--since ${written} is no date`, 'write it as 2026-01-31 or 2026-01-31T18:00');
  return at.toISOString();
}

const words = ({ calls, tokensIn, tokensOut, usd, minutes }: Cost): string =>
  `${String(calls).padStart(4)} ${calls === 1 ? 'call ' : 'calls'}  ${`$${usd.toFixed(4)}`.padStart(10)}  ${String(tokensIn).padStart(9)} + ${String(tokensOut).padStart(7)} tokens  ${minutes.toFixed(1).padStart(7)} min`;

const printed = ({ calls, tokensIn, tokensOut, usd, minutes, unknown }: Cost): object => ({
  calls,
  tokens_in: tokensIn,
  tokens_out: tokensOut,
  usd: Math.round(usd * 1e6) / 1e6,
  agent_minutes: Math.round(minutes * 100) / 100,
  calls_not_wholly_reported: unknown,
});
