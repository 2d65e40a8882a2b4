import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { tell } from '../../story.ts';
import { costChart } from './chart.ts';
import { drawn } from './drawing.ts';
import type { TaskReport } from './facts.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { timeline } from './timeline.ts';
import { count, dollars, duration, grouped, moment } from './words.ts';

/** The picture of the task's time with its key. */
export const timeSection = (report: TaskReport): Markup => markup`${bothDrawn(report)}
<ul class="keys"><li>${key('work')}went forward</li><li>${key('bad')}sent back, failed or stopped the line</li><li>${key('wait')}waits for an agent</li><li>${key('halt')}halted; the numbers are those of the halts below</li><li><svg viewBox="0 0 26 14" aria-hidden="true"><path class="choice" d="M6 7l7 -7l7 7l-7 7z"/></svg>a human’s choice, with its path</li></ul>
<p class="note">Time runs from ${moment(report.from)} to ${moment(report.to)}${report.isOver ? '' : ' (now)'}. Numbers in bars are attempts and rounds. Long stretches without work are drawn shorter, marked //.</p>`;

/** Drawn twice; the page shows the one that fits. */
function bothDrawn(report: TaskReport): Markup {
  const { wide, narrow } = timeline(report);
  return markup`<div class="wide">${drawn(wide)}</div><div class="narrow">${drawn(narrow)}</div>`;
}

const key = (kind: string): Markup =>
  markup`<svg viewBox="0 0 26 14" aria-hidden="true"><rect class="${kind}" x="1" y="1" width="24" height="12" rx="3"/></svg>`;

/** What the task has cost, as a chart and in figures. */
export function costSection({ cost }: TaskReport): Markup {
  if (cost.rows.length === 0) return markup`<p class="soft">No agent was called yet.</p>`;
  const { total } = cost;
  return markup`${costChart(cost)}
<div class="sheet" tabindex="0"><table><thead><tr><th>Role</th><th>Model</th><th class="n">Calls</th><th class="n">Dollars</th><th class="n">Time</th><th class="n">Tokens in</th><th class="n">Tokens out</th></tr></thead><tbody>
${cost.rows.map(
  (row) =>
    markup`<tr><td>${row.station.replace('-', ' ')}</td><td>${inOneTerminalLine(row.model, 60)}</td><td class="n">${row.calls}</td><td class="n">${dollars(row.usd)}</td><td class="n">${duration(row.minutes * 60_000)}</td><td class="n">${grouped(row.tokensIn)}</td><td class="n">${grouped(row.tokensOut)}</td></tr>
`,
)}<tr><th scope="row">Together</th><td></td><td class="n">${total.calls}</td><td class="n">${dollars(total.usd)}</td><td class="n">${duration(total.minutes * 60_000)}</td><td class="n">${grouped(total.tokensIn)}</td><td class="n">${grouped(total.tokensOut)}</td></tr></tbody></table></div>${
    total.unknown > 0
      ? markup`<p class="note">${count(total.unknown, 'call')} did not report all that was used: the sums are lower bounds.</p>`
      : undefined
  }`;
}

/** Everything the journal tells, line by line. */
export function storySection({ story }: TaskReport): Markup {
  const told = story.flatMap((entry) => {
    const text = tell(entry);
    return text === undefined ? [] : [{ at: entry.at, text }];
  });
  return markup`<details><summary>${count(told.length, 'line')}, from the journal</summary><div class="sheet" tabindex="0"><table><tbody>
${told.map(({ at, text }) => markup`<tr><td class="k"><time datetime="${at}">${moment(at)}</time></td><td class="w">${text}</td></tr>\n`)}</tbody></table></div></details>`;
}
