import { BOARD_LANES, groupNeeds, type Board, type BoardLane, type NeedGroup } from '../../line/board/board.ts';
import { matchesSearch } from '../../line/board/board.ts';

export interface Filter {
  readonly lane: BoardLane | 'all';
  /** The id of the only repository; undefined = all. */
  readonly repository: string | undefined;
  /** What is looked for; empty = nothing. */
  readonly sought: string;
  /** The halts of one cause that are shown one by one, by the key of their group. */
  readonly unfolded: string | undefined;
}

export const isFiltered = ({ lane, repository, sought }: Filter): boolean =>
  lane !== 'all' || repository !== undefined || sought !== '';

/** The rows of one lane that a filter leaves, halts of one cause together. */
export function listGroups(board: Board, lane: BoardLane, filter: Filter): readonly NeedGroup[] {
  if (filter.lane !== 'all' && filter.lane !== lane) return [];
  const rows = board.lanes[lane].filter(
    (row) =>
      (filter.repository === undefined || row.repository === filter.repository) && matchesSearch(row, filter.sought),
  );
  const alone = (row: (typeof rows)[number]): NeedGroup => ({ key: row.key, rows: [row] });
  if (lane !== 'needs_you') return rows.map(alone);
  return groupNeeds(rows).flatMap((group) => (group.key === filter.unfolded ? group.rows.map(alone) : [group]));
}

export const listAllGroups = (board: Board, filter: Filter): readonly NeedGroup[] =>
  BOARD_LANES.flatMap((lane) => listGroups(board, lane, filter));
