interface BoardKey {
  readonly keys: string;
  readonly does: string;
  readonly on: 'both' | 'page' | 'terminal';
  /** What the last line of the terminal says of it, and where: in the list, in what is open, or in both. */
  readonly short?: string;
  readonly in?: 'list' | 'open';
}

/** Every key of both boards; `?` shows those of the board that is open. */
const BOARD_KEYS: readonly BoardKey[] = [
  { keys: 'j, k', does: 'the next row, the row before', on: 'page' },
  { keys: 'up, down, j, k', does: 'the next row, the row before', on: 'terminal', short: 'j k move' },
  { keys: 'page keys, space', does: 'a page on, or back', on: 'terminal' },
  { keys: 'home, end, g, G', does: 'the first, the last', on: 'terminal' },
  { keys: 'enter', does: 'open the row', on: 'page' },
  {
    keys: 'enter',
    does: 'the whole of what is beside the list; halts of one cause one by one',
    on: 'terminal',
    short: 'enter open',
    in: 'list',
  },
  { keys: '1, 2', does: 'take a path of the halt; it is asked again before', on: 'both', short: '1 2 answer' },
  {
    keys: 'c',
    does: 'send the change back with a comment, at the line on top of an open diff',
    on: 'terminal',
    short: 'c comment',
  },
  { keys: 'd', does: 'the change of the task', on: 'terminal', short: 'd diff' },
  { keys: 'l', does: 'its story', on: 'terminal', short: 'l log' },
  { keys: '/', does: 'look for a task', on: 'both', short: '/ find', in: 'list' },
  { keys: 'f', does: 'only one lane, or all again', on: 'terminal', short: 'f lane', in: 'list' },
  { keys: 'o', does: 'only one repository, or all again', on: 'terminal', short: 'o repository', in: 'list' },
  { keys: 's', does: 'tell the agents of the task a sentence', on: 'terminal', short: 's say' },
  { keys: 'h', does: 'halt the task', on: 'terminal', short: 'h halt' },
  { keys: 'p', does: 'pause the line of the repository, or let it go on', on: 'terminal', short: 'p pause' },
  { keys: 'r', does: 'make a call that waits now', on: 'terminal', short: 'r retry' },
  { keys: 'w', does: 'what the watchdog said (below andon watch)', on: 'terminal' },
  { keys: 'g i, g t, g q', does: 'the inbox, all tasks, the queue', on: 'page' },
  { keys: 'alt up, alt down', does: 'in the queue, move the contract', on: 'page' },
  { keys: 'up, down', does: 'in a change, from the + of a line to the next', on: 'page' },
  { keys: 'n', does: 'a new task', on: 'page' },
  { keys: 'esc', does: 'back', on: 'both', short: 'esc back', in: 'open' },
  { keys: '?', does: 'these keys', on: 'both', short: '? help', in: 'list' },
  { keys: 'q', does: 'close the board; the line goes on', on: 'terminal', short: 'q quit', in: 'list' },
  { keys: 'Ctrl-C', does: 'the same; below andon watch it stops watching', on: 'terminal' },
];

/** The keys of one board, in order. */
export const listKeys = (on: 'page' | 'terminal'): readonly Pick<BoardKey, 'keys' | 'does'>[] =>
  BOARD_KEYS.filter((one) => one.on === 'both' || one.on === on);

/** Keys that the line of keys names in any window. */
const LAST: readonly string[] = ['esc back', '? help', 'q quit'];

/** The line of keys of the terminal: as many as fit into this width, the way out always. */
export function formatKeyLine(where: 'list' | 'open', width: number): string {
  const all = BOARD_KEYS.flatMap(({ short, in: only = where }) =>
    short === undefined || only !== where ? [] : [short],
  );
  const last = all.filter((one) => LAST.includes(one));
  const named: string[] = [];
  for (const one of all.filter((each) => !LAST.includes(each))) {
    if ([...named, one, ...last].join('  ').length > width) break;
    named.push(one);
  }
  return [...named, ...last].join('  ');
}
