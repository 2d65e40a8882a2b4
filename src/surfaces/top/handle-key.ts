import { readDiff } from '../../base/read-diff.ts';
import { BOARD_LANES, type Board, type BoardRow, type BoardLane } from '../../line/board/board.ts';
import { splitComment } from '../../record/comment.ts';
import type { Request } from '../../record/request.ts';

/** What is asked of the line, without who asks. */
type WithoutBy<One> = One extends unknown ? Omit<One, 'by'> : never;
export type Wish = WithoutBy<Request>;

type View =
  | { readonly is: 'list' }
  | { readonly is: 'help' }
  | {
      readonly is: 'text';
      readonly title: string;
      readonly lines: readonly string[];
      readonly top: number;
      /** The key of the row that it is all about. */
      readonly of?: string;
    }
  /** A question before something is asked of the line: `y`, or what must be typed. */
  | {
      readonly is: 'sure';
      readonly question: string;
      readonly root: string;
      readonly wish: Wish;
      /** Undefined = `y` is enough; a text = exactly this; null = any reason. */
      readonly must: string | null | undefined;
      readonly typed: string;
    };

export interface State {
  /** The key of the row that is chosen. */
  readonly chosen: string | undefined;
  readonly filter: BoardLane | 'all';
  readonly view: View;
  readonly message: string;
}

export const BEGIN: State = { chosen: undefined, filter: 'all', view: { is: 'list' }, message: '' };

/** A key as it was pressed: its name, or the character. */
export type Key =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'enter'
  | 'escape'
  | 'erase'
  | 'stop'
  | { readonly char: string };

/** What a key brings about beside what is shown. */
export type KeyEffect =
  | { readonly do: 'quit' }
  | { readonly do: 'stop' }
  | { readonly do: 'said' }
  /** `open`: the change of a halt goes below what is shown of it already. */
  | { readonly do: 'open' | 'diff' | 'log'; readonly row: BoardRow }
  | { readonly do: 'ask'; readonly root: string; readonly wish: Wish };

interface Pressed {
  readonly state: State;
  readonly effect?: KeyEffect;
}

/** The rows that a filter leaves, in the order in which they are shown. */
export const filterRows = (board: Board, filter: State['filter']): readonly BoardRow[] =>
  BOARD_LANES.filter((lane) => filter === 'all' || lane === filter).flatMap((lane) => board.lanes[lane]);

/** The row that is chosen; the first one where that is gone. */
export function findChosenRow(board: Board, { chosen, filter }: State): BoardRow | undefined {
  const rows = filterRows(board, filter);
  return rows.find(({ key }) => key === chosen) ?? rows[0];
}

const PAGE = 10;
const STEPS: Readonly<Record<string, number | undefined>> = { up: -1, down: 1, pageUp: -PAGE, pageDown: PAGE };

/** What a key does. Pure; nothing is asked of the line without a question before. */
export function handleKey(state: State, key: Key, board: Board): Pressed {
  const { view } = state;
  if (key === 'stop') return { state, effect: { do: 'stop' } };
  if (view.is === 'sure') return handleQuestionKey(state, view, key);
  if (view.is !== 'list') {
    if (key === 'escape' || key === 'enter' || isChar(key, 'q')) return { state: { ...state, view: { is: 'list' } } };
    if (view.is === 'help') return { state };
    const isAnswer = isChar(key, '1') || isChar(key, '2') || isChar(key, 'c');
    if (isAnswer && view.of !== undefined && view.of === findChosenRow(board, state)?.key)
      return withPlace(
        handleListKey({ ...state, view: { is: 'list' } }, key, board),
        findDiffPlace(view.lines, view.top),
      );
    const by = STEPS[typeof key === 'string' ? key : letter(key)] ?? 0;
    const top = Math.max(0, Math.min(view.lines.length - 1, view.top + by));
    return { state: { ...state, view: { ...view, top } } };
  }
  return handleListKey({ ...state, message: '' }, key, board);
}

/** A comment on a change that is shown begins at the line on top of the screen; that can be erased. */
function withPlace(pressed: Pressed, place: string | undefined): Pressed {
  const { view } = pressed.state;
  if (place === undefined || view.is !== 'sure' || view.wish.do !== 'comment') return pressed;
  return { ...pressed, state: { ...pressed.state, view: { ...view, typed: `${place} ` } } };
}

/** `j` and `k` move as the arrows do. */
const letter = ({ char }: { readonly char: string }): string => ({ j: 'down', k: 'up', ' ': 'pageDown' })[char] ?? char;
const isChar = (key: Key, char: string): boolean => typeof key === 'object' && key.char === char;

function handleListKey(state: State, key: Key, board: Board): Pressed {
  const row = findChosenRow(board, state);
  const by = STEPS[typeof key === 'string' ? key : letter(key)];
  if (by !== undefined) {
    const rows = filterRows(board, state.filter);
    const at = rows.findIndex((one) => one.key === row?.key);
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    return { state: { ...state, chosen: next?.key } };
  }
  if (key === 'enter' && row !== undefined) {
    const view: View = { is: 'text', title: row.task_id ?? row.name, lines: detailOf(row), top: 0, of: row.key };
    return { state: { ...state, view }, ...(row.halt_id === null ? {} : { effect: { do: 'open', row } }) };
  }
  if (typeof key === 'string') return { state };
  switch (key.char) {
    case 'q':
      return { state, effect: { do: 'quit' } };
    case '?':
      return { state: { ...state, view: { is: 'help' } } };
    case 'f': {
      const all = ['all', ...BOARD_LANES] as const;
      return { state: { ...state, filter: all[(all.indexOf(state.filter) + 1) % all.length] ?? 'all' } };
    }
    case 'w':
      return { state, effect: { do: 'said' } };
    case 'd':
    case 'l':
      if (row === undefined || row.task_id === null || row.kind === 'queued')
        return { state: withMessage(state, 'this row is about no task that began') };
      return { state, effect: { do: key.char === 'd' ? 'diff' : 'log', row } };
    default:
      return row === undefined ? { state } : { state: wished(state, key.char, row, board) };
  }
}

const withMessage = (state: State, message: string): State => ({ ...state, message });

function wished(state: State, char: string, row: BoardRow, board: Board): State {
  const { root, task_id: taskId, name } = row;
  const sure = (question: string, wish: Wish, must?: string | null): State => ({
    ...state,
    view: { is: 'sure', question, root, wish, must, typed: '' },
  });
  if (char === 'p') {
    const isPaused = board.repositories.find(({ id }) => id === row.repository)?.paused === true;
    return isPaused
      ? sure(`Let ${name} go on?`, { do: 'unpause' })
      : sure(`Pause ${name}: nothing further starts?`, { do: 'pause' });
  }
  if (char === '1' || char === '2') {
    const path = row.paths[Number(char) - 1];
    if (path === undefined || taskId === null || row.halt_id === null) return withMessage(state, 'this row is no halt');
    const wish: Wish = { do: 'resume', taskId, path: char === '1' ? 1 : 2, haltId: row.halt_id, how: 'andon top' };
    return sure(
      `${row.halt_id}, path ${char}: ${path.title}. ${path.does}`,
      wish,
      path.typed ? taskId : path.reasoned ? null : undefined,
    );
  }
  if (
    (char === 'h' || char === 'r' || char === 's' || char === 'c') &&
    (taskId === null || row.kind === 'queued' || row.lane === 'ended')
  )
    return withMessage(state, 'this row is about no task that is under way');
  if (char === 'h' && taskId !== null)
    return sure(`Halt ${taskId}? Type why`, { do: 'halt', taskId, reason: '' }, null);
  if (char === 's' && taskId !== null)
    return sure(`Tell the agents of ${taskId}:`, { do: 'say', taskId, text: '' }, null);
  if (char === 'c' && taskId !== null) {
    const halt = row.halt_id === null ? {} : { haltId: row.halt_id };
    return sure(
      `Send the change of ${taskId} back. Type FILE:LINE and what must change, or only that:`,
      { do: 'comment', taskId, ...halt, comments: [], how: 'andon top' },
      null,
    );
  }
  if (char === 'r' && taskId !== null)
    return sure(`Make the call of ${taskId} that waits now?`, { do: 'retry', taskId });
  return state;
}

function handleQuestionKey(state: State, view: Extract<View, { is: 'sure' }>, key: Key): Pressed {
  const back: State = { ...state, view: { is: 'list' }, message: 'nothing was asked for' };
  if (key === 'escape') return { state: back };
  if (view.must === undefined)
    return isChar(key, 'y') ? asks(state, view, view.wish) : typeof key === 'object' ? { state: back } : { state };
  if (key === 'erase') return { state: { ...state, view: { ...view, typed: view.typed.slice(0, -1) } } };
  if (typeof key === 'object')
    return { state: { ...state, view: { ...view, typed: (view.typed + key.char).slice(0, 300) } } };
  if (key !== 'enter') return { state };
  const typed = view.typed.trim();
  if (view.must === null ? typed === '' : typed !== view.must) return { state };
  const { wish } = view;
  if (wish.do === 'resume')
    return asks(state, view, { ...wish, ...(view.must === null ? { reason: typed } : { confirm: typed }) });
  if (wish.do === 'comment') return asks(state, view, { ...wish, comments: [splitComment(typed)] });
  if (wish.do === 'say') return asks(state, view, { ...wish, text: typed });
  return asks(state, view, wish.do === 'halt' ? { ...wish, reason: typed } : wish);
}

const asks = (state: State, { root }: { readonly root: string }, wish: Wish): Pressed => ({
  state: { ...state, view: { is: 'list' }, message: 'one moment' },
  effect: { do: 'ask', root, wish },
});

function detailOf(row: BoardRow): readonly string[] {
  return [
    `${row.name}  ${row.root}`,
    row.title,
    row.phrase,
    row.why,
    row.wanted ?? '',
    ...(row.halt === null ? [] : ['', row.halt.question]),
    ...(row.halt?.suggestion == null
      ? []
      : [`Suggested: path ${row.halt.suggestion.path}, because ${row.halt.suggestion.why}.`]),
    ...row.paths.flatMap(({ title, does }, at) => ['', `Path ${at + 1}: ${title}`, does]),
    ...(row.ways.length === 0 ? [] : ['', ...row.ways.flatMap(({ title, command }) => [title, `  ${command}`])]),
  ].filter((line, at, all) => line !== '' || all[at - 1] !== '');
}

/** `src/a.ts:12`: the first line of the new side at or below a line of a text with a patch; undefined without one. */
export function findDiffPlace(lines: readonly string[], top: number): string | undefined {
  const begin = lines.findIndex((line) => line.startsWith('diff --git '));
  if (begin === -1) return undefined;
  for (const { path, rows } of readDiff(lines.slice(begin).join('\n'))) {
    const found = rows.find(({ kind, row }) => begin + row > top && (kind === 'added' || kind === 'context'));
    if (found?.line !== undefined && path !== '') return `${path}:${found.line}`;
  }
  return undefined;
}
