interface BoardKey {
  readonly keys: string;
  readonly does: string;
  /** What the last line of the terminal says of it, and where: in the list, in what is open, or in both. */
  readonly short?: string;
  readonly in?: 'list' | 'open';
}

/** Every key of the board in a browser, in order; `?` shows them. */
export const PAGE_KEYS: readonly BoardKey[] = [
  { keys: 'j, k', does: 'the next row, the row before' },
  { keys: 'enter', does: 'open the row' },
  { keys: '1, 2', does: 'take a path of the halt; it is asked again before' },
  { keys: 'c, d', does: 'comment on the change; read it' },
  { keys: '/', does: 'look for a task' },
  { keys: 'g i, g t, g q', does: 'the inbox, all tasks, the queue' },
  { keys: 'alt up, alt down', does: 'in the queue, move the contract' },
  { keys: 'up, down', does: 'in a change, from the + of a line to the next' },
  { keys: 'n', does: 'a new task' },
  { keys: 'esc', does: 'back' },
  { keys: '?', does: 'these keys' },
];

/** Every key of the board in a terminal; a list of its own, so that the page need not load it. */
export const TERMINAL_KEYS: readonly BoardKey[] = [
  { keys: 'up, down, j, k', does: 'the next row, the row before', short: 'j k move' },
  { keys: 'page keys, space', does: 'a page on, or back' },
  { keys: 'home, end, g, G', does: 'the first, the last' },
  {
    keys: 'enter',
    does: 'the whole of what is beside the list; halts of one cause one by one',
    short: 'enter open',
    in: 'list',
  },
  { keys: '1, 2', does: 'take a path of the halt; it is asked again before', short: '1 2 answer' },
  {
    keys: 'c',
    does: 'send the change back with a comment, at the line on top of an open diff',
    short: 'c comment',
  },
  { keys: 'd', does: 'the change of the task', short: 'd diff' },
  { keys: 'l', does: 'its story', short: 'l log' },
  { keys: '/', does: 'look for a task', short: '/ find', in: 'list' },
  { keys: 'f', does: 'only one lane, or all again', short: 'f lane', in: 'list' },
  { keys: 'o', does: 'only one repository, or all again', short: 'o repository', in: 'list' },
  { keys: 's', does: 'tell the agents of the task a sentence', short: 's say' },
  { keys: 'h', does: 'halt the task', short: 'h halt' },
  { keys: 'p', does: 'pause the line of the repository, or let it go on', short: 'p pause' },
  { keys: 'r', does: 'make a call that waits now', short: 'r retry' },
  { keys: 'y', does: 'copy the command that the row needs', short: 'y copy' },
  { keys: 'w', does: 'what the watchdog said (below andon watch)' },
  { keys: 'esc', does: 'back', short: 'esc back', in: 'open' },
  { keys: '?', does: 'these keys', short: '? help', in: 'list' },
  { keys: 'q', does: 'close the board; the line goes on', short: 'q quit', in: 'list' },
  { keys: 'Ctrl-C', does: 'the same; below andon watch it stops watching' },
];

/** Keys that the line of keys names in any window. */
const LAST: readonly string[] = ['esc back', '? help', 'q quit'];

/** The line of keys of the terminal: as many as fit into this width, the way out always. */
export function formatKeyLine(where: 'list' | 'open', width: number): string {
  const all = TERMINAL_KEYS.flatMap(({ short, in: only = where }) =>
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
