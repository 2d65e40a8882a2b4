import { withLocalTimes } from '../../base/local-time.ts';
import { toSingleLine } from '../../base/plain-text.ts';
import { fitToWidth, wrapText } from '../../base/text-width.ts';
import { toSentence } from '../../base/to-sentence.ts';
import { BOARD_LANES, type Board, type BoardRow } from '../../line/board/board.ts';
import { findLastLine, listTaskOutput, type CallOutput } from '../../line/board/call-output.ts';
import { listStripFacts } from '../../line/board/status-strip.ts';
import { listKeys } from '../../line/board/keys.ts';
import { BOARD_LANE_NAMES } from '../../line/board/text.ts';
import { formatAge, estimateEnd } from '../../line/board/words.ts';
import { formatBudgetUse } from '../../line/documents/task-report/words.ts';
import { findChosenRow, type State } from './handle-key.ts';

export interface Drawn {
  readonly text: string;
  readonly tone: 'head' | 'bad' | 'good' | 'dim' | 'plain';
  readonly isChosen?: true;
}

const KEYS =
  'j k move  enter open  d diff  l log  1 2 answer  c comment  s say  h halt  p pause  r retry  f filter  ? help  q quit';
/** What fits into 80 columns; the rest is in the help. */
const FEWER_KEYS = 'j k move  enter open  d diff  l log  1 2 answer  f filter  ? help  q quit';
const HELP: readonly string[] = listKeys('terminal').map(({ keys, does }) => `${keys.padEnd(26)}  ${does}`);

interface Shown {
  readonly rows: number;
  readonly columns: number;
  /** The watchdog's last message. */
  readonly said?: string | undefined;
  readonly output?: readonly CallOutput[];
}

/** The screen, bounded by the window: the status in the first line, the keys in the last one, the watchdog above. Pure. */
export function renderScreen(
  board: Board,
  state: State,
  { rows, columns, said, output = [] }: Shown,
): readonly Drawn[] {
  const now = new Date(board.at);
  const fit = (text: string): string => fitToWidth(withLocalTimes(toSingleLine(text), now), columns);
  const facts = listStripFacts(board, now);
  const head: Drawn = {
    tone: facts.some(({ tone }) => tone === 'bad') ? 'bad' : 'head',
    text: fit(`andon  ${facts.map(({ text }) => text).join(' · ')}`),
  };
  const message: readonly Drawn[] = said === undefined ? [] : [{ tone: 'dim', text: said }];
  const foot = [...message, ...footOf(state, columns)].map((one) => ({ ...one, text: fit(one.text) }));
  const room = Math.max(1, rows - 1 - foot.length);
  const body = bodyOf(board, state, room, output).map((one) => ({ ...one, text: fit(one.text) }));
  const fill: readonly Drawn[] = Array.from({ length: Math.max(0, room - body.length) }, () => ({
    tone: 'plain',
    text: '',
  }));
  return [head, ...body.slice(0, room), ...fill, ...foot].slice(0, Math.max(1, rows));
}

function footOf({ view, message }: State, columns: number): readonly Drawn[] {
  const keys: Drawn = {
    tone: 'dim',
    text: view.is !== 'list' ? keysOf(view) : columns > KEYS.length ? KEYS : FEWER_KEYS,
  };
  if (view.is === 'sure') {
    const lines = wrapText(toSingleLine(view.question), Math.max(10, columns)).slice(0, 4);
    const how =
      view.must === undefined
        ? 'y does it, anything else does not'
        : `${view.must === null ? (view.wish.do === 'comment' ? 'comment' : 'why') : `type ${view.must}`}: ${view.typed}_   enter does it, esc does not`;
    return [...lines.map((text): Drawn => ({ tone: 'bad', text })), { tone: 'head', text: how }];
  }
  return message === '' ? [keys] : [{ tone: 'head', text: message }, keys];
}

/** The keys above the rows; what is shown of a task can be commented on. */
const keysOf = (view: State['view']): string =>
  view.is === 'text' && view.of !== undefined ? 'up/down move  c comment  esc back' : 'up/down move  esc back';

function bodyOf(board: Board, state: State, room: number, output: readonly CallOutput[]): readonly Drawn[] {
  const { view } = state;
  if (view.is === 'help') return HELP.map((text) => ({ tone: 'plain', text }));
  const chosen = findChosenRow(board, state);
  if (view.is === 'text') {
    const calls = view.of === undefined || view.of !== chosen?.key ? [] : listTaskOutput(output, chosen);
    // A live tail is followed: its end is always on the screen.
    const most = calls.length === 0 ? room - 1 : Math.min(view.lines.length, Math.floor(room / 2));
    const above = view.lines.slice(view.top, view.top + most);
    return [
      { tone: 'head', text: `${view.title} (${view.top + 1} of ${view.lines.length})` },
      ...above.map((text): Drawn => ({ tone: toneOf(text), text })),
      ...calls.flatMap((call) => liveLines(call, Math.floor((room - 1 - above.length) / calls.length))),
    ];
  }
  const several = board.repositories.length > 1;
  const lines = BOARD_LANES.filter((lane) => state.filter === 'all' || lane === state.filter).flatMap(
    (lane): Drawn[] => [
      { tone: 'head', text: `${BOARD_LANE_NAMES[lane]} (${board.lanes[lane].length})` },
      ...board.lanes[lane].flatMap((row): Drawn[] => {
        const last = lane === 'working' ? findLastLine(output, row) : undefined;
        return [
          {
            tone: row.unknown !== null || lane === 'needs_you' ? 'bad' : lane === 'ended' ? 'dim' : 'plain',
            text: `${row.key === chosen?.key ? '>' : ' '} ${rowText(row, board.at, several)}`,
            ...(row.key === chosen?.key ? { isChosen: true as const } : {}),
          },
          ...(last === undefined ? [] : [{ tone: 'dim' as const, text: `    ${last}` }]),
        ];
      }),
    ],
  );
  const notKnown = board.not_known.map(({ what }): Drawn => ({ tone: 'bad', text: `not known: ${what}` }));
  const all = [...lines, ...notKnown];
  const at = Math.max(
    0,
    all.findIndex(({ isChosen }) => isChosen === true),
  );
  const top = Math.max(0, Math.min(at - Math.floor(room / 2), all.length - room));
  return all.slice(top, top + room);
}

/** The last lines of a call, in this many rows. */
const liveLines = ({ station, call, lines }: CallOutput, room: number): readonly Drawn[] =>
  room < 2
    ? []
    : [
        { tone: 'head', text: `${station}, call ${call}, live` },
        ...lines.slice(1 - room).map((text): Drawn => ({ tone: 'plain', text: `  ${text}` })),
      ];

function rowText(row: BoardRow, at: string, several: boolean): string {
  const name = row.task_id ?? row.title;
  const age = row.since === null ? '' : `  ${formatAge(row.since, at)}`;
  const work = row.work === null ? '' : `  ${estimateEnd(row.work, at)}`;
  const spent = row.lane === 'working' ? row.budget.map((one) => `  ${formatBudgetUse(one)}`).join('') : '';
  const stale = row.unknown === null ? '' : `  unknown since ${row.as_of}: ${row.unknown}`;
  const why = row.why === '' || row.lane === 'working' || toSentence(row.why) === row.phrase ? '' : `  ${row.why}`;
  return `${several ? `${row.name}  ` : ''}${name}  ${row.phrase}${age}${work}${spent}${stale}${why}`;
}

const toneOf = (text: string): Drawn['tone'] =>
  text.startsWith('+') ? 'good' : text.startsWith('-') ? 'bad' : text.startsWith('@@') ? 'dim' : 'plain';
