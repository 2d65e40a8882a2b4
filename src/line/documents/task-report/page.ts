import { inOneTerminalLine } from '../../../base/plain-text.ts';
import type { TaskReport } from './facts.ts';
import { Markup, markup } from './markup.ts';
import { keyFigures, outcomeSentence, outcomeWord } from './outcome.ts';
import { contractSection, proofSection } from './page-contract.ts';
import { haltsSection } from './page-halts.ts';
import { roundsSection } from './page-rounds.ts';
import { costSection, storySection, timeSection } from './page-time.ts';
import { attemptsSection, changeSection } from './page-work.ts';
import { STYLE } from './style.ts';
import { moment } from './words.ts';

/** How a report is known as andon's own, so that only such a file is ever replaced. */
export const PAGE_MARK = '<meta name="generator" content="andon report">';

const SECTIONS: readonly (readonly [id: string, title: string, show: (report: TaskReport) => Markup])[] = [
  ['time', 'Timeline', timeSection],
  ['cost', 'Cost', costSection],
  ['halts', 'Halts and choices', haltsSection],
  ['rounds', 'Findings by round', roundsSection],
  ['attempts', 'Attempts and gates', attemptsSection],
  ['change', 'Change', changeSection],
  ['contract', 'Contract', contractSection],
  ['proof', 'Verification', proofSection],
  ['story', 'Story', storySection],
];

/** The report as one self-contained page: no script, nothing loaded, everything from elsewhere escaped. */
export function renderPage(report: TaskReport): string {
  const { record, now } = report;
  const { word, tone } = outcomeWord(report);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
${new Markup(PAGE_MARK)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${record.taskId}: ${word} (andon report)</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<header>
<p class="over">${inOneTerminalLine(record.contract.project, 80)} · andon report</p>
<h1>${record.taskId}<span class="chip ${tone}">${word}</span></h1>
<p class="lead">${inOneTerminalLine(outcomeSentence(report), 2000)}</p>
<p class="soft">${inOneTerminalLine(record.contract.specification.requirements[0] ?? '', 400)}</p>
<dl class="figures">${keyFigures(report).map(([name, value, more]) => markup`<div><dt>${name}</dt><dd>${value}${more === '' ? undefined : markup`<small>${more}</small>`}</dd></div>`)}</dl>
<nav aria-label="Sections">${SECTIONS.map(([id, title]) => markup`<a href="#${id}">${title}</a> `)}</nav>
</header>
${SECTIONS.map(([id, title, show]) => markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${show(report)}</section>\n`)}
<footer>Made by andon from its journal, <time datetime="${now}">${moment(now)}</time>. The page loads nothing and runs nothing; what agents and the repository say is shown as text.</footer>
</main>
</body>
</html>
`;
  return page.text;
}
