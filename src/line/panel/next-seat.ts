import type { PanelTurn } from '../../record/panel-turn.ts';
import { numberFindings } from './number-findings.ts';
import { needsSecondRound } from './settle.ts';

/** The next call of a panel: reviewer, round, and the calls left in that round, this one included. */
export interface NextSeat {
  readonly name: string;
  readonly round: 1 | 2;
  readonly left: number;
}

/** Undefined once all were asked. */
export function findNextSeat(names: readonly string[], turns: readonly PanelTurn[]): NextSeat | undefined {
  const isAsked = (name: string, round: 1 | 2): boolean =>
    turns.some((turn) => turn.reviewer === name && turn.round === round);
  const first = names.filter((name) => !isAsked(name, 1));
  const [one] = first;
  if (one !== undefined) return { name: one, round: 1, left: first.length };
  if (!needsSecondRound(turns)) return undefined;
  const all = numberFindings(turns);
  const second = names.filter((name) => {
    const turn = turns.find(({ reviewer, round }) => reviewer === name && round === 1);
    return turn?.noVote === undefined && !isAsked(name, 2) && all.some(({ reviewer }) => reviewer !== name);
  });
  const [other] = second;
  return other === undefined ? undefined : { name: other, round: 2, left: second.length };
}
