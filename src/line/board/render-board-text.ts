import { formatLocalTime, withLocalTimes } from '../../base/local-time.ts';
import { toSingleLine, toTerminalLine } from '../../base/plain-text.ts';
import { toShellWord } from '../../base/shell-word.ts';
import { fitToWidth } from '../../base/text-width.ts';
import { toSentence } from '../../base/to-sentence.ts';
import { BOARD_LANES, type Board, type BoardRow, type BoardLane } from './board.ts';
import { listStripFacts } from './status-strip.ts';
import { describeRow, formatAge } from './describe-row.ts';

export const BOARD_LANE_NAMES: Readonly<Record<BoardLane, string>> = {
  needs_you: 'Needs you',
  working: 'Working',
  waiting: 'Waiting',
  ended: 'Ended',
};

interface TextRow {
  readonly tone: 'head' | 'bad' | 'dim' | 'plain';
  readonly text: string;
}

/**
 * The board as lines of at most this width: the status, lanes with counts, rows with ages, and gaps in the data. Commands
 * stay whole; they go into the folder of their repository first, unless they are read there (`here`).
 */
export function renderBoardText(board: Board, width: number, here?: string): readonly TextRow[] {
  const now = new Date(board.at);
  const fit = (text: string): string => fitToWidth(withLocalTimes(toSingleLine(text), now), width);
  const several = board.repositories.length > 1;
  const lanes = BOARD_LANES.flatMap((lane): TextRow[] => {
    const rows = board.lanes[lane];
    const head = `${BOARD_LANE_NAMES[lane]} (${rows.length})`;
    return [
      { tone: 'head', text: rows.length === 0 ? `${head}: nothing.` : head },
      ...rows.flatMap((row) => [
        ...rowText(row, board.at, several).map(({ tone, text }) => ({ tone, text: fit(text) })),
        ...commandText(row, here),
      ]),
    ];
  });
  const unknown = board.not_known.map(({ what, remedy }): TextRow => {
    const text = `  ${toTerminalLine(what, 300)}${remedy === null ? '' : `; ${remedy}`}`;
    return { tone: 'bad', text: fit(text) };
  });
  const facts = listStripFacts(board, now);
  return [
    {
      tone: facts.some(({ tone }) => tone === 'bad') ? 'bad' : 'dim',
      text: fit(facts.map(({ text }) => text).join(' · ')),
    },
    ...lanes,
    ...(unknown.length === 0 ? [] : [{ tone: 'head' as const, text: `Missing data (${unknown.length})` }, ...unknown]),
  ];
}

function rowText(row: BoardRow, at: string, several: boolean): readonly TextRow[] {
  const place = several ? `${row.name}  ` : '';
  const name = row.task_id ?? row.title;
  const age = row.since === null ? '' : `, ${formatRowAge(row.lane, formatAge(row.since, at))}`;
  const stale =
    row.unknown === null ? '' : ` (unknown since ${formatLocalTime(row.as_of, new Date(at))}: ${row.unknown})`;
  const tone = row.lane === 'needs_you' || row.unknown !== null ? 'bad' : 'plain';
  const why =
    row.why === '' || row.lane === 'working' || toSentence(row.why) === row.phrase
      ? []
      : [{ tone: 'dim' as const, text: `    ${row.why}` }];
  return [{ tone, text: `  ${place}${name}  ${describeRow(row)}${age}${stale}` }, ...why];
}

/** The suggested command of a row that needs you. Both lines can be pasted together. */
function commandText(row: BoardRow, here: string | undefined): readonly TextRow[] {
  const suggested = row.halt?.suggestion?.path ?? 1;
  const way = row.lane === 'needs_you' ? (row.ways[suggested - 1] ?? row.ways[0]) : undefined;
  if (way === undefined) return [];
  const other = row.paths.length === 2 && row.ways.length >= 2 ? `  # or path ${3 - suggested}` : '';
  const folder = toShellWord(row.root);
  const into = row.root === here ? [] : [folder === undefined ? `Type it in ${row.root}:` : `cd ${folder} &&`];
  return [...into, `${way.command}${other}`].map((text) => ({ tone: 'plain', text: `    ${toSingleLine(text)}` }));
}

/** An open item has an age; an ended one has an end. */
const formatRowAge = (lane: BoardLane, age: string): string => (lane === 'ended' ? `${age} ago` : `for ${age}`);
