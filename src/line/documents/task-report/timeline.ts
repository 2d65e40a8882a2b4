import { toTerminalLine } from '../../../base/plain-text.ts';
import type { TaskReport } from './facts.ts';
import type { HaltTold } from './halts.ts';
import { withTitle, toTenth, createElement, type Drawing, type SvgElement } from './svg.ts';
import { outcomeSentence } from './outcome.ts';
import { timeScale, type Scale } from './scale.ts';
import { TIMELINE_LANES, type TimelineLane, type StationSpan } from './spans.ts';
import { computeTicks } from './time-axis.ts';
import { millisecondsBetween, formatDuration } from './words.ts';

export const TIMELINE_LANE_NAMES: Readonly<Record<TimelineLane, string>> = {
  implementer: 'Implementer',
  gates: 'Gates, merge',
  'local-reviewer': 'Local reviewer',
  judge: 'Judge',
  'floor-manager': 'Floor manager',
  human: 'Human',
};

/** Measures of a drawing; on a narrow one the row names are above the rows. */
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
/** The width of a letter in small text. */
const LETTER = 6.4;

/** The timeline of a task, for a wide page and for a phone. */
export const timeline = (report: TaskReport): Readonly<Record<'wide' | 'narrow', Drawing>> => ({
  wide: draw(report, WIDE),
  narrow: draw(report, NARROW),
});

export const timelineLanes = ({ spans, halts }: TaskReport): readonly TimelineLane[] =>
  TIMELINE_LANES.filter(
    (lane) =>
      !(['floor-manager', 'human'] as const).some((one) => one === lane) ||
      spans.some((span) => span.lane === lane) ||
      (lane === 'human' && halts.length > 0),
  );

function draw(report: TaskReport, frame: Frame): Drawing {
  const lanes = timelineLanes(report);
  const scale = timeScale(report.spans, report.from, report.to, frame.left, frame.width - frame.left - RIGHT);
  const bottom = TOP + lanes.length * frame.row;
  const hatch = `time-hatch-${frame.id}`;
  const lines = { width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' };
  return {
    id: `time-${frame.id}`,
    width: frame.width,
    height: bottom + AXIS,
    title: 'What happened when',
    said: describe(report),
    parts: [
      createElement('defs', {}, [
        createElement('pattern', { id: hatch, ...lines }, [
          createElement('line', { class: 'hatch', x1: 0, y1: 0, x2: 0, y2: 6 }),
        ]),
      ]),
      ...report.halts.map((halt, index) => band(halt, index, report, scale, bottom)),
      ...lanes.flatMap((lane, index) => laneRow(lane, TOP + index * frame.row, frame)),
      ...report.spans.map((span) => bar(span, lanes, scale, frame, hatch)),
      ...report.halts.flatMap((halt) => chosen(halt, lanes, scale, frame)),
      ...(report.isOver ? [finish(report, scale, bottom)] : []),
      ...axis(report, scale, bottom),
    ],
  };
}

const describe = (report: TaskReport): string =>
  `${outcomeSentence(report)} ${report.spans.length} stretches of work and waiting are drawn; the story below tells each in words.`;

function laneRow(lane: TimelineLane, top: number, frame: Frame): readonly SvgElement[] {
  const middle = top + frame.row - frame.bar / 2 - 8;
  const place = frame.left > 60 ? { x: 0, y: middle + 4 } : { x: frame.left, y: top + 14 };
  return [
    createElement('text', { class: 'lane', ...place }, TIMELINE_LANE_NAMES[lane]),
    createElement('line', { class: 'rail', x1: frame.left, x2: frame.width - RIGHT, y1: middle, y2: middle }),
  ];
}

const middleOf = (lane: TimelineLane, lanes: readonly TimelineLane[], { row, bar }: Frame): number =>
  TOP + lanes.indexOf(lane) * row + row - bar / 2 - 8;

function bar(span: StationSpan, lanes: readonly TimelineLane[], scale: Scale, frame: Frame, hatch: string): SvgElement {
  const x = scale.at(span.from);
  const width = Math.max(3, scale.at(span.to) - x);
  const y = middleOf(span.lane, lanes, frame) - frame.bar / 2;
  const place = { x: toTenth(x), y: toTenth(y), width: toTenth(width), height: frame.bar, rx: 3 };
  const label = span.number !== undefined && width >= 15;
  const kind = span.kind === 'wait' ? 'wait' : span.isBad ? 'bad' : 'work';
  return withTitle(
    `${formatDuration(millisecondsBetween(span.from, span.to))}, ${toTerminalLine(span.text, 240)}`,
    createElement('rect', { ...place, class: kind }),
    ...(span.isBad && span.kind === 'work' ? [createElement('rect', { ...place, fill: `url(#${hatch})` })] : []),
    ...(label ? [number(x + width / 2, y + frame.bar / 2 + 4, String(span.number))] : []),
  );
}

const number = (x: number, y: number, text: string): SvgElement =>
  createElement('text', { class: 'count', x: toTenth(x), y: toTenth(y) }, text);

function band(
  { at, halt, choice }: HaltTold,
  index: number,
  report: TaskReport,
  scale: Scale,
  bottom: number,
): SvgElement {
  const x = scale.at(at);
  const width = Math.max(2, scale.at(choice?.at ?? report.to) - x);
  const pin = x + Math.min(width / 2, 10);
  return withTitle(
    `Halt ${index + 1}: ${halt.trip.breaker}, ${formatDuration(millisecondsBetween(at, choice?.at ?? report.to))}`,
    createElement('rect', {
      class: 'halt',
      x: toTenth(x),
      y: TOP - 8,
      width: toTenth(width),
      height: bottom - TOP + 8,
    }),
    createElement('circle', { class: 'pin', cx: toTenth(pin), cy: TOP - 16, r: 9 }),
    number(pin, TOP - 12, String(index + 1)),
  );
}

/** A choice is drawn at the end of its halt, with the number of its path. */
function chosen(
  { choice }: HaltTold,
  lanes: readonly TimelineLane[],
  scale: Scale,
  frame: Frame,
): readonly SvgElement[] {
  if (choice === undefined) return [];
  const x = scale.at(choice.at);
  const y = middleOf('human', lanes, frame);
  const what = choice.path === undefined ? choice.by : `${choice.by} chose path ${choice.path} (${choice.how})`;
  const shape = createElement('path', { class: 'choice', d: `M${toTenth(x - 11)} ${toTenth(y)}l11 -11l11 11l-11 11z` });
  return [withTitle(toTerminalLine(what, 200), shape, number(x, y + 4, String(choice.path ?? '×')))];
}

function finish({ record, to }: TaskReport, scale: Scale, bottom: number): SvgElement {
  const x = toTenth(scale.at(to));
  const isMerged = record.status === 'merged';
  return createElement('g', { class: isMerged ? 'good' : 'stopped' }, [
    createElement('line', { class: 'end', x1: x, x2: x, y1: 18, y2: bottom }),
    createElement('text', { class: 'end', x, y: 12 }, isMerged ? 'merged' : 'given up'),
  ]);
}

function axis(report: TaskReport, scale: Scale, bottom: number): readonly SvgElement[] {
  const cuts = scale.stretches.filter(({ isCut, width }) => isCut && width >= 6);
  const ticks = computeTicks(scale, Date.parse(report.from));
  return [
    ...cuts.map(({ x, width, from, to }) => {
      const [middle, time] = [x + width / 2, formatDuration(to - from)];
      return withTitle(
        `${time} without work, drawn shorter`,
        createElement('path', { class: 'cut', d: `M${toTenth(middle - 4)} ${bottom + 7}l4 -14m0 14l4 -14` }),
        ...(width >= time.length * LETTER
          ? [createElement('text', { class: 'cut', x: toTenth(middle), y: bottom + 38 }, time)]
          : []),
      );
    }),
    ...ticks.flatMap(({ x, text, anchor }) => [
      createElement('line', { class: 'tick', x1: toTenth(x), x2: toTenth(x), y1: bottom, y2: bottom + 5 }),
      createElement('text', { class: `tick ${anchor}`, x: toTenth(x), y: bottom + 20 }, text),
    ]),
  ];
}
