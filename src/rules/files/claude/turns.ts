import { parseJsonObject } from '../../../base/json-object.ts';
import { openDir } from '../../../base/system/safe-fs.ts';
import { findStateHome } from '../../../project/folders/user-folders.ts';
import type { Refuser } from '../../guards/check-message.ts';

/** One answer of an agent outside the line, as it was decided; a line of `claude-hooks/turns.jsonl`. */
export interface TurnRow {
  readonly at: string;
  /** Session, prompt and agent, so that each turn has retries of its own. */
  readonly turn: string;
  readonly event: string;
  /** The project's folder. */
  readonly root: string;
  /** The guard that sent it back; null where the turn ended. */
  readonly back: Refuser | null;
  /** Whether an approval in it was turned down for good, or praise let through, because the retries were used up. */
  readonly warned: boolean;
}

/** How often each of them sent a turn back; one that sent none is not there. */
type Refusals = Partial<Readonly<Record<Refuser, number>>>;

const countRefusals = (rows: readonly TurnRow[]): Refusals => {
  const back = Map.groupBy(rows, (row) => row.back);
  return Object.fromEntries([...back].flatMap(([by, sent]) => (by === null ? [] : [[by, sent.length]])));
};

/** How often each guard has sent this turn back already. */
export const countTurnRetries = (turn: string, env: NodeJS.ProcessEnv): Refusals =>
  countRefusals(readTurns(env).filter((row) => row.turn === turn));

/** Everything that was decided lately, oldest first; a torn line is left out. */
export function readTurns(env: NodeJS.ProcessEnv): readonly TurnRow[] {
  const read = openDir(findStateHome(env)).lines(FILE, MOST_BYTES);
  if (!read.ok) throw new Error(`${FILE} ${read.why}`);
  return read.value.flatMap((line) => parseJsonObject<TurnRow>(line, ['at', 'turn', 'root', 'back']) ?? []);
}

export type TurnTotals = ReturnType<typeof countTurns>;

/** Counts the turns noted by the hook for projects inside a repository. */
export function countTurns(rows: readonly TurnRow[], isHere: (root: string) => boolean) {
  const mine = rows.filter(({ root }) => isHere(root));
  return {
    /** Turns, each counted once however often it was sent back. */
    turns: new Set(mine.map(({ turn }) => turn)).size,
    /** Ends of turns that went back to the model. */
    sentBack: mine.filter(({ back }) => back !== null).length,
    by: countRefusals(mine),
    /** Turns that ended with a warning, because the retries were used up. */
    warned: mine.filter(({ warned }) => warned).length,
  };
}

/** Writes one down; a file that has grown large is put aside, and the one before it is forgotten. */
export function writeTurn(row: TurnRow, env: NodeJS.ProcessEnv): void {
  const door = openDir(findStateHome(env));
  door.makeFolder('claude-hooks', 0o700);
  if ((door.stat(FILE)?.size ?? 0) > MOST_BYTES) door.move(FILE, `${FILE}.1`);
  door.append(FILE, JSON.stringify(row), 0o600);
}

const FILE = 'claude-hooks/turns.jsonl';
/** About ten thousand turns. */
const MOST_BYTES = 4_000_000;
