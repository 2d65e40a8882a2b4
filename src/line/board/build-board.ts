import { URGENCY } from '../digest/gather-digest.ts';
import { toDigestLine, listStories } from '../digest/repository-night.ts';
import {
  BOARD_LANES,
  type Board,
  type BoardRepository,
  type BoardRow,
  type BoardLane,
  type RepositorySnapshot,
} from './board.ts';
import { boardRows } from './board-rows.ts';

/** The most ended tasks shown; older ones are in `andon list`. */
const MOST_ENDED = 60;

/**
 * The board over all repositories, with the digest's needs and waits: your inbox first, the oldest first in each lane.
 * Pure.
 */
export function buildBoard(all: readonly RepositorySnapshot[], now: string): Board {
  const rows = all.flatMap((one) => boardRows(one, listStories(one.night), now));
  const selectLane = (lane: BoardLane): readonly BoardRow[] =>
    rows.filter((row) => row.lane === lane).toSorted(ORDER[lane]);
  return {
    at: now,
    repositories: all.map(repositoryOf),
    limits: newestLimits(all),
    lanes: Object.fromEntries(
      BOARD_LANES.map((lane) => [lane, lane === 'ended' ? selectLane(lane).slice(0, MOST_ENDED) : selectLane(lane)]),
    ) as Board['lanes'],
    not_known: all.flatMap(({ id, night }) =>
      night.notKnown.map(({ what, remedy }) => ({ repository: id, what: toDigestLine(what, 400), remedy })),
    ),
  };
}

/** Limits are the user's, so every repository knows them; the one that was read last knows best. */
const newestLimits = (all: readonly RepositorySnapshot[]): Board['limits'] =>
  all
    .filter(({ night, unknown }) => night.line !== undefined && unknown === undefined)
    .toSorted((one, two) => two.at.localeCompare(one.at))[0]?.night.line?.night ?? null;

function repositoryOf({ id, night, at, unknown }: RepositorySnapshot): BoardRepository {
  const { line } = night;
  const watches = line?.watchdog?.doing === 'watch';
  return {
    id,
    name: toDigestLine(night.name, 80),
    root: night.root,
    watched: unknown !== undefined || line === undefined ? 'unknown' : watches ? 'watched' : 'not watched',
    paused: line?.paused != null,
    paused_at: line?.paused?.at ?? null,
    as_of: at,
    unknown: unknown ?? null,
  };
}

type Order = (one: BoardRow, two: BoardRow) => number;

/** The oldest first; rows without a start last. */
const longest: Order = (one, two) => (one.since ?? '~').localeCompare(two.since ?? '~');
const urgency = ({ kind }: BoardRow): number => URGENCY.indexOf(kind as never);

const ORDER: Readonly<Record<BoardLane, Order>> = {
  needs_you: (one, two) => urgency(one) - urgency(two) || longest(one, two),
  working: longest,
  waiting: (one, two) =>
    Number(one.place !== null) - Number(two.place !== null) ||
    one.root.localeCompare(two.root) ||
    (one.place ?? 0) - (two.place ?? 0) ||
    longest(one, two),
  ended: (one, two) => (two.since ?? '').localeCompare(one.since ?? ''),
};
