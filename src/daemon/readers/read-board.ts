import type { Board } from '../../line/board/board.ts';
import { buildBoard } from '../../line/board/build-board.ts';
import type { RepositorySnapshot } from '../../line/board/repository-snapshot.ts';
import { listWorkspaces, type KnownState } from '../../wiring/list-workspaces.ts';
import { JournalReader } from './journal-reader.ts';
import { readBoardRepository } from './read-board-repository.ts';

/** The repositories of a board: all of this user, or only those of these states. */
export interface BoardRequest {
  readonly env: NodeJS.ProcessEnv;
  /** Folders of states; undefined = all. */
  readonly states?: readonly string[] | undefined;
}

/** Reads the board once. */
export async function readBoard(wanted: BoardRequest): Promise<Board> {
  const now = new Date().toISOString();
  const looked: RepositorySnapshot[] = [];
  for (const known of listBoardStates(wanted)) {
    const journal = new JournalReader(known.state);
    const one = await readBoardRepository(known, { now, before: undefined, env: wanted.env, journal }).finally(() =>
      journal.close(),
    );
    if (one !== undefined) looked.push(one);
  }
  return buildBoard(looked, now);
}

/** The states on the board: wanted, and with a known repository. */
export const listBoardStates = ({ env, states }: BoardRequest): readonly KnownState[] =>
  listWorkspaces(env).filter(
    ({ state, root }) => root !== undefined && (states === undefined || states.includes(state)),
  );
