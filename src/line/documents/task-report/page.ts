import { toTerminalLine } from '../../../base/plain-text.ts';
import type { TaskReport } from './facts.ts';
import { markup, type Markup } from './markup.ts';
import { keyFigures, outcomeSentence, outcomeWord } from './outcome.ts';
import { renderFrame } from './page-frame.ts';
import { roundsSection } from './page-rounds.ts';
import { attemptsSection, changeSection } from './page-work.ts';
import { toBranchName } from '../../../base/names.ts';
import { listTodoRows, formatTodos, type TodoState } from '../../../record/todo.ts';
import { proofs, scopeRows, talkRows } from './plain-facts.ts';
import { describeNextStep } from '../../describe-line.ts';
import { resumeCommand } from '../../resume-command.ts';
import type { Halt } from '../../../record/trip.ts';
import type { HaltTold } from './halts.ts';
import {
  millisecondsBetween,
  formatCount,
  formatDollars,
  formatDuration,
  formatNumber,
  formatMoment,
} from './words.ts';
import { formatEntry } from '../../story.ts';
import { renderSvg } from './svg.ts';
import { timeline } from './timeline.ts';

/** The mark of andon's own reports: only such a file is ever replaced. */
export const REPORT_PAGE_MARK = '<meta name="generator" content="andon report">';

/** The report as one self-contained page; `back` is the link back, on a page of a board. */
export function renderReportPage(report: TaskReport, back?: string): string {
  const { record, now } = report;
  const { word, tone } = outcomeWord(report);
  return renderFrame({
    title: `${record.taskId}: ${word} (andon report)`,
    mark: REPORT_PAGE_MARK,
    over: `${toTerminalLine(record.contract.project, 80)} · andon report`,
    heading: markup`${record.taskId}<span class="chip ${tone}">${word}</span>`,
    lead: markup`<p class="lead">${toTerminalLine(outcomeSentence(report), 2000)}</p>
<p class="soft">${toTerminalLine(record.contract.specification.requirements[0] ?? '', 400)}</p>
<dl class="figures">${keyFigures(report).map(([name, value, more]) => markup`<div><dt>${name}</dt><dd>${value}${more === '' ? undefined : markup`<small>${more}</small>`}</dd></div>`)}</dl>`,
    sections: SECTIONS.map(([id, title, show]) => ({ id, title, body: show(report) })),
    now,
    back,
  });
}

/** The requirements and their bounds. */
function contractSection({ record }: TaskReport): Markup {
  const { specification, holdout } = record.contract;
  const criteria = [...specification.acceptanceCriteria, ...holdout.criteria];
  return markup`<h3>Requirements</h3>
<ol>${specification.requirements.map(item)}</ol>
${criteria.length === 0 ? undefined : markup`<h3>Acceptance criteria</h3><ul>${criteria.map(item)}</ul>`}
${(record.todos ?? []).length === 0 ? undefined : checklist(record.todos ?? [])}<h3>Scope, limits and roles</h3>
${rows(scopeRows(record))}`;
}

/** The requirements' evidence. */
const checklist = (todos: readonly TodoState[]): Markup => markup`<h3>Checklist</h3>
<p class="note">${formatTodos(todos)}</p>
<ul>${listTodoRows(todos).map(item)}</ul>
`;

/** References for verification: ids in git and journal, and the commands that check them. */
function proofSection(report: TaskReport): Markup {
  const { record } = report;
  const target = toBranchName(record.target);
  return markup`${rows(proofs(report))}
<p class="note">Check it yourself: <code>git rev-parse ${record.change === undefined ? `task/${record.taskId}` : record.change.commit}^{tree}</code> prints the tree; <code>git log --first-parent ${toTerminalLine(target, 120)}</code> shows the merge; <code>andon show ${record.taskId} --explain</code> asks every breaker again.</p>`;
}

function talkSection(report: TaskReport): Markup {
  const facts = talkRows(report);
  return facts.length === 0 ? markup`<p class="note">No agent has answered yet.</p>` : rows(facts);
}

const item = (text: string): Markup => markup`<li>${toTerminalLine(text, 4000)}</li>`;

const rows = (facts: readonly (readonly [name: string, value: string])[]): Markup =>
  markup`<div class="sheet" tabindex="0"><table><tbody>${facts.map(([name, value]) => markup`<tr><th scope="row">${name}</th><td class="w"><code>${toTerminalLine(value, 2000)}</code></td></tr>`)}</tbody></table></div>`;

/** Every halt: reason, positions, both paths, and who chose which, when and how. */
const haltsSection = (report: TaskReport): Markup =>
  report.halts.length === 0
    ? markup`<p class="soft">The line never stopped for a human.</p>`
    : markup`${report.halts.map((told, index) => haltPart(told, index + 1, report))}`;

function haltPart({ at, halt, choice }: HaltTold, number: number, { to, record }: TaskReport): Markup {
  const canChoose = choice === undefined && record.halt?.id === halt.id;
  return markup`<h3 id="halt-${number}">${number}. ${halt.trip.breaker}</h3>
<p>${toTerminalLine(halt.trip.reason, 1200)}</p>
<p class="note"><time datetime="${at}">${formatMoment(at)}</time>, at ${halt.statusBefore}; it stood for ${formatDuration(millisecondsBetween(at, choice?.at ?? to))}. Halt ${halt.id}.</p>
${halt.trip.sides.map(({ who, says }) => markup`<p><b>${toTerminalLine(who, 120)}</b> says:</p><blockquote>${says.trim() === '' ? '(nothing)' : says.slice(0, 6000)}</blockquote>`)}
${halt.also.length === 0 ? undefined : markup`<p>Also tripped:</p><ul>${halt.also.map(({ breaker, reason }) => markup`<li><b>${breaker}</b>: ${toTerminalLine(reason, 600)}</li>`)}</ul>`}
<div class="paths">${([1, 2] as const).map((path) => pathCard(halt, path, choice?.path, canChoose ? record.taskId : undefined))}</div>
${chosen({ at, halt, choice })}`;
}

function pathCard({ id, paths }: Halt, number: 1 | 2, taken: 1 | 2 | undefined, choosing: string | undefined): Markup {
  const { title, does, effect } = paths[number - 1] ?? paths[0];
  const isTaken = taken === number;
  return markup`<div class="path${isTaken ? ' taken' : ''}"><b>Path ${number}: ${toTerminalLine(title, 300)}</b>${isTaken ? markup` <span class="chip human">chosen</span>` : undefined}<p>${toTerminalLine(does, 1200)}</p><p class="soft">${describeNextStep(effect)}</p>${choosing === undefined ? undefined : markup`<p><code>${resumeCommand(choosing, number, id)}</code></p>`}</div>`;
}

function chosen({ at, choice }: HaltTold): Markup {
  if (choice === undefined) return markup`<p class="stopped">No choice so far.</p>`;
  const what = choice.path === undefined ? choice.by : `${choice.by} chose path ${choice.path}`;
  return markup`<p>${toTerminalLine(what, 200)}, <time datetime="${choice.at}">${formatMoment(choice.at)}</time>, ${formatDuration(millisecondsBetween(at, choice.at))} after the halt, by ${toTerminalLine(choice.how, 120)}.</p>`;
}

/** The timeline with its legend. */
const timeSection = (report: TaskReport): Markup => markup`${bothDrawn(report)}
<ul class="keys"><li>${key('work')}went forward</li><li>${key('bad')}sent back, failed or stopped the line</li><li>${key('wait')}waits for an agent</li><li>${key('halt')}halted; the numbers are those of the halts below</li><li><svg viewBox="0 0 26 14" aria-hidden="true"><path class="choice" d="M6 7l7 -7l7 7l-7 7z"/></svg>a human’s choice, with its path</li></ul>
<p class="note">Time runs from ${formatMoment(report.from)} to ${formatMoment(report.to)}${report.isOver ? '' : ' (now)'}. Numbers in bars are attempts and rounds. Long stretches without work are drawn shorter, marked //.</p>`;

/** Drawn twice; the page shows the fitting one. */
function bothDrawn(report: TaskReport): Markup {
  const { wide, narrow } = timeline(report);
  return markup`<div class="wide">${renderSvg(wide)}</div><div class="narrow">${renderSvg(narrow)}</div>`;
}

const key = (kind: string): Markup =>
  markup`<svg viewBox="0 0 26 14" aria-hidden="true"><rect class="${kind}" x="1" y="1" width="24" height="12" rx="3"/></svg>`;

/** The cost of each role. The sums are lower bounds where a call did not report its usage. */
function costSection({ cost }: TaskReport): Markup {
  if (cost.rows.length === 0) return markup`<p class="soft">No agent was called yet.</p>`;
  const { total } = cost;
  return markup`<div class="sheet" tabindex="0"><table><thead><tr><th>Role</th><th>Model</th><th class="n">Calls</th><th class="n">Dollars</th><th class="n">Time</th><th class="n">Tokens in</th><th class="n">Tokens out</th></tr></thead><tbody>
${cost.rows.map(
  (row) =>
    markup`<tr><td>${row.station.replace('-', ' ')}</td><td>${toTerminalLine(row.model, 60)}</td><td class="n">${row.calls}</td><td class="n">${formatDollars(row.usd)}</td><td class="n">${formatDuration(row.minutes * 60_000)}</td><td class="n">${formatNumber(row.tokensIn)}</td><td class="n">${formatNumber(row.tokensOut)}</td></tr>
`,
)}<tr><th scope="row">Together</th><td></td><td class="n">${total.calls}</td><td class="n">${formatDollars(total.usd)}</td><td class="n">${formatDuration(total.minutes * 60_000)}</td><td class="n">${formatNumber(total.tokensIn)}</td><td class="n">${formatNumber(total.tokensOut)}</td></tr></tbody></table></div>${
    total.unknown > 0
      ? markup`<p class="note">${formatCount(total.unknown, 'call')} did not report all that was used: the sums are lower bounds.</p>`
      : undefined
  }`;
}

/** The whole journal, line by line. */
function storySection({ story }: TaskReport): Markup {
  const told = story.flatMap((entry) => {
    const text = formatEntry(entry);
    return text === undefined ? [] : [{ at: entry.at, text }];
  });
  return markup`<details><summary>${formatCount(told.length, 'line')}, from the journal</summary><div class="sheet" tabindex="0"><table><tbody>
${told.map(({ at, text }) => markup`<tr><td class="k"><time datetime="${at}">${formatMoment(at)}</time></td><td class="w">${text}</td></tr>\n`)}</tbody></table></div></details>`;
}

const SECTIONS: readonly (readonly [id: string, title: string, show: (report: TaskReport) => Markup])[] = [
  ['time', 'Timeline', timeSection],
  ['cost', 'Cost', costSection],
  ['halts', 'Halts and choices', haltsSection],
  ['rounds', 'Findings by round', roundsSection],
  ['attempts', 'Attempts and gates', attemptsSection],
  ['change', 'Change', changeSection],
  ['messages', 'Messages', talkSection],
  ['contract', 'Contract', contractSection],
  ['proof', 'Verification', proofSection],
  ['story', 'Story', storySection],
];
