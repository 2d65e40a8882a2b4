import { inOneTerminalLine } from '../../../base/plain-text.ts';
import type { TaskReport } from './facts.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { keyFigures, outcomeSentence, outcomeWord } from './outcome.ts';
import { contractSection, proofSection, talkSection } from './page-contract.ts';
import { framed } from './page-frame.ts';
import { haltsSection } from './page-halts.ts';
import { roundsSection } from './page-rounds.ts';
import { costSection, storySection, timeSection } from './page-time.ts';
import { attemptsSection, changeSection } from './page-work.ts';

/** How a report is known as andon's own, so that only such a file is ever replaced. */
export const PAGE_MARK = '<meta name="generator" content="andon report">';

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

/** The report as one self-contained page; `back` is where it leads back to, where it is one of a board. */
export function renderPage(report: TaskReport, back?: string): string {
  const { record, now } = report;
  const { word, tone } = outcomeWord(report);
  return framed({
    title: `${record.taskId}: ${word} (andon report)`,
    mark: PAGE_MARK,
    over: `${inOneTerminalLine(record.contract.project, 80)} · andon report`,
    heading: markup`${record.taskId}<span class="chip ${tone}">${word}</span>`,
    lead: markup`<p class="lead">${inOneTerminalLine(outcomeSentence(report), 2000)}</p>
<p class="soft">${inOneTerminalLine(record.contract.specification.requirements[0] ?? '', 400)}</p>
<dl class="figures">${keyFigures(report).map(([name, value, more]) => markup`<div><dt>${name}</dt><dd>${value}${more === '' ? undefined : markup`<small>${more}</small>`}</dd></div>`)}</dl>`,
    sections: SECTIONS.map(([id, title, show]) => ({ id, title, body: show(report) })),
    now,
    back,
  });
}
