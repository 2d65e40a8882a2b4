import { MODES, type Mode } from '../../rule-model/rule-words.ts';

/** How many runs in a row had a high score under one mode. */
export interface ScoreStreak {
  readonly mode: Mode;
  readonly runs: number;
}

/** The streak after one more run. */
export const countStreak = (before: ScoreStreak | undefined, mode: Mode, score: number): ScoreStreak => ({
  mode,
  runs: score > HIGH_SCORE ? (before?.mode === mode ? before.runs : 0) + 1 : 0,
});

/** The stricter mode to suggest, once per streak; otherwise undefined. */
export const suggestPromotion = ({ mode, runs }: ScoreStreak, autoPromote: boolean): Mode | undefined =>
  autoPromote && runs === RUNS_FOR_PROMOTION ? MODES[MODES.indexOf(mode) + 1] : undefined;

/** Number of consecutive runs that make a score steady. */
export const RUNS_FOR_PROMOTION = 5;

const HIGH_SCORE = 90;
