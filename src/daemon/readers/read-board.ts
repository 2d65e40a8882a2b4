import type { Board } from '../../line/board/board.ts';
import { boardOf } from '../../line/board/board-of.ts';
import type { Looked } from '../../line/board/looked.ts';
import { knownStates } from '../../wiring/known-states.ts';
import type { KnownState } from '../../wiring/known-states.ts';
import { JournalReader } from './journal-reader.ts';
import { lookAt } from './look-at-board.ts';

/** Which repositories are on the board: all of this user, or only those of these states. */
export interface Wanted {
  readonly env: NodeJS.ProcessEnv;
  /** Folders of states; undefined = all. */
  readonly states?: readonly string[] | undefined;
}

/** Looks once. */
export async function readBoard(wanted: Wanted): Promise<Board> {
  const now = new Date().toISOString();
  const looked: Looked[] = [];
  for (const known of wantedStates(wanted)) {
    const journal = new JournalReader(known.state);
    const one = await lookAt(known, { now, before: undefined, env: wanted.env, journal }).finally(() =>
      journal.close(),
    );
    if (one !== undefined) looked.push(one);
  }
  return boardOf(looked, now);
}

/** The states that are wanted on the board and whose repository is known. */
export const wantedStates = ({ env, states }: Wanted): readonly KnownState[] =>
  knownStates(env).filter(({ state, root }) => root !== undefined && (states === undefined || states.includes(state)));
