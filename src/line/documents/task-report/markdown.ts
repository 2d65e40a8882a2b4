import { diffStat } from '../../../record/change.ts';
import { forMarkdown, inMarkdownLine, inOneTerminalLine } from '../../../base/plain-text.ts';
import { tell } from '../../story.ts';
import { roleOf } from './chart.ts';
import type { TaskReport } from './facts.ts';
import { haltsPart, roundsPart, table, workPart } from './markdown-parts.ts';
import { keyFigures, outcomeSentence, outcomeWord } from './outcome.ts';
import { proofs, scopeRows, talkRows } from './plain-facts.ts';
import { timeScale } from './scale.ts';
import { LANE_NAMES } from './timeline.ts';
import { between, count, dollars, duration, moment } from './words.ts';

/** How a report is known as andon's own, so that only such a file is ever replaced. */
export const MARKDOWN_MARK = '<!-- andon report -->';
const DIFF_LINES = 400;
/** Characters of a drawn row. */
const WIDTH = 40;

/** The report as Markdown: the same facts, with pictures made of characters. */
export function renderMarkdown(report: TaskReport): string {
  const { record, now } = report;
  const { specification, holdout } = record.contract;
  const criteria = [...specification.acceptanceCriteria, ...holdout.criteria];
  return `${[
    MARKDOWN_MARK,
    `# ${record.taskId}: ${outcomeWord(report).word}`,
    inMarkdownLine(outcomeSentence(report), 2000),
    table(
      ['', '', ''],
      keyFigures(report).map(([name, value, more]) => [name, value, more]),
    ),
    '## Timeline',
    forMarkdown(drawTime(report), 'text'),
    `From ${moment(report.from)} to ${moment(report.to)}; long stretches without work are drawn shorter.`,
    '## Cost',
    forMarkdown(drawCost(report), 'text'),
    '## Halts and choices',
    haltsPart(report),
    '## Findings by round',
    roundsPart(report),
    '## Attempts and gates',
    workPart(report),
    '## Change',
    change(report),
    '## Contract',
    specification.requirements.map((text) => `1. ${inMarkdownLine(text, 4000)}`).join('\n'),
    ...(criteria.length === 0
      ? []
      : ['Acceptance criteria:', criteria.map((text) => `- ${inMarkdownLine(text, 4000)}`).join('\n')]),
    table(['', ''], scopeRows(record)),
    ...(talkRows(report).length === 0 ? [] : ['## Messages', table(['', ''], talkRows(report))]),
    '## Verification',
    table(['', ''], proofs(report)),
    '## Story',
    forMarkdown(
      report.story
        .flatMap((entry) => (tell(entry) === undefined ? [] : [`${moment(entry.at)}  ${tell(entry) ?? ''}`]))
        .join('\n'),
      'text',
    ),
    `Made by andon from its journal, ${moment(now)}.`,
  ].join('\n\n')}\n`;
}

/** One line per stretch: `=` went forward, `x` sent back or failed, `.` waits, `!` halted. */
function drawTime({ spans, halts, from, to }: TaskReport): string {
  const { at } = timeScale(spans, from, to, 0, WIDTH);
  const drawn = [
    ...spans.map((span) => ({
      ...span,
      name: LANE_NAMES[span.lane],
      mark: span.kind === 'wait' ? '.' : span.isBad ? 'x' : '=',
    })),
    ...halts.map(({ at: from, halt, choice }) => ({
      from,
      to: choice?.at ?? to,
      name: 'Halted',
      mark: '!',
      text:
        halt.trip.breaker +
        (choice === undefined ? '' : `; ${choice.by}${choice.path === undefined ? '' : ` chose path ${choice.path}`}`),
    })),
  ].toSorted((one, two) => one.from.localeCompare(two.from));
  const rows = drawn.map(({ from, to, name, mark, text }) => {
    const start = Math.min(WIDTH - 1, Math.floor(at(from)));
    const length = Math.max(1, Math.round(at(to)) - start);
    const row = `${' '.repeat(start)}${mark.repeat(length)}`.padEnd(WIDTH).slice(0, WIDTH);
    return `${name.padEnd(15)}|${row}| ${duration(between(from, to)).padStart(11)}  ${inOneTerminalLine(text, 100)}`;
  });
  return [...rows, '', '= went forward   x sent back or failed   . waits   ! halted'].join('\n');
}

function drawCost({ cost: { rows, total } }: TaskReport): string {
  if (rows.length === 0) return 'No agent was called yet.';
  const most = {
    usd: Math.max(...rows.map(({ usd }) => usd)),
    minutes: Math.max(...rows.map(({ minutes }) => minutes)),
  };
  const bar = (value: number, of: number): string =>
    (of === 0 ? '' : '#'.repeat(Math.max(value > 0 ? 1 : 0, Math.round((value / of) * 20)))).padEnd(20);
  const lines = rows.flatMap((row) => [
    `${roleOf(row).padEnd(34)}${bar(row.usd, most.usd)} ${dollars(row.usd)}`,
    `${''.padEnd(34)}${bar(row.minutes, most.minutes)} ${duration(row.minutes * 60_000)}`,
  ]);
  const least = total.unknown > 0 ? `, lower bounds: ${count(total.unknown, 'call')} did not report all` : '';
  return [
    ...lines,
    '',
    `together: ${dollars(total.usd)}, ${duration(total.minutes * 60_000)} of agents, ${count(total.calls, 'call')}${least}`,
  ].join('\n');
}

function change({ record, patch }: TaskReport): string {
  if (record.change === undefined) return 'There is no change yet.';
  if (patch === undefined) return `${diffStat(record.change)}; its commits are not in this repository any more.`;
  const lines = patch.replace(/\n$/, '').split('\n');
  const rest = lines.length - DIFF_LINES;
  const shown = rest > 0 ? [...lines.slice(0, DIFF_LINES), `(${rest} more lines: andon diff ${record.taskId})`] : lines;
  return `${diffStat(record.change)}:\n\n${forMarkdown(shown.join('\n'), 'diff')}`;
}
