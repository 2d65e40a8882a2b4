import type { ComponentChildren } from 'preact';
import type { HaltFacts } from '../../line/reports/task-report/list-halts.ts';
import { NARROW_ROOM, computeTicks, timeScale, type Scale } from '../../line/reports/task-report/scale.ts';
import type { StationSpan, TimelineLane } from '../../line/reports/task-report/station-spans.ts';
import type { ReportFacts } from '../../line/reports/task-report/task-details.ts';
import { formatDuration, millisecondsBetween } from '../../line/reports/task-report/format-figures.ts';
import { When } from './parts.tsx';

/** In the order in which they are drawn. */
const LANE_NAMES: Readonly<Record<TimelineLane, string>> = {
  implementer: 'Implementer',
  gates: 'Gates, merge',
  'local-reviewer': 'Local reviewer',
  judge: 'Judge',
  'floor-manager': 'Floor manager',
  human: 'Human',
};

/** Measures in pixels; positions along the time are in percent, so that one drawing fits every width. */
const [TOP, ROW, BAR, AXIS] = [40, 30, 18, 36];
/** Narrower bars have no number, and narrower pauses no label. */
const [NUMBERED, LABELLED] = [3, 9];

const listLanes = ({ timeline, halts }: ReportFacts): readonly TimelineLane[] =>
  (Object.keys(LANE_NAMES) as readonly TimelineLane[]).filter(
    (lane) =>
      (lane !== 'floor-manager' && lane !== 'human') ||
      timeline.some((span) => span.lane === lane) ||
      (lane === 'human' && halts.length > 0),
  );

export function Timeline({ report }: { readonly report: ReportFacts }) {
  const { timeline, halts, from, to, is_over: isOver } = report;
  const lanes = listLanes(report);
  const scale = timeScale(timeline, from, to);
  const bottom = TOP + lanes.length * ROW;
  const middle = (lane: TimelineLane): number => TOP + lanes.indexOf(lane) * ROW + ROW / 2;
  return (
    <>
      <div class="timeline">
        <ul class="lane-names" aria-hidden="true">
          {lanes.map((lane) => (
            <li key={lane}>{LANE_NAMES[lane]}</li>
          ))}
        </ul>
        <svg class="picture" width="100%" height={bottom + AXIS} role="img" aria-labelledby="time-title time-desc">
          <title id="time-title">What happened when</title>
          <desc id="time-desc">
            {report.outcome} {timeline.length} stretches of work and waiting are drawn; the story tells each in words.
          </desc>
          <defs>
            <pattern id="time-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <line class="hatch" x1="0" y1="0" x2="0" y2="6" />
            </pattern>
          </defs>
          {halts.map((halt, at) => (
            <HaltBand key={halt.id} halt={halt} number={at + 1} scale={scale} to={to} bottom={bottom} />
          ))}
          {lanes.map((lane) => (
            <line key={lane} class="rail" x1="0" x2="100%" y1={middle(lane)} y2={middle(lane)} />
          ))}
          {timeline.map((span, at) => (
            <Bar key={at} span={span} scale={scale} middle={middle(span.lane)} />
          ))}
          {halts.map((halt) => (
            <ChoiceMark key={halt.id} halt={halt} scale={scale} middle={middle('human')} />
          ))}
          {isOver ? <EndMark report={report} x={toPercent(scale.at(to))} bottom={bottom} /> : null}
          <Axis scale={scale} from={from} bottom={bottom} />
        </svg>
      </div>
      <Legend report={report} />
    </>
  );
}

const Legend = ({ report: { from, to, is_over: isOver } }: { readonly report: ReportFacts }) => (
  <details>
    <summary class="soft small">
      From <When at={from} /> to <When at={to} />
      {isOver ? '' : ' (now)'}; what is drawn
    </summary>
    <ul class="keys">
      {KEYS.map(([kind, text]) => (
        <li key={kind}>
          <svg width="26" height="14" aria-hidden="true">
            <rect class={kind} x="1" y="1" width="24" height="12" rx="3" />
          </svg>
          {text}
        </li>
      ))}
      <li>
        <svg width="26" height="14" aria-hidden="true">
          <path class="choice" d="M6 7l7 -7l7 7l-7 7z" />
        </svg>
        a human’s choice, with its path
      </li>
      <li>numbers in bars: attempts and rounds</li>
      <li>//: a long stretch without work, drawn shorter</li>
    </ul>
  </details>
);

const KEYS = [
  ['work', 'went forward'],
  ['bad', 'sent back, failed or halted'],
  ['wait', 'waits for an agent'],
  ['halt', 'halted; the numbers are those of the halts'],
] as const;

const toPercent = (value: number): string => `${Math.round(value * 100) / 100}%`;

/** Marks of a fixed size at a moment. */
const At = ({ x, y, children }: { readonly x: string; readonly y: number; readonly children: ComponentChildren }) => (
  <svg x={x} y={y} overflow="visible">
    {children}
  </svg>
);

const Count = ({ x = 0, text }: { readonly x?: number; readonly text: string }) => (
  <text class="count" x={x} y="4">
    {text}
  </text>
);

function Bar({ span, scale, middle }: { readonly span: StationSpan; readonly scale: Scale; readonly middle: number }) {
  const x = scale.at(span.from);
  const width = Math.max(0.5, scale.at(span.to) - x);
  const place = { x: toPercent(x), y: middle - BAR / 2, width: toPercent(width), height: BAR, rx: 3 };
  const isWork = span.kind === 'work';
  return (
    <g>
      <title>{`${formatDuration(millisecondsBetween(span.from, span.to))}, ${span.text}`}</title>
      <rect {...place} class={isWork ? (span.sent_back ? 'bad' : 'work') : 'wait'} />
      {isWork && span.sent_back ? <rect {...place} fill="url(#time-hatch)" /> : null}
      {span.number !== null && width >= NUMBERED ? (
        <At x={toPercent(x + width / 2)} y={middle}>
          <Count text={String(span.number)} />
        </At>
      ) : null}
    </g>
  );
}

function HaltBand(props: {
  readonly halt: HaltFacts;
  readonly number: number;
  readonly scale: Scale;
  readonly to: string;
  readonly bottom: number;
}) {
  const { halt, number, scale, bottom } = props;
  const end = halt.choice?.at ?? props.to;
  const x = scale.at(halt.at);
  return (
    <g>
      <title>{`Halt ${number}: ${halt.trip.breaker}, ${formatDuration(millisecondsBetween(halt.at, end))}`}</title>
      <rect
        class="halt"
        x={toPercent(x)}
        y={TOP - 8}
        width={toPercent(Math.max(0.3, scale.at(end) - x))}
        height={bottom - TOP + 8}
      />
      <At x={toPercent(x)} y={TOP - 18}>
        <circle class="pin" cx="9" cy="0" r="9" />
        <Count x={9} text={String(number)} />
      </At>
    </g>
  );
}

function ChoiceMark({
  halt,
  scale,
  middle,
}: {
  readonly halt: HaltFacts;
  readonly scale: Scale;
  readonly middle: number;
}) {
  if (halt.choice === null) return null;
  const { at, answer, how, path, comments } = halt.choice;
  const isSentBack = comments.length > 0;
  return (
    <g>
      <title>{path === null && !isSentBack ? answer : `${answer} (${how})`}</title>
      <At x={toPercent(scale.at(at))} y={middle}>
        <path class="choice" d="M-11 0l11 -11l11 11l-11 11z" />
        <Count text={path === null ? (isSentBack ? '↩' : '×') : String(path)} />
      </At>
    </g>
  );
}

function EndMark({ report, x, bottom }: { readonly report: ReportFacts; readonly x: string; readonly bottom: number }) {
  const isMerged = report.status === 'merged';
  return (
    <g class={isMerged ? 'good' : 'bad'}>
      <line class="end" x1={x} x2={x} y1="18" y2={bottom} />
      <text class="end" x={x} y="12">
        {isMerged ? 'merged' : 'given up'}
      </text>
    </g>
  );
}

function Axis({ scale, from, bottom }: { readonly scale: Scale; readonly from: string; readonly bottom: number }) {
  const cuts = scale.stretches.filter(({ isCut, width }) => isCut && width >= 1);
  return (
    <>
      {cuts.map(({ x, width, from, to }) => (
        <g key={from}>
          <title>{`${formatDuration(to - from)} without work, drawn shorter`}</title>
          <At x={toPercent(x + width / 2)} y={bottom}>
            <path class="cut" d="M-4 7l4 -14m0 14l4 -14" />
            {width >= LABELLED ? (
              <text class={width < NARROW_ROOM ? 'cut spare' : 'cut'} x="0" y="34">
                {formatDuration(to - from)}
              </text>
            ) : null}
          </At>
        </g>
      ))}
      {computeTicks(scale, Date.parse(from)).map(({ x, text, anchor, isSpare }) => (
        <g key={x}>
          <line class="tick" x1={toPercent(x)} x2={toPercent(x)} y1={bottom} y2={bottom + 5} />
          <text class={`tick ${anchor}${isSpare ? ' spare' : ''}`} x={toPercent(x)} y={bottom + 20}>
            {text}
          </text>
        </g>
      ))}
    </>
  );
}
