import { MODES } from '../../rule-model/rule-words.ts';
import type { Mode } from '../../rule-model/rule-words.ts';

/** One inspection as it is remembered: its score under the mode of that time. */
export interface RecordedRun {
  readonly mode: Mode;
  readonly score: number;
}

/** The stricter mode to suggest once, after the last runs of this mode all scored high; undefined when there is none. */
export function promotion(
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

/** So many runs in a row make a score steady. */
export const RUNS_FOR_PROMOTION = 5;

const HIGH_SCORE = 90;
