import { MODES } from '../../rule-model/rule-words.ts';
import type { Mode } from '../../rule-model/rule-words.ts';

/** A past inspection: its score under the mode of that time. */
export interface RecordedRun {
  readonly mode: Mode;
  readonly score: number;
}

/** The stricter mode to suggest once, after high scores in the last runs; otherwise undefined. */
export function suggestPromotion(
  mode: Mode,
  autoPromote: boolean,
  runs: readonly RecordedRun[],
  suggested: readonly Mode[],
): Mode | undefined {
  const next = MODES[MODES.indexOf(mode) + 1];
  if (!autoPromote || next === undefined || suggested.includes(next)) return undefined;
  const last = runs.slice(-RUNS_FOR_PROMOTION);
  const isSteady =
    last.length === RUNS_FOR_PROMOTION && last.every((run) => run.mode === mode && run.score > HIGH_SCORE);
  return isSteady ? next : undefined;
}

/** Number of consecutive runs that make a score steady. */
export const RUNS_FOR_PROMOTION = 5;

const HIGH_SCORE = 90;
