import { formatFinding, type Finding } from '../../../record/finding.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import type { JudgeReport } from '../../../record/review.ts';
import type { TaskReport } from './facts.ts';
import { markup, type Markup } from './markup.ts';
import { fixedNext, weights, type Blocking, type ReviewRound } from './rounds.ts';
import { formatCount } from './words.ts';

/** Findings round by round: the table first, then each round with its verdict, findings and evidence. */
export function roundsSection({ rounds }: TaskReport): Markup {
  if (rounds.length === 0) return markup`<p class="soft">No change was reviewed yet.</p>`;
  return markup`<div class="sheet" tabindex="0"><table><thead><tr><th>Round</th><th class="n">Attempt</th><th>Verdict</th><th class="n">Blocking</th><th class="n">Substantive</th><th class="n">Nit</th><th class="n">Undecided</th><th>Fixed next round?</th><th>Led to</th></tr></thead><tbody>
${rounds.map(row)}</tbody></table></div>
<p class="note">“Fixed” means that the next round of the same reviewer does not name the finding again. andon weighs only what the judge blocks on.</p>
${rounds.map(roundPart)}`;
}

export const nameOf = ({ by, reviewer, number }: ReviewRound): string =>
  `${by === 'judge' ? 'Judge' : 'Local reviewer'}${reviewer === by ? '' : ` ${toTerminalLine(reviewer, 60)}`} ${number}`;

function row(round: ReviewRound): Markup {
  const { substantive, nit, undecided } = weights(round);
  const weighed = round.by === 'judge' ? [substantive, nit, undecided] : ['–', '–', '–'];
  return markup`<tr><td class="k">${nameOf(round)}</td><td class="n">${round.attempt}</td><td>${verdictChip(round.verdict)}</td><td class="n">${round.blocking.length}</td>${weighed.map((number) => markup`<td class="n">${number}</td>`)}<td>${fixedNext(round) ?? (round.blocking.length === 0 ? '–' : 'no next round')}</td><td class="w">${round.ledTo === undefined ? 'nothing yet' : `${round.ledTo.event}: ${toTerminalLine(round.ledTo.reason, 160)}`}</td></tr>
`;
}

const verdictChip = (verdict: string): Markup =>
  markup`<span class="chip ${verdict === 'PASS' ? 'good' : verdict === 'CONDITIONAL' || verdict === 'NEEDS_REVIEW' ? 'running' : 'stopped'}">${verdict}</span>`;

function roundPart(round: ReviewRound): Markup {
  const { report } = round;
  return markup`<h3>${nameOf(round)}: ${round.verdict}</h3>
${report === undefined ? undefined : said(report)}
${round.blocking.length === 0 ? undefined : markup`<ul>${round.blocking.map(blockingItem)}</ul>`}
${list('Does not block:', round.others.map(formatFinding))}
${report === undefined && round.blocking.length + round.others.length === 0 ? markup`<p class="soft">Nothing was found.</p>` : undefined}
${report === undefined ? undefined : judged(report)}`;
}

const said = (report: JudgeReport): Markup =>
  markup`<p>${toTerminalLine(report.summary, 2000)}</p>${
    report.why === '' && report.said === report.verdict
      ? undefined
      : markup`<p class="note">The judge wrote ${report.said}; andon makes it ${report.verdict}. ${toTerminalLine(report.why, 600)}</p>`
  }`;

function blockingItem({ finding, isGone }: Blocking): Markup {
  const fate = isGone === undefined ? undefined : isGone ? 'gone in the next round' : 'still there in the next round';
  const more = [finding.category, finding.weight, finding.unchanged ? 'on unchanged lines' : undefined, fate];
  return markup`<li>${place(finding)}${toTerminalLine(finding.description, 1200)} <span class="note">${finding.severity}, ${toTerminalLine(more.filter((one) => one !== undefined).join(', '), 200)}</span>${
    finding.fix === undefined
      ? undefined
      : markup`<br><span class="soft">Fix: ${toTerminalLine(finding.fix, 800)}</span>`
  }</li>`;
}

const place = ({ file, line }: Finding): Markup | undefined =>
  file === undefined
    ? undefined
    : markup`<code>${toTerminalLine(`${file}${line === undefined ? '' : `:${line}`}`, 200)}</code> `;

function judged(report: JudgeReport): Markup {
  return markup`${
    report.evidence.length === 0
      ? markup`<p class="note">No evidence was quoted.</p>`
      : markup`<details open><summary>Evidence: ${formatCount(report.evidence.length, 'quoted line')}</summary><div class="sheet" tabindex="0"><table><tbody>${report.evidence.map(
          ({ file, line, quote, found }) =>
            markup`<tr><td class="k"><code>${toTerminalLine(`${file}${line === null ? '' : `:${line}`}`, 160)}</code></td><td class="w"><code>${toTerminalLine(quote, 400)}</code></td><td class="k">${found ? markup`<span class="good">found</span>` : markup`<span class="stopped">not found</span>`}</td></tr>`,
        )}</tbody></table></div></details>`
  }${list('Required fixes:', report.fixes)}${list('Security flags:', report.securityFlags)}${list('Suggestions:', report.suggestions)}`;
}

const list = (title: string, items: readonly string[]): Markup | undefined =>
  items.length === 0
    ? undefined
    : markup`<p class="soft">${title}</p><ul>${items.map((item) => markup`<li>${toTerminalLine(item, 800)}</li>`)}</ul>`;
