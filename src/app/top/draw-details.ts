import { extractFailures } from '../../base/failure-excerpt.ts';
import { formatLocalTime, withLocalTimes } from '../../base/local-time.ts';
import { toSentence } from '../../base/to-sentence.ts';
import type { BoardRow, NeedGroup } from '../../line/board/board.ts';
import type { CallOutput } from '../../line/board/call-output.ts';
import { describeRow, estimateEnd, formatAge, formatRowCost } from '../../line/board/describe-row.ts';
import { formatBudgetUse, formatFileChange } from '../../line/reports/task-report/format-figures.ts';
import { drawWrapped, toDrawn, type Drawn, type Tone } from './drawn.ts';
import type { RowDetails } from './read-details.ts';
import { formatPlace } from '../../base/format-place.ts';
import type { DiffFile, DiffRow } from '../../base/read-diff.ts';
import { formatCount } from '../../base/format-count.ts';
import { formatFoundAt, type FoundAt } from '../../line/reports/task-report/list-found-in.ts';

interface DetailsShown {
  readonly what: 'all' | 'change' | 'story';
  readonly width: number;
  readonly now: Date;
  /** Of a task that began, once they are read; a text is why they cannot be. */
  readonly details: RowDetails | string | undefined;
  /** Beside the list a long side is cut; opened, it is whole. */
  readonly isBrief: boolean;
}

/** What some rows are about, in the order of a decision: what was wanted, the question, both sides, both paths, the change. */
export function drawDetails(group: NeedGroup, shown: DetailsShown): readonly Drawn[] {
  const { rows } = group;
  const [row] = rows;
  const { width, now, details } = shown;
  const read = typeof details === 'object' ? details : undefined;
  if (shown.what === 'story')
    return (read?.story ?? []).flatMap(({ at, text }) =>
      drawWrapped(`${formatLocalTime(at, now, { seconds: true, day: true })}  ${text}`, width),
    );
  const change = read === undefined ? [] : drawChange(read.files, read.found, width);
  const gap = typeof details === 'string' ? details : read?.gap;
  const gapLines = gap === undefined ? [] : [toDrawn(toSentence(gap), 'dim')];
  if (shown.what === 'change') return [...change, ...gapLines];
  return [
    ...drawHead(group, shown),
    ...(row.halt === null ? drawNoHalt(row, shown) : drawHalt(row, rows.length, shown, read)),
    ...(rows.length === 1 ? [] : rows.map((one) => toDrawn(`${one.task_id ?? ''}  ${one.title}`))),
    ...(rows.length > 1 || read === undefined
      ? []
      : [
          ...drawOtherFindings(read.files, read.found, width),
          ...(change.length === 0 ? [] : [drawRule('change', width), ...change]),
        ]),
    ...(row.kind === 'working' || rows.length > 1 ? [] : gapLines),
    // What is typed for rows whose keys answer nothing.
    ...(row.halt !== null
      ? []
      : row.ways.flatMap(({ title, does, command }) => [
          ...drawWrapped(`${title}: ${does}`, width),
          ...drawWrapped(command, width, 'head', '  '),
        ])),
    ...(rows.length > 1 || read === undefined || !shown.isBrief
      ? []
      : [...drawStory(read, shown), ...drawWholeSides(read, width)]),
  ];
}

const drawRule = (name: string, width: number): Drawn =>
  toDrawn(`─ ${name} ${'─'.repeat(Math.max(0, width - name.length - 3))}`, 'dim');

function drawHead({ rows }: NeedGroup, { width, now, details }: DetailsShown): readonly Drawn[] {
  const [row] = rows;
  const isSeveral = rows.length > 1;
  const title = isSeveral ? `${rows.length} tasks: ${row.phrase}` : row.title;
  const facts = [
    ...(isSeveral || row.task_id === null ? [] : [row.task_id]),
    row.name,
    ...(row.attempt === null || row.attempt === 0 || isSeveral ? [] : [`attempt ${row.attempt}`]),
    ...(isSeveral ? [] : row.budget.length > 0 ? row.budget.map(formatBudgetUse) : [formatRowCost(row)]),
    ...(row.since === null ? [] : [formatAge(row.since, now.toISOString())]),
  ].filter(Boolean);
  const wanted = typeof details === 'object' ? details.requirements : row.wanted === null ? [] : [row.wanted];
  return [
    ...drawWrapped(title, width, 'head'),
    ...drawWrapped(facts.join(' · '), width, 'dim'),
    ...(isSeveral ? [] : wanted.filter((one) => one.trim() !== row.title).slice(0, MOST_WANTED)).flatMap((one) =>
      drawWrapped(one, width, 'plain', '- '),
    ),
  ];
}

const MOST_WANTED = 4;

function drawNoHalt(row: BoardRow, { width, now }: DetailsShown): readonly Drawn[] {
  const words = (text: string): string => withLocalTimes(toSentence(text), now);
  const work = row.work === null ? '' : ` · ${row.work.model} · ${estimateEnd(row.work, now.toISOString())}`;
  return [
    ...drawWrapped(words(describeRow(row)) + work, width, row.lane === 'needs_you' ? 'bad' : 'work'),
    ...(row.unknown === null ? [] : drawWrapped(words(`unknown since ${row.as_of}: ${row.unknown}`), width, 'bad')),
    ...(row.why === '' || toSentence(row.why) === row.phrase ? [] : drawWrapped(words(row.why), width)),
  ];
}

/** Beside the list, the most of one side: its characters, and lines of what a gate printed. */
const [MOST_SAID, MOST_OUTPUT] = [400, 10];

type Side = RowDetails['sides'][number];

/** The part of a side that leaves room for the answers; of what a gate printed, the failures. */
function shorten({ who, says }: Side): string {
  const isOutput = who.startsWith('gate ');
  const short = isOutput ? extractFailures(says, 2 * MOST_SAID) : says.slice(0, MOST_SAID);
  return short.split('\n').slice(0, MOST_OUTPUT).join('\n');
}

const drawWholeSides = ({ sides }: RowDetails, width: number): readonly Drawn[] =>
  sides
    .filter((one) => shorten(one).trimEnd().length < one.says.trimEnd().length)
    .flatMap(({ who, says }) => [drawRule(`all of ${who}`, width), ...drawWrapped(says.trimEnd(), width)]);

function drawHalt(
  row: BoardRow,
  count: number,
  { width, now, isBrief }: DetailsShown,
  read: RowDetails | undefined,
): readonly Drawn[] {
  const { halt } = row;
  const side = ({ who, says }: Side): readonly Drawn[] => {
    const text = isBrief ? shorten({ who, says }) : says;
    const isCut = text.trimEnd().length < says.trimEnd().length;
    return [
      ...drawWrapped(toSentence(who), width, 'work'),
      ...drawWrapped(`${text.trimEnd()}${isCut ? ' …' : ''}`, width, 'plain', '  '),
    ];
  };
  const paths = row.paths.flatMap(({ title, does, futile }, at): readonly Drawn[] => {
    const isSuggested = halt?.suggestion?.path === at + 1;
    return [
      ...drawWrapped(`${at + 1}  ${title}${isSuggested ? '  (suggested)' : ''}`, width, isSuggested ? 'good' : 'head'),
      ...drawWrapped(futile === null ? does : `${futile} Another sum can be typed.`, width, 'plain', '   '),
    ];
  });
  const isBackPossible = count === 1 && read?.sendBack !== undefined;
  return [
    ...drawWrapped(halt?.question ?? '', width, 'bad'),
    ...drawWrapped(withLocalTimes(toSentence(row.why), now), width, 'dim'),
    ...(count > 1 ? [] : (read?.sides ?? []).flatMap(side)),
    drawRule(count > 1 ? `answers all ${count}` : 'answers', width),
    ...paths,
    ...(isBackPossible ? drawWrapped(`c  Send it back with a comment`, width, 'head') : []),
    ...(isBackPossible ? drawWrapped(read.sendBack, width, 'plain', '   ') : []),
    ...(halt?.suggestion == null ? [] : drawWrapped(`Suggested: ${halt.suggestion.why}.`, width, 'good')),
  ];
}

const drawStory = ({ story }: RowDetails, { width, now }: DetailsShown): readonly Drawn[] => [
  drawRule('story', width),
  ...story.toReversed().map(({ at, text }) => toDrawn(`${formatLocalTime(at, now)}  ${text}`, 'dim')),
];

/** The last lines of what the agents of a task write, in this many rows. */
export function drawOutput(calls: readonly CallOutput[], room: number, width: number): readonly Drawn[] {
  const each = Math.floor(room / Math.max(1, calls.length));
  return each < 2
    ? []
    : calls.flatMap(({ station, call, lines }) => [
        drawRule(`${station}, call ${call}, live`, width),
        ...lines.flatMap((text) => drawWrapped(text, width)).slice(1 - each),
      ]);
}

const MOST_LINES = 20_000;

/** A change with the numbers of its lines, each finding below its line. */
function drawChange(files: readonly DiffFile[], found: readonly FoundAt[], width: number): readonly Drawn[] {
  const lines: Drawn[] = [];
  for (const file of files) {
    if (lines.length >= MOST_LINES) break;
    const own = found.filter((one) => one.file === file.path);
    lines.push(drawFileHead(file, own.length));
    for (const row of file.rows.slice(0, MOST_LINES - lines.length)) {
      if (row.kind === 'header') continue;
      lines.push(drawRow(file, row));
      const here = row.kind === 'removed' ? [] : own.filter(({ line }) => line !== undefined && line === row.line);
      lines.push(...here.flatMap((one) => drawFinding(one, width, NUMBER + 2)));
    }
  }
  return lines;
}

/** Findings at no line of these files, with their places. */
const drawOtherFindings = (files: readonly DiffFile[], found: readonly FoundAt[], width: number) =>
  found
    .filter(
      ({ file, line }) =>
        !files.some(
          ({ path, rows }) => path === file && rows.some((row) => row.kind !== 'removed' && row.line === line),
        ),
    )
    .flatMap((one) => drawFinding(one, width, 0));

function drawFileHead({ path, from, change, isBinary, rows }: DiffFile, findings: number): Drawn {
  const count = (kind: DiffRow['kind']): number | null =>
    isBinary ? null : rows.filter((row) => row.kind === kind).length;
  const what = formatFileChange(change, count('added'), count('removed'));
  return {
    spans: [
      { text: from === undefined ? path : `${from} to ${path}`, tone: 'head' },
      findings === 0
        ? { text: `  ${what}`, tone: 'dim' }
        : { text: `  ${what}, ${formatCount(findings, 'finding')}`, tone: 'wait' },
    ],
  };
}

const NUMBER = 5;
const TONES: Readonly<Partial<Record<DiffRow['kind'], Tone>>> = {
  added: 'good',
  removed: 'bad',
  hunk: 'dim',
  note: 'dim',
};

function drawRow({ path }: DiffFile, { kind, signs, text, line }: DiffRow): Drawn {
  const tone = TONES[kind] ?? 'plain';
  const shown = text.replaceAll('\t', '    ');
  if (kind === 'hunk') return toDrawn(shown.replace(/^(@@+) .* \1/, '$1'), tone);
  const number = line === undefined || kind === 'removed' ? '' : String(line);
  return {
    spans: [
      { text: `${number.padStart(NUMBER)} `, tone: 'dim' },
      { text: `${signs}${shown}`, tone },
    ],
    place: kind === 'removed' || line === undefined || path === '' ? undefined : `${path}:${line}`,
  };
}

function drawFinding(one: FoundAt, width: number, indent: number): readonly Drawn[] {
  const place = indent > 0 || one.file === undefined ? '' : formatPlace(one.file, one.line);
  return drawWrapped(formatFoundAt(one, place).replace(/\s+/g, ' '), width, 'wait', `${' '.repeat(indent)}^ `);
}
