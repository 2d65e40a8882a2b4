import { withLocalTimes } from '../../base/local-time.ts';
import { toSingleLine } from '../../base/plain-text.ts';
import { measureWidth } from '../../base/text-width.ts';
import { BOARD_LANES, type Board, type BoardLane, type BoardRow, type NeedGroup } from '../../line/board/board.ts';
import { findLastLine, type CallOutput } from '../../line/board/call-output.ts';
import { BOARD_LANE_NAMES } from '../../line/board/render-board-text.ts';
import { estimateEnd, formatRowCost, formatShortAge } from '../../line/board/describe-row.ts';
import { fitLine, markChosen, padToWidth, toDrawn, wrapLines, type Drawn, type Tone } from './drawn.ts';
import { listAllGroups, listGroups, type Filter } from './list-groups.ts';

/** Lines that are only shown together: the head of a lane, or a row. */
interface Block {
  readonly lane: BoardLane;
  readonly lines: readonly Drawn[];
  readonly isRow: boolean;
  readonly isChosen: boolean;
}

interface ListShown {
  readonly width: number;
  readonly chosen: string | undefined;
  readonly output: readonly CallOutput[];
}

export function drawList(board: Board, filter: Filter, shown: ListShown): readonly Block[] {
  const columns = planColumns(board, listAllGroups(board, filter), shown.width);
  return BOARD_LANES.filter((lane) => filter.lane === 'all' || filter.lane === lane).flatMap((lane): Block[] => {
    const groups = listGroups(board, lane, filter);
    const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
    const head = toDrawn(`${BOARD_LANE_NAMES[lane]} (${count})`, 'head');
    return [
      { lane, lines: [fitLine(head, shown.width)], isRow: false, isChosen: false },
      ...groups.map((group) => {
        const isChosen = group.key === shown.chosen;
        const lines = [
          ...drawGroup(group, board.at, columns, { width: shown.width, isChosen }),
          ...drawLastLine(group, shown),
        ];
        const fitted = lines.map((line) => fitLine(line, shown.width, isChosen));
        return { lane, isRow: true, isChosen, lines: isChosen ? fitted.map(markChosen) : fitted };
      }),
    ];
  });
}

/** The columns of the list; a column of no width is not shown. */
interface Columns {
  readonly id: number;
  readonly name: number;
  readonly title: number;
  readonly cause: number;
  readonly cost: number;
  /** In a narrow list the cause is below the title. */
  readonly isStacked: boolean;
}

/** The mark of the chosen row, the icon, and a blank. */
const LEAD = 3;
const GAP = 2;
const AGE = 4;
/** From this width on there is a column of costs, of repositories; narrower titles have their cause below. */
const [LEAST_COST, LEAST_NAME, LEAST_TITLE, LEAST_CAUSE] = [52, 96, 20, 20];

function planColumns(board: Board, groups: readonly NeedGroup[], width: number): Columns {
  const widest = (texts: readonly string[], most: number): number =>
    Math.min(
      Math.max(0, most),
      texts.reduce((max, text) => Math.max(max, measureWidth(toSingleLine(text))), 0),
    );
  const id = widest(groups.map(idOf), Math.max(8, Math.floor(width * 0.25)));
  const several = board.repositories.length > 1;
  const name =
    several && width >= LEAST_NAME
      ? widest(
          board.repositories.map((one) => one.name),
          18,
        )
      : 0;
  const costs = width < LEAST_COST ? [] : groups.map((group) => costOf(group));
  const cost = widest(costs, 9);
  const fixed = [id, name, cost].reduce((sum, one) => sum + (one === 0 ? 0 : one + GAP), LEAD + AGE + GAP);
  const room = width - fixed - GAP;
  if (room < LEAST_TITLE + LEAST_CAUSE)
    return { id, name, title: Math.max(8, width - fixed), cause: 0, cost, isStacked: true };
  const open = groups.filter(({ rows: [row] }) => row.lane !== 'ended');
  const cause = widest(
    open.map((group) => causeOf(group, board.at)),
    Math.floor(room / 2),
  );
  return { id, name, title: room - cause, cause, cost, isStacked: false };
}

/** Ids are of one repository each; rows without one are about it. */
const idOf = ({ rows: [row, ...more] }: NeedGroup): string =>
  more.length > 0 ? `${more.length + 1} tasks` : (row.task_id ?? row.name);

const costOf = ({ rows: [row, ...more] }: NeedGroup): string => (more.length > 0 ? '' : formatRowCost(row));

function titleOf({ rows: [row, ...more] }: NeedGroup): string {
  if (more.length > 0) return row.why;
  return row.title === row.task_id ? (row.file ?? '') : row.title;
}

function causeOf({ rows: [row] }: NeedGroup, at: string): string {
  if (row.unknown !== null) return `unknown: ${row.unknown}`;
  const work = row.work?.usually_ms == null ? '' : ` · ${estimateEnd(row.work, at)}`;
  return withLocalTimes(row.phrase, new Date(at)) + work;
}

const ICONS: Readonly<Partial<Record<BoardRow['kind'], readonly [icon: string, tone: Tone]>>> = {
  decision: ['?', 'wait'],
  refused: ['x', 'wait'],
  working: ['*', 'work'],
  waits: ['~', 'wait'],
  queued: ['~', 'dim'],
  merged: ['+', 'good'],
  undone: ['-', 'dim'],
  abandoned: ['-', 'dim'],
};
const URGENT: readonly [string, Tone] = ['!', 'bad'];

function drawGroup(
  group: NeedGroup,
  at: string,
  columns: Columns,
  { width, isChosen }: { readonly width: number; readonly isChosen: boolean },
): readonly Drawn[] {
  const [row] = group.rows;
  const { lane, kind, since, name } = row;
  const [icon, tone] = ICONS[kind] ?? URGENT;
  // What needs you is never cut: it goes on in the next line.
  const isWhole = lane === 'needs_you';
  const wrap = (text: string, most: number): readonly string[] =>
    most <= 0 ? [] : isWhole ? wrapLines(text, most) : [toSingleLine(text)];
  const isEnded = lane === 'ended';
  const cause = causeOf(group, at);
  const causeTone: Tone = row.unknown !== null ? 'bad' : isEnded || kind === 'queued' ? 'dim' : tone;
  const cells: readonly Cell[] = [
    { lines: wrap(idOf(group), columns.id), width: columns.id, tone: isEnded ? 'dim' : 'head' },
    { lines: [name], width: columns.name, tone: 'dim' },
    { lines: wrap(titleOf(group), columns.title), width: columns.title, tone: isEnded ? 'dim' : 'plain' },
    { lines: wrap(cause, columns.cause), width: columns.cause, tone: causeTone },
    { lines: [costOf(group).padStart(columns.cost)], width: columns.cost, tone: 'dim' },
    { lines: [since === null ? '' : formatShortAge(since, at).padStart(AGE)], width: AGE, tone: 'dim' },
  ];
  const shown = cells.filter((cell) => cell.width > 0);
  const height = Math.max(1, ...shown.map(({ lines }) => lines.length));
  const rows = Array.from({ length: height }, (_, line): Drawn => ({
    spans: [
      { text: line === 0 && isChosen ? '>' : ' ', tone: 'head' },
      { text: line === 0 ? `${icon} ` : '  ', tone },
      ...shown.map(({ lines, width, tone: own }, index) => ({
        text: padToWidth(lines[line] ?? '', width) + (index === shown.length - 1 ? '' : ' '.repeat(GAP)),
        tone: own,
      })),
    ],
  }));
  if (!columns.isStacked || isEnded) return rows;
  const indent = ' '.repeat(LEAD + columns.id + GAP);
  return [...rows, ...wrap(cause, width - indent.length).map((text) => toDrawn(`${indent}${text}`, causeTone))];
}

interface Cell {
  readonly lines: readonly string[];
  readonly width: number;
  readonly tone: Tone;
}

/** What the agents of a working row wrote last. */
function drawLastLine({ rows: [row] }: NeedGroup, { output }: ListShown): readonly Drawn[] {
  const last = row.lane === 'working' ? findLastLine(output, row) : undefined;
  return last === undefined ? [] : [toDrawn(`    ${last.trim()}`, 'dim')];
}

/** The blocks around the chosen one that fit into this many lines, with their rows; what is above and below is counted. */
export function fitBlocks(
  blocks: readonly Block[],
  room: number,
  width: number,
): { readonly lines: readonly Drawn[]; readonly rows: number } {
  const heights = blocks.map(({ lines }) => lines.length);
  if (heights.reduce((sum, one) => sum + one, 0) <= room)
    return { lines: blocks.flatMap(({ lines }) => lines), rows: countRows(blocks) };
  const at = Math.max(
    0,
    blocks.findIndex(({ isChosen }) => isChosen),
  );
  const height = (from: number, until: number): number => heights.slice(from, until).reduce((sum, one) => sum + one, 0);
  // A line each counts what is above and below.
  const fits = (from: number, until: number): boolean =>
    height(from, until) + Number(from > 0) + Number(until < blocks.length) <= room;
  let [from, until] = [at, at + 1];
  if (!fits(from, until)) return { lines: (blocks[at]?.lines ?? []).slice(0, room), rows: 1 };
  while (from > 0 && height(from - 1, until) <= room / 2 && fits(from - 1, until)) from -= 1;
  while (until < blocks.length && fits(from, until + 1)) until += 1;
  while (from > 0 && fits(from - 1, until)) from -= 1;
  const [above, below] = [countRows(blocks.slice(0, from)), countRows(blocks.slice(until))];
  const first = blocks[from];
  const lane = first?.isRow === true ? `${BOARD_LANE_NAMES[first.lane]}: ` : '';
  const line = (text: string): Drawn => fitLine(toDrawn(text, 'dim'), width);
  const lines = [
    ...(from === 0 ? [] : [line(`${lane}${above} more above`)]),
    ...blocks.slice(from, until).flatMap((block) => block.lines),
    ...(until === blocks.length ? [] : [line(`${below} more below`)]),
  ];
  return { lines, rows: countRows(blocks.slice(from, until)) };
}

const countRows = (blocks: readonly Block[]): number => blocks.filter(({ isRow }) => isRow).length;
