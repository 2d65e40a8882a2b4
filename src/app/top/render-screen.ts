import { withLocalTimes } from '../../base/local-time.ts';
import { toSingleLine } from '../../base/plain-text.ts';
import { measureWidth, wrapText } from '../../base/text-width.ts';
import type { Board, NeedGroup } from '../../line/board/board.ts';
import { listTaskOutput, type CallOutput } from '../../line/board/call-output.ts';
import { formatKeyLine, TERMINAL_KEYS } from '../../line/board/keys.ts';
import { listStripFacts } from '../../line/board/status-strip.ts';
import { BOARD_LANE_NAMES } from '../../line/board/render-board-text.ts';
import { drawDetails, drawOutput } from './draw-details.ts';
import { drawList, fitBlocks } from './draw-list.ts';
import { drawWrapped, fitLine, toDrawn, type Drawn, type Tone } from './drawn.ts';
import { findChosen, type OnScreen, type State } from './handle-key.ts';
import { isFiltered, listAllGroups } from './list-groups.ts';
import type { RowDetails } from './read-details.ts';

interface Shown {
  readonly rows: number;
  readonly columns: number;
  /** What the watchdog said. */
  readonly said?: readonly string[];
  readonly output?: readonly CallOutput[];
  /** Of the chosen task, once they are read; a text is why they cannot be. */
  readonly details?: RowDetails | string | undefined;
}

interface Screen extends OnScreen {
  readonly lines: readonly Drawn[];
}

/** From this width on, what the chosen row is about is beside the list; else below it. */
const LEAST_BESIDE = 100;
const SEPARATOR = ' │ ';
/** The least lines of what is below the list, and of the list above it. */
const [LEAST_BELOW, LEAST_LIST] = [4, 9];

/** The screen, bounded by the window: the status in the first line, the keys in the last one, the watchdog above. Pure. */
export function renderScreen(board: Board, state: State, shown: Shown): Screen {
  const { rows, columns, said = [] } = shown;
  const now = new Date(board.at);
  const facts = listStripFacts(board, now);
  const head: Drawn = {
    spans: [
      { text: 'andon  ', tone: 'head' },
      ...facts.map(({ text, tone }, at) => ({
        text: `${at === 0 ? '' : ' · '}${text}`,
        tone: tone === 'plain' ? ('head' as const) : tone,
      })),
    ],
  };
  const last = said.at(-1);
  const foot = [
    ...(last === undefined ? [] : [toDrawn(withLocalTimes(last, now), 'dim')]),
    ...drawFoot(state, columns, now),
  ];
  const room = Math.max(1, rows - 1 - foot.length);
  const body = drawBody(board, state, { ...shown, room, now });
  const fill = Array.from({ length: Math.max(0, room - body.lines.length) }, () => toDrawn(''));
  const lines = [head, ...body.lines.slice(0, room), ...fill, ...foot];
  return {
    ...body,
    tree: typeof shown.details === 'object' ? shown.details.tree : undefined,
    lines: lines.slice(0, Math.max(1, rows)).map((line) => fitLine(line, columns)),
  };
}

function drawFoot({ view, message, isSeeking, sought }: State, columns: number, now: Date): readonly Drawn[] {
  if (view.is === 'sure') {
    const question = withLocalTimes(toSingleLine(view.question), now);
    const lines = wrapText(question, Math.max(10, columns)).slice(0, 4);
    if (view.must === undefined)
      return [...lines.map((text) => toDrawn(text, 'bad')), toDrawn('y does it, anything else does not', 'head')];
    const name =
      typeof view.must === 'object' ? `type ${view.must.exactly}` : view.must === 'sum' ? 'budget, $' : 'words';
    const [before, behind] = [`${name}: `, '_   enter does it, esc does not'];
    const room = columns - measureWidth(before) - behind.length;
    const typed = toSingleLine(view.typed);
    const text = `${before}${keepEnd(typed, Math.max(10, room))}${behind}`;
    return [...lines.map((line) => toDrawn(line, 'bad')), toDrawn(text, 'head')];
  }
  if (view.is === 'list' && isSeeking)
    return [toDrawn(`/${keepEnd(toSingleLine(sought), columns - 30)}_   enter keeps it, esc ends it`, 'head')];
  const keys = toDrawn(formatKeyLine(view.is === 'list' ? 'list' : 'open', columns), 'dim');
  return message === '' ? [keys] : [toDrawn(withLocalTimes(message, now), 'head'), keys];
}

/** The end of what is typed, where all of it is wider. */
function keepEnd(text: string, width: number): string {
  const letters = Array.from(text);
  while (measureWidth(letters.join('')) > Math.max(1, width)) letters.shift();
  return letters.join('');
}

type Body = Pick<Screen, 'lines' | 'open' | 'page'>;
type Around = Shown & { readonly room: number; readonly now: Date };

function drawBody(board: Board, state: State, around: Around): Body {
  const { columns, room, said = [], now } = around;
  const view = state.view.is === 'sure' ? state.view.from : state.view;
  const group = findChosen(board, state);
  switch (view.is) {
    case 'list':
      return drawLists(board, state, group, around);
    case 'help': {
      const lines = TERMINAL_KEYS.flatMap(({ keys, does }) => {
        const [first, ...more] = drawWrapped(does, columns, 'plain', ' '.repeat(22));
        const name = { text: keys.padEnd(22), tone: 'head' as const };
        const text = first?.spans[0]?.text.trimStart() ?? '';
        return [{ spans: [name, { text, tone: 'plain' as const }] }, ...more];
      });
      return { lines, open: [], page: room };
    }
    case 'said': {
      const all = said.length === 0 ? ['nothing; messages of andon watch appear here'] : said;
      const open = all.flatMap((line) => drawWrapped(withLocalTimes(line, now), columns));
      const head = toDrawn(`what the watchdog said (${open.length})`, 'head');
      const top = Math.max(0, Math.min(view.top, open.length - room + 1));
      return { lines: [head, ...open.slice(top)], open, page: Math.max(1, room - 1) };
    }
    case 'open': {
      const page = Math.max(1, room - 1);
      const isHere = group !== undefined && group.key === view.of;
      const open = isHere ? drawOpen(group, view.what, columns, around) : [];
      const name = group?.rows[0].task_id ?? group?.rows[0].title ?? '';
      const what = view.what === 'all' ? name : `${view.what === 'change' ? 'diff' : 'story'} of ${name}`;
      const head = isHere
        ? toDrawn(`${what} (${Math.min(view.top + 1, open.length)} of ${open.length})`, 'head')
        : toDrawn('this is settled: esc leads back', 'head');
      const output = view.what === 'all' && isHere ? listTaskOutput(around.output ?? [], group.rows[0]) : [];
      const above = open.slice(view.top, view.top + (output.length === 0 ? page : Math.floor(page / 2)));
      return { lines: [head, ...above, ...drawOutput(output, page - above.length, columns)], open, page };
    }
  }
}

const drawOpen = (
  group: NeedGroup,
  what: 'all' | 'change' | 'story',
  width: number,
  { details, now }: Around,
): readonly Drawn[] => {
  const lines = drawDetails(group, { what, width, now, details, isBrief: false });
  return lines.length > 0 ? lines : [toDrawn(details === undefined ? 'one moment' : 'nothing', 'dim')];
};

/** The list, and what its chosen row is about: beside it where there is room, else below it. */
function drawLists(board: Board, state: State, group: NeedGroup | undefined, around: Around): Body {
  const { columns, room, output = [], now, details } = around;
  const isBeside = columns >= LEAST_BESIDE;
  const width = isBeside ? Math.min(104, Math.floor(columns / 2)) : columns;
  const filtered = drawFilter(board, state);
  const missing = board.not_known.map(({ what }) => toDrawn(`not known: ${what}`, 'bad'));
  const about = (lines: number, wide: number): readonly Drawn[] => {
    if (group === undefined || lines < 1) return [];
    const text = drawDetails(group, { what: 'all', width: wide, now, details, isBrief: true });
    const calls = listTaskOutput(output, group.rows[0]);
    const above = calls.length === 0 ? text : text.slice(0, Math.floor(lines / 2));
    return [...above, ...drawOutput(calls, lines - above.length, wide)].slice(0, lines);
  };
  const blocks = drawList(board, state, { width, chosen: group?.key, output });
  const own = filtered.length + missing.length;
  const height = blocks.reduce((sum, { lines }) => sum + lines.length, 0) + own;
  const isBelow = !isBeside && room >= LEAST_LIST + LEAST_BELOW + 1;
  const list = isBelow ? Math.max(LEAST_LIST, Math.min(height, room - LEAST_BELOW - 1)) : room;
  const fitted = fitBlocks(blocks, Math.max(1, list - own), width);
  const lines = [...filtered, ...fitted.lines, ...missing].slice(0, list);
  const page = Math.max(1, fitted.rows - 1);
  if (isBeside) {
    const right = about(room, columns - width - SEPARATOR.length);
    const both = Array.from({ length: Math.max(lines.length, right.length) }, (_, at): Drawn => {
      const left = fitLine(lines[at] ?? toDrawn(''), width, true);
      return { spans: [...left.spans, { text: SEPARATOR, tone: 'dim' }, ...(right[at]?.spans ?? [])] };
    });
    return { lines: both, open: [], page };
  }
  if (!isBelow) return { lines, open: [], page };
  const fill = Array.from({ length: Math.max(0, Math.min(list, room) - lines.length) }, () => toDrawn(''));
  const below = about(room - list - 1, columns);
  return { lines: [...lines, ...fill, toDrawn('─'.repeat(columns), 'dim'), ...below], open: [], page };
}

function drawFilter(board: Board, state: State): readonly Drawn[] {
  if (!isFiltered(state)) return [];
  const count = listAllGroups(board, state).reduce((sum, { rows }) => sum + rows.length, 0);
  const only = [
    ...(state.lane === 'all' ? [] : [BOARD_LANE_NAMES[state.lane]]),
    ...board.repositories.filter(({ id }) => id === state.repository).map(({ name }) => name),
    ...(state.sought === '' ? [] : [`“${state.sought}”`]),
  ];
  return [toDrawn(`Only ${only.join(', ')}: ${count}. esc shows all`, 'wait' satisfies Tone)];
}
