import { formatDiffStat, type GateResult } from '../../../record/change.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import type { Attempt } from './attempts.ts';
import { limitDiff, type ShownDiff } from './limit-diff.ts';
import type { TaskReport } from './facts.ts';
import { markup, type Markup } from './markup.ts';
import { formatCount, formatDuration, formatMoment, shortId } from './words.ts';

/** The most diff rows on the page; one command shows the rest. */
const DIFF_LINES = 1200;

/** Every attempt with its ref and outcome, then its gates. */
export function attemptsSection({ attempts, refs, record }: TaskReport): Markup {
  if (attempts.length === 0) return markup`<p class="soft">The implementer has not answered yet.</p>`;
  const gated = attempts.filter(({ gates }) => gates !== undefined);
  return markup`<div class="sheet" tabindex="0"><table><thead><tr><th>Attempt</th><th>Change</th><th>Commit and ref</th><th>What became of it</th></tr></thead><tbody>
${attempts.map((attempt) => attemptRow(attempt, refs, record.status === 'merged'))}</tbody></table></div>
${takeoversOf(record.takeovers)}<h3>Gates</h3>
${gated.length === 0 ? markup`<p class="soft">No gate has run.</p>` : gated.map(gatesOf)}`;
}

/** The takeovers, with reasons. */
const takeoversOf = (takeovers: TaskReport['record']['takeovers']): Markup | undefined =>
  takeovers.length === 0
    ? undefined
    : markup`<h3>Takeovers</h3>
<div class="sheet" tabindex="0"><table><thead><tr><th>Took over</th><th>From</th><th>When</th><th>Why</th></tr></thead><tbody>${takeovers.map(
        ({ from, to, at, why }) =>
          markup`<tr><td>${toTerminalLine(to, 80)}</td><td>${toTerminalLine(from, 80)}</td><td><time datetime="${at}">${formatMoment(at)}</time></td><td class="w">${toTerminalLine(why, 300)}</td></tr>`,
      )}</tbody></table></div>
`;

function attemptRow({ number, at, change, fate, isBad }: Attempt, refs: TaskReport['refs'], isMerged: boolean): Markup {
  const commit =
    change === undefined
      ? markup`<td>–</td>`
      : markup`<td><code>${shortId(change.commit)}</code><br><code class="soft">${refs.get(change.commit) ?? 'no ref holds it any more'}</code></td>`;
  return markup`<tr><td class="k">${number}</td><td>${change === undefined ? 'none' : formatDiffStat(change)}<br><span class="note"><time datetime="${at}">${formatMoment(at)}</time></span></td>${commit}<td class="w${isMerged && !isBad ? ' good' : ''}">${toTerminalLine(fate, 300)}${
    change === undefined || change.notes.trim() === ''
      ? undefined
      : markup`<details><summary>the implementer’s notes</summary><pre>${change.notes.slice(0, 4000)}</pre></details>`
  }</td></tr>
`;
}

function gatesOf({ number, change, gates }: Attempt): Markup | undefined {
  if (gates === undefined) return undefined;
  return markup`<p class="gap"><b>Attempt ${number}</b> <span class="note">tree <code>${shortId(gates.tree)}</code>${change?.tree === gates.tree ? undefined : ', not the tree of the attempt'}, cage: ${toTerminalLine(gates.cage, 60)}</span></p>
${
  gates.results.length === 0
    ? markup`<p class="soft">There is no gate: only the reviewers decide.</p>`
    : markup`<div class="sheet" tabindex="0"><table><thead><tr><th>Gate</th><th>Outcome</th><th class="n">Exit</th><th class="n">Tests passed</th><th class="n">Time</th><th>On the base</th><th>Command</th></tr></thead><tbody>${gates.results.map(gateRow)}</tbody></table></div>${gates.results.filter(({ blocks, output }) => blocks && output.trim() !== '').map(gateOutput)}`
}`;
}

const gateRow = ({ name, run, outcome, exit, ms, base, why, passed }: GateResult): Markup =>
  markup`<tr><td>${toTerminalLine(name, 80)}</td><td><span class="chip ${outcome === 'green' ? 'good' : 'stopped'}">${outcome}</span>${why === undefined ? undefined : markup` <span class="note">${toTerminalLine(why, 200)}</span>`}</td><td class="n">${exit ?? '–'}</td><td class="n">${passed ?? 'unknown'}</td><td class="n">${formatDuration(ms)}</td><td>${base}</td><td class="w"><code>${toTerminalLine(run, 200)}</code></td></tr>`;

const gateOutput = ({ name, output }: GateResult): Markup =>
  markup`<details open><summary>What ${toTerminalLine(name, 80)} printed last</summary><pre>${output.slice(-6000)}</pre></details>`;

/** The change as a unified diff, file by file, up to a limit. */
export function changeSection({ record, patch }: TaskReport): Markup {
  const { change, taskId } = record;
  if (change === undefined) return markup`<p class="soft">There is no change yet.</p>`;
  if (patch === undefined)
    return markup`<p class="soft">The commits of ${taskId} are not in this repository any more; ${formatDiffStat(change)}.</p>`;
  const { files, hidden } = limitDiff(patch, DIFF_LINES);
  return markup`<p>${formatDiffStat(change)}, from base <code>${shortId(change.base)}</code> to <code>${shortId(change.commit)}</code>.</p>
${files.map(fileDiff)}
${hidden === 0 ? undefined : markup`<p class="note">${formatCount(hidden, 'more line')} not shown here: <code>andon show ${taskId} --diff</code></p>`}`;
}

const ROW_CLASSES = { header: 'm', hunk: 'h', added: 'a', removed: 'd', context: 'c', note: 'c' } as const;

const fileDiff = ({ name, rows, added, deleted }: ShownDiff): Markup =>
  markup`<details open><summary><code>${toTerminalLine(name, 300)}</code> +${added} −${deleted}</summary><pre class="diff" tabindex="0">${rows.map(({ kind, signs, text }) => markup`<span class="${ROW_CLASSES[kind]}">${signs}${text}</span>`)}</pre></details>
`;
