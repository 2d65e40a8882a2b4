interface BoardKey {
  readonly keys: string;
  readonly does: string;
  readonly on: 'both' | 'page' | 'terminal';
}

/** Every key of both boards; `?` shows those of the board that is open. */
const BOARD_KEYS: readonly BoardKey[] = [
  { keys: 'j, k', does: 'the next row, the row before', on: 'page' },
  { keys: 'up, down, j, k, page keys', does: 'move', on: 'terminal' },
  { keys: 'enter', does: 'open the row', on: 'page' },
  { keys: 'enter', does: 'what the row is about, with the commands', on: 'terminal' },
  { keys: '1, 2', does: 'take a path of the halt; it is asked again before', on: 'both' },
  { keys: 'd', does: 'the change of the task, as a patch', on: 'terminal' },
  { keys: 'l', does: 'its story', on: 'terminal' },
  {
    keys: 'c',
    does: 'send the change back with a comment, at the line on top of an open diff',
    on: 'terminal',
  },
  { keys: 's', does: 'tell the agents of the task a sentence', on: 'terminal' },
  { keys: 'h', does: 'halt the task; p pauses its line, or lets it go on', on: 'terminal' },
  { keys: 'r', does: 'make a call that waits now', on: 'terminal' },
  { keys: 'f', does: 'only one lane, or all again', on: 'terminal' },
  { keys: 'w', does: 'what the watchdog said (below andon watch)', on: 'terminal' },
  { keys: '/', does: 'look for a task', on: 'page' },
  { keys: 'g i, g t, g q', does: 'the inbox, all tasks, the queue', on: 'page' },
  { keys: 'alt up, alt down', does: 'in the queue, move the contract', on: 'page' },
  { keys: 'up, down', does: 'in a change, from the + of a line to the next', on: 'page' },
  { keys: 'n', does: 'a new task', on: 'page' },
  { keys: 'esc', does: 'back', on: 'page' },
  { keys: '?', does: 'these keys', on: 'page' },
  { keys: 'q', does: 'close the board; the line goes on', on: 'terminal' },
  { keys: 'Ctrl-C', does: 'the same; below andon watch it stops watching', on: 'terminal' },
];

/** The keys of one board, in order. */
export const listKeys = (on: 'page' | 'terminal'): readonly Pick<BoardKey, 'keys' | 'does'>[] =>
  BOARD_KEYS.filter((one) => one.on === 'both' || one.on === on);
