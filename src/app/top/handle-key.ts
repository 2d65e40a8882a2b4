import { formatDollarsExactly } from '../../agents/budget/normalise-usage.ts';
import { BOARD_LANES, type Board, type BoardRow, type NeedGroup } from '../../line/board/board.ts';
import { toShellWord } from '../../base/shell-word.ts';
import { splitComment } from '../../project/requests/comment.ts';
import { LONGEST_SENTENCE, type Request } from '../../project/requests/request.ts';
import type { Drawn } from './drawn.ts';
import { isFiltered, listAllGroups, type Filter } from './list-groups.ts';

/** What is asked of the line, without who asks. */
type WithoutBy<One> = One extends unknown ? Omit<One, 'by'> : never;
export type Wish = WithoutBy<Request>;

/** One request, and the repository whose line gets it. */
export interface Asked {
  readonly root: string;
  readonly wish: Wish;
}

/** What is shown of the chosen rows beside the list, or opened in its place. */
type OpenView = {
  readonly is: 'open';
  readonly what: 'all' | 'change' | 'story';
  /** The key of the rows that it is all about. */
  readonly of: string;
  readonly top: number;
};

type View =
  | { readonly is: 'list' }
  | { readonly is: 'help' }
  | OpenView
  /** What the watchdog said. */
  | { readonly is: 'said'; readonly top: number }
  | QuestionView;

/** A question before something is asked of the line: `y`, or what must be typed. */
interface QuestionView {
  readonly is: 'sure';
  readonly question: string;
  readonly asks: readonly Asked[];
  /** What must be typed: a sum in dollars, exactly this, or any words; undefined = `y` is enough. */
  readonly must: 'sum' | { readonly exactly: string } | 'words' | undefined;
  readonly typed: string;
  /** Where a refusal leads back to. */
  readonly from: { readonly is: 'list' } | OpenView;
}

export interface State extends Filter {
  /** The key of the chosen rows, and their place in the list: the next ones are there once they are answered. */
  readonly chosen: string | undefined;
  readonly at: number;
  /** Whether keys are letters of what is looked for. */
  readonly isSeeking: boolean;
  readonly view: View;
  readonly message: string;
}

const ALL: Filter = { lane: 'all', repository: undefined, sought: '', unfolded: undefined };
export const BEGIN: State = {
  ...ALL,
  chosen: undefined,
  at: 0,
  isSeeking: false,
  view: { is: 'list' },
  message: '',
};

/** A key as it was pressed: its name, or the character. */
export type Key =
  | 'up'
  | 'down'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'erase'
  | 'stop'
  | { readonly char: string };

export type KeyEffect =
  | { readonly do: 'quit' }
  | { readonly do: 'stop' }
  | { readonly do: 'ask'; readonly asks: readonly Asked[] }
  | { readonly do: 'copy'; readonly text: string };

interface Pressed {
  readonly state: State;
  readonly effect?: KeyEffect;
}

export interface OnScreen {
  /** How many rows, or lines, a page is. */
  readonly page: number;
  /** Every line of what is open. */
  readonly open: readonly Drawn[];
  /** The tree of the change that is shown. */
  readonly tree?: string | undefined;
}

/** The rows that are chosen; those in their place where they are gone. */
export function findChosen(board: Board, state: State): NeedGroup | undefined {
  const groups = listAllGroups(board, state);
  return (
    groups.find(({ key }) => key === state.chosen) ??
    groups.find(({ rows }) => rows.some(({ key }) => key === state.chosen)) ??
    groups[Math.min(state.at, groups.length - 1)]
  );
}

const STEPS: Readonly<Record<string, (page: number) => number>> = {
  up: () => -1,
  k: () => -1,
  down: () => 1,
  j: () => 1,
  pageUp: (page) => -page,
  pageDown: (page) => page,
  ' ': (page) => page,
  home: () => Number.NEGATIVE_INFINITY,
  g: () => Number.NEGATIVE_INFINITY,
  end: () => Number.POSITIVE_INFINITY,
  G: () => Number.POSITIVE_INFINITY,
};

const nameOf = (key: Key): string => (typeof key === 'string' ? key : key.char);
const isChar = (key: Key, char: string): boolean => typeof key === 'object' && key.char === char;
const withMessage = (state: State, message: string): State => ({ ...state, message });

/** What a key does. Pure; nothing is asked of the line without a question before. */
export function handleKey(state: State, key: Key, board: Board, onScreen: () => OnScreen): Pressed {
  const { view } = state;
  if (key === 'stop') return { state, effect: { do: 'stop' } };
  if (view.is === 'sure') return handleQuestionKey(state, view, key);
  if (view.is === 'list' && state.isSeeking) return { state: seek(state, key) };
  const shown = onScreen();
  if (view.is === 'list') return handleListKey({ ...state, message: '' }, key, board, shown);
  if (key === 'escape' || key === 'enter' || isChar(key, 'q')) return { state: { ...state, view: { is: 'list' } } };
  if (view.is === 'help') return { state };
  if (isChar(key, '?')) return { state: { ...state, view: { is: 'help' } } };
  const by = STEPS[nameOf(key)]?.(shown.page);
  if (by !== undefined) {
    // Any line of a change can come on top, to be commented on; of messages the last page is full.
    const last = Math.max(0, shown.open.length - (view.is === 'said' ? shown.page : 1));
    const top = Math.max(0, Math.min(last, Math.min(last, view.top) + by));
    return { state: { ...state, view: { ...view, top } } };
  }
  const isAboutChosen = view.is === 'open' && view.of === findChosen(board, state)?.key;
  if (isAboutChosen && isChar(key, 'y')) return copyCommand(state, board);
  return isAboutChosen && typeof key === 'object'
    ? { state: actOn({ ...state, message: '' }, key.char, board, shown) }
    : { state };
}

/** A letter of what is looked for; the list follows each. */
function seek(state: State, key: Key): State {
  const found = (sought: string): State => ({ ...state, sought, chosen: undefined, at: 0 });
  if (typeof key === 'object') return found(state.sought + key.char);
  if (key === 'erase') return found(state.sought.slice(0, -1));
  if (key === 'escape') return { ...found(''), isSeeking: false };
  return key === 'enter' || key === 'down' || key === 'up' ? { ...state, isSeeking: false } : state;
}

function handleListKey(state: State, key: Key, board: Board, shown: OnScreen): Pressed {
  const groups = listAllGroups(board, state);
  const group = findChosen(board, state);
  const own = group === undefined ? -1 : groups.indexOf(group);
  const at = groups.findIndex(({ key: one }) => one === group?.key);
  const by = STEPS[nameOf(key)]?.(shown.page);
  if (by !== undefined) {
    const next = Math.max(0, Math.min(groups.length - 1, Math.max(own, at) + by));
    return { state: { ...state, chosen: groups[next]?.key, at: next } };
  }
  if (key === 'escape') return { state: isFiltered(state) ? { ...state, ...ALL } : { ...state, unfolded: undefined } };
  if (key === 'enter' && group !== undefined)
    return { state: group.rows.length > 1 ? { ...state, unfolded: group.key } : open(state, group.key, 'all') };
  if (typeof key === 'string') return { state };
  switch (key.char) {
    case 'q':
      return { state, effect: { do: 'quit' } };
    case '?':
      return { state: { ...state, view: { is: 'help' } } };
    case '/':
      return { state: { ...state, isSeeking: true } };
    case 'f':
      return { state: { ...state, lane: after(['all', ...BOARD_LANES], state.lane), at: 0 } };
    case 'o': {
      const all = [undefined, ...board.repositories.map(({ id }) => id)];
      return { state: { ...state, repository: after(all, state.repository), at: 0 } };
    }
    case 'y':
      return copyCommand(state, board);
    case 'w':
      return { state: { ...state, view: { is: 'said', top: Number.POSITIVE_INFINITY } } };
    default:
      return { state: actOn({ ...state, at: Math.max(0, at) }, key.char, board, shown) };
  }
}

/** The next of these, the first behind the last. */
const after = <One>(all: readonly One[], one: One): One => all[(all.indexOf(one) + 1) % all.length] ?? one;

const open = (state: State, of: string, what: OpenView['what']): State => ({
  ...state,
  chosen: of,
  view: { is: 'open', what, of, top: 0 },
});

/** Copies the command that the first of the chosen rows needs, for any folder. */
function copyCommand(state: State, board: Board): Pressed {
  const [row] = findChosen(board, state)?.rows ?? [];
  if (row === undefined) return { state };
  const look =
    row.kind === 'queued' ? 'andon queue' : row.task_id === null ? 'andon status' : `andon show ${row.task_id}`;
  const command = row.ways[0]?.command ?? look;
  const folder = toShellWord(row.root);
  const text = folder === undefined ? command : `cd ${folder} && ${command}`;
  return {
    state: withMessage(state, `copied, where your terminal allows it: ${command}`),
    effect: { do: 'copy', text },
  };
}

/** What a letter does with the chosen rows, in the list and in what is open. */
function actOn(state: State, char: string, board: Board, { open: lines, tree }: OnScreen): State {
  const group = findChosen(board, state);
  if (group === undefined) return state;
  const [row] = group.rows;
  const { root, task_id: taskId, halt_id: haltId } = row;
  const from: QuestionView['from'] = state.view.is === 'open' ? state.view : { is: 'list' };
  const sure = (question: string, wish: Wish, must?: QuestionView['must'], typed = ''): State => ({
    ...state,
    chosen: group.key,
    view: { is: 'sure', question, asks: [{ root, wish }], must, typed, from },
  });
  if (char === '1' || char === '2') return answer(state, group, char === '1' ? 1 : 2, from);
  if (char === 'p') {
    const isPaused = board.repositories.find(({ id }) => id === row.repository)?.paused === true;
    return isPaused
      ? sure(`Let ${row.name} go on?`, { do: 'unpause' })
      : sure(`Pause ${row.name}: nothing further starts?`, { do: 'pause' });
  }
  if (!'dlhrsc'.includes(char)) return state;
  if (group.rows.length > 1) return withMessage(state, 'these are several tasks: enter shows them one by one');
  if (taskId === null || row.kind === 'queued') return withMessage(state, 'this row is about no task that began');
  if (char === 'd' || char === 'l') return open(state, group.key, char === 'd' ? 'change' : 'story');
  if (row.lane === 'ended') return withMessage(state, 'this task has ended');
  switch (char) {
    case 'h':
      return sure(`Halt ${taskId}? Type why`, { do: 'halt', taskId, reason: '' }, 'words');
    case 's':
      return sure(`Tell the agents of ${taskId}:`, { do: 'say', taskId, text: '' }, 'words');
    case 'r':
      return sure(`Make the call of ${taskId} that waits now?`, { do: 'retry', taskId });
    default: {
      // A comment on a change that is open begins at the line on top of the screen; that can be erased.
      const place = state.view.is === 'open' ? findPlace(lines, state.view.top) : undefined;
      const about = { ...(haltId === null ? {} : { haltId }), ...(tree === undefined ? {} : { tree }) };
      return sure(
        `Send the change of ${taskId} back. Type FILE:LINE and what must change, or only that:`,
        { do: 'comment', taskId, ...about, comments: [], how: HOW },
        'words',
        place === undefined ? '' : `${place} `,
      );
    }
  }
}

const HOW = 'andon top';

/** `src/a.ts:12`: the first line of the change at or below the top of the screen; undefined without one. */
const findPlace = (lines: readonly Drawn[], top: number): string | undefined =>
  lines.slice(top).find(({ place }) => place !== undefined)?.place;

/** The question before a path is taken, of one halt or of all that have one cause. */
function answer(state: State, group: NeedGroup, number: 1 | 2, from: QuestionView['from']): State {
  const [row] = group.rows;
  const path = row.paths[number - 1];
  const asks = group.rows.flatMap(({ root, task_id: taskId, halt_id: haltId }): readonly Asked[] =>
    taskId === null || haltId === null
      ? []
      : [{ root, wish: { do: 'resume', taskId, path: number, haltId, how: HOW } }],
  );
  if (path === undefined || asks.length === 0) return withMessage(state, 'this row is no halt');
  const money = number === 1 ? row.halt?.money : undefined;
  const isSum = money !== undefined && money !== null && money.sums.length > 0;
  const name = asks.length > 1 ? `All ${asks.length} halts` : (row.halt_id ?? '');
  const spent = isSum
    ? ` Spent: ${formatDollarsExactly(money.spent_usd)} of ${formatDollarsExactly(money.budget_usd)}.`
    : '';
  const question = `${name}, path ${number}: ${path.title}. ${path.futile ?? path.does}${spent}`;
  const must: QuestionView['must'] = isSum
    ? 'sum'
    : path.typed
      ? { exactly: row.task_id ?? '' }
      : path.reasoned
        ? 'words'
        : undefined;
  const typed = isSum ? String(money.sums[0]?.usd ?? '') : '';
  return { ...state, chosen: group.key, view: { is: 'sure', question, asks, must, typed, from } };
}

function handleQuestionKey(state: State, view: QuestionView, key: Key): Pressed {
  const back: State = { ...state, view: view.from, message: 'nothing was asked for' };
  if (key === 'escape') return { state: back };
  if (view.must === undefined)
    return isChar(key, 'y') ? ask(state, view.asks) : typeof key === 'object' ? { state: back } : { state };
  if (key === 'erase') return { state: { ...state, view: { ...view, typed: view.typed.slice(0, -1) } } };
  if (typeof key === 'object')
    return { state: { ...state, view: { ...view, typed: (view.typed + key.char).slice(0, LONGEST_SENTENCE) } } };
  const typed = view.typed.trim();
  if (key !== 'enter' || !isEnough(view.must, typed)) return { state };
  return ask(
    state,
    view.asks.map(({ root, wish }) => ({ root, wish: withWords(wish, typed, view.must) })),
  );
}

function isEnough(must: QuestionView['must'], typed: string): boolean {
  if (must === 'sum') return /^\d{1,6}(?:\.\d{1,6})?$/.test(typed) && Number(typed) > 0;
  return typeof must === 'object' ? typed === must.exactly : typed !== '';
}

function withWords(wish: Wish, typed: string, must: QuestionView['must']): Wish {
  if (wish.do === 'comment') return { ...wish, comments: [splitComment(typed)] };
  if (wish.do === 'say') return { ...wish, text: typed };
  if (wish.do === 'halt') return { ...wish, reason: typed };
  if (wish.do !== 'resume') return wish;
  if (must === 'sum') return { ...wish, budget_usd: Number(typed) };
  return must === 'words' ? { ...wish, reason: typed } : { ...wish, confirm: typed };
}

const ask = (state: State, asks: readonly Asked[]): Pressed => ({
  state: { ...state, view: { is: 'list' }, message: 'one moment' },
  effect: { do: 'ask', asks },
});

/** The row whose journal is shown, if there is one. */
export function findShownTask(group: NeedGroup | undefined): (BoardRow & { readonly task_id: string }) | undefined {
  const [row] = group?.rows ?? [];
  const id = row?.task_id;
  if (row === undefined || id === null || id === undefined || row.kind === 'queued') return undefined;
  return { ...row, task_id: id };
}
