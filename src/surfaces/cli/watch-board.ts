import { stripVTControlCharacters } from 'node:util';
import { startChildDaemon } from '../../wiring/child-daemon.ts';
import { printErrorLine, printLine, redirectOutput } from './print.ts';

/** Number of board lines that remain in the terminal after closing. */
const KEPT = 500;

/**
 * Shows the board of what is watched in this terminal. A process of its own draws it, so its end ends nothing. Output
 * goes there, and to the terminal when it is closed.
 */
export function openWatchBoard(roots: readonly string[], env: NodeJS.ProcessEnv): { close(): Promise<void> } {
  const kept: string[] = [];
  let isOver = false;
  const board = startChildDaemon(['top', ...roots], env, () => process.kill(process.pid, 'SIGINT'));
  redirectOutput((text) => {
    kept.push(text);
    if (kept.length > KEPT) kept.shift();
    board.tell(stripVTControlCharacters(text));
  });
  const closed = board.gone.then((code) => {
    redirectOutput(undefined);
    for (const text of kept) printLine(text);
    if (isOver) return;
    if (code !== 0) printErrorLine(`the board ended by itself (${code === null ? 'by a signal' : `code ${code}`})`);
    printLine('the board is closed, andon goes on watching; Ctrl-C stops it');
  });
  return {
    async close() {
      isOver = true;
      await board.end();
      await closed;
    },
  };
}
