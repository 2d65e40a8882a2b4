import type { Refuser, TurnRow } from './turns.ts';

/** What came of turns of Claude Code in one repository. */
export interface TurnTotals {
  /** Turns, each counted once however often it was sent back. */
  readonly turns: number;
  /** Ends of turns that went back to the model. */
  readonly sentBack: number;
  /** Of those, how many each guard sent back; one that sent none is not there. */
  readonly by: Partial<Readonly<Record<Refuser, number>>>;
  /** Turns that ended with a warning, because the retries were used up. */
  readonly warned: number;
}

/** Counts the turns whose project lies in a repository, as they were noted by the hook. */
export function countTurns(rows: readonly TurnRow[], isHere: (root: string) => boolean): TurnTotals {
  const mine = rows.filter(({ root }) => isHere(root));
  const back = mine.flatMap((row) => row.back ?? []);
  return {
    turns: new Set(mine.map(({ turn }) => turn)).size,
    sentBack: back.length,
    by: Object.fromEntries([...new Set(back)].map((guard) => [guard, back.filter((one) => one === guard).length])),
    warned: mine.filter(({ warned }) => warned).length,
  };
}
