import type { Board } from '../../src/line/board/board.ts';
import type { CallOutput } from '../../src/line/board/call-output.ts';
import { buildBoard } from '../../src/line/board/build-board.ts';

/** A live board that changes when a test says so. */
export function aBoard() {
  const listeners = new Set<(board: Board) => void>();
  const watchers = new Set<() => void>();
  let calls: readonly CallOutput[] = [];
  let board = buildBoard([], '2026-01-01T00:00:00.000Z');
  return {
    live: {
      board: () => board,
      follow: (told: (one: Board) => void) => {
        listeners.add(told);
        return () => void listeners.delete(told);
      },
      look: () => Promise.resolve(),
      output: {
        calls: () => calls,
        follow: (changed: () => void) => {
          watchers.add(changed);
          return () => void watchers.delete(changed);
        },
      },
      close: () => {},
    },
    /** Something is not known any more. */
    change: (what: string): void => {
      board = { ...board, not_known: [{ repository: 'r', what, remedy: null }] };
      for (const told of listeners) told(board);
    },
    /** Agents have written these lines. */
    write: (written: readonly CallOutput[]): void => {
      calls = written;
      for (const changed of watchers) changed();
    },
  };
}
