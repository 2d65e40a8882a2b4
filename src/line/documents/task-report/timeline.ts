import { inOneTerminalLine } from '../../../base/plain-text.ts';
import type { TaskReport } from './facts.ts';
import type { HaltTold } from './halts.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';
import { outcomeSentence } from './outcome.ts';
import { timeScale } from './scale.ts';
import type { Scale } from './scale.ts';
import { LANES } from './spans.ts';
import type { Lane, Span } from './spans.ts';
import { ticksOf } from './time-axis.ts';
import { between, duration } from './words.ts';

/** What a row of the picture is called. */
export const LANE_NAMES: Readonly<Record<Lane, string>> = {
  implementer: 'Implementer',
  gates: 'Gates, merge',
  'local-reviewer': 'Local reviewer',
  judge: 'Judge',
  human: 'Human',
};

/** Measures of a drawing; on a narrow one the names of the rows stand above them. */
interface Frame {
  readonly id: string;
  readonly width: number;
  readonly left: number;
  readonly row: number;
  readonly bar: number;
}

const WIDE: Frame = { id: 'wide', width: 960, left: 116, row: 34, bar: 18 };
const NARROW: Frame = { id: 'narrow', width: 360, left: 8, row: 46, bar: 18 };
const TOP = 46;
const AXIS = 46;
const RIGHT = 12;
/** The room a letter of a small text needs. */
const LETTER = 6.4;

/** The picture of a task's time, drawn twice: for a wide page and for a phone; the page shows the one that fits. */
export const timeline = (report: TaskReport): Markup =>
  markup`<div class="wide">${draw(report, WIDE)}</div><div class="narrow">${draw(report, NARROW)}</div>`;

/** The rows that the picture of this task has. */
export const lanesOf = ({ spans, halts }: TaskReport): readonly Lane[] =>
  LANES.filter((lane) => lane !== 'human' || halts.length > 0 || spans.some((span) => span.lane === 'human'));

function draw(report: TaskReport, frame: Frame): Markup {
  const lanes = lanesOf(report);
  const scale = timeScale(report.spans, report.from, report.to, frame.left, frame.width - frame.left - RIGHT);
  const bottom = TOP + lanes.length * frame.row;
  const id = (name: string): string => `time-${name}-${frame.id}`;
  return markup`<svg class="picture" viewBox="0 0 ${frame.width} ${bottom + AXIS}" role="img" aria-labelledby="${id('title')} ${id('desc')}">
<title id="${id('title')}">What happened when</title>
<desc id="${id('desc')}">${describe(report)}</desc>
<defs><pattern id="${id('hatch')}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>
${report.halts.map((halt, index) => band(halt, index, report, scale, bottom))}
${lanes.map((lane, index) => laneRow(lane, TOP + index * frame.row, frame))}
${report.spans.map((span) => bar(span, lanes, scale, frame, id('hatch')))}
${report.halts.map((halt) => chosen(halt, lanes, scale, frame))}
${report.isOver ? finish(report, scale, bottom) : undefined}
${axis(report, scale, bottom)}
</svg>`;
}

const describe = (report: TaskReport): string =>
  `${outcomeSentence(report)} ${report.spans.length} stretches of work and waiting are drawn; the story below tells each in words.`;

function laneRow(lane: Lane, top: number, frame: Frame): Markup {
  const middle = top + frame.row - frame.bar / 2 - 8;
  const label =
    frame.left > 60
      ? markup`<text class="lane" x="0" y="${middle + 4}">${LANE_NAMES[lane]}</text>`
      : markup`<text class="lane" x="${frame.left}" y="${top + 14}">${LANE_NAMES[lane]}</text>`;
  return markup`${label}<line class="rail" x1="${frame.left}" x2="${frame.width - RIGHT}" y1="${middle}" y2="${middle}"/>`;
}

/** The middle of a row's bars. */
const middleOf = (lane: Lane, lanes: readonly Lane[], { row, bar }: Frame): number =>
  TOP + lanes.indexOf(lane) * row + row - bar / 2 - 8;

function bar(span: Span, lanes: readonly Lane[], scale: Scale, frame: Frame, hatch: string): Markup {
  const x = scale.at(span.from);
  const width = Math.max(3, scale.at(span.to) - x);
  const y = middleOf(span.lane, lanes, frame) - frame.bar / 2;
  const shape = (more: Markup): Markup =>
    markup`<rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${frame.bar}" rx="3" ${more}/>`;
  const label = span.number !== undefined && width >= 15;
  const kind = span.kind === 'wait' ? 'wait' : span.isBad ? 'bad' : 'work';
  return markup`<g><title>${`${duration(between(span.from, span.to))}, ${inOneTerminalLine(span.text, 240)}`}</title>${shape(markup`class="${kind}"`)}${
    span.isBad && span.kind === 'work' ? shape(markup`fill="url(#${hatch})"`) : undefined
  }${
    label
      ? markup`<text class="count" x="${fixed(x + width / 2)}" y="${fixed(y + frame.bar / 2 + 4)}">${span.number}</text>`
      : undefined
  }</g>`;
}

function band({ at, halt, choice }: HaltTold, index: number, report: TaskReport, scale: Scale, bottom: number): Markup {
  const x = scale.at(at);
  const width = Math.max(2, scale.at(choice?.at ?? report.to) - x);
  return markup`<g><title>${`Halt ${index + 1}: ${halt.trip.breaker}, ${duration(between(at, choice?.at ?? report.to))}`}</title><rect class="halt" x="${fixed(x)}" y="${TOP - 8}" width="${fixed(width)}" height="${bottom - TOP + 8}"/><circle class="pin" cx="${fixed(x + Math.min(width / 2, 10))}" cy="${TOP - 16}" r="9"/><text class="count" x="${fixed(x + Math.min(width / 2, 10))}" y="${TOP - 12}">${index + 1}</text></g>`;
}

/** A choice stands where the halt ends, with the number of its path. */
function chosen({ choice }: HaltTold, lanes: readonly Lane[], scale: Scale, frame: Frame): Markup | undefined {
  if (choice === undefined) return undefined;
  const x = scale.at(choice.at);
  const y = middleOf('human', lanes, frame);
  const what = choice.path === undefined ? choice.by : `${choice.by} chose path ${choice.path} (${choice.how})`;
  return markup`<g><title>${inOneTerminalLine(what, 200)}</title><path class="choice" d="M${fixed(x - 11)} ${fixed(y)}l11 -11l11 11l-11 11z"/><text class="count" x="${fixed(x)}" y="${fixed(y + 4)}">${choice.path ?? '×'}</text></g>`;
}

function finish({ record, to }: TaskReport, scale: Scale, bottom: number): Markup {
  const x = scale.at(to);
  const isMerged = record.status === 'merged';
  return markup`<g class="${isMerged ? 'good' : 'stopped'}"><line class="end" x1="${fixed(x)}" x2="${fixed(x)}" y1="18" y2="${bottom}"/><text class="end" x="${fixed(x)}" y="12">${isMerged ? 'merged' : 'given up'}</text></g>`;
}

function axis(report: TaskReport, scale: Scale, bottom: number): Markup {
  const start = Date.parse(report.from);
  const cuts = scale.stretches.filter(({ isCut, width }) => isCut && width >= 6);
  return markup`${cuts.map(
    ({ x, width, from, to }) =>
      markup`<g><title>${`${duration(to - from)} without work, drawn shorter`}</title><path class="cut" d="M${fixed(x + width / 2 - 4)} ${bottom + 7}l4 -14m0 14l4 -14"/>${
        width >= duration(to - from).length * LETTER
          ? markup`<text class="cut" x="${fixed(x + width / 2)}" y="${bottom + 38}">${duration(to - from)}</text>`
          : undefined
      }</g>`,
  )}${ticksOf(scale, start).map(
    ({ x, text, anchor }) =>
      markup`<line class="tick" x1="${fixed(x)}" x2="${fixed(x)}" y1="${bottom}" y2="${bottom + 5}"/><text class="tick ${anchor}" x="${fixed(x)}" y="${bottom + 20}">${text}</text>`,
  )}`;
}

const fixed = (value: number): string => String(Math.round(value * 10) / 10);
