import { parseJsonObject } from '../../base/json-object.ts';
import type { Inspection } from '../model/inspection.ts';
import { MODES, type Mode } from '../../project/config/config-words.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';

/**
 * Counts the runs with a high score, and gives the sentence that suggests a stricter mode. The mode itself is never
 * changed. A damaged file restarts the count.
 */
export function recordRun(
  { state, settings }: Workspace,
  { mode, score, results, exit }: Inspection,
): string | undefined {
  if (exit === 2 || !results.some(({ status }) => status === 'PASS' || status === 'VIOLATED')) return undefined;
  const dir = openDir(state);
  const text = dir.text(FILE, LARGEST);
  const before = parseJsonObject<ScoreStreak>(text.ok ? (text.value ?? '') : '', ['mode', 'runs']);
  const streak = countStreak(typeof before?.runs === 'number' ? before : undefined, mode, score);
  dir.write(FILE, JSON.stringify(streak));
  const next = suggestPromotion(streak, settings.enforcement.autoPromote);
  return next === undefined
    ? undefined
    : `the last ${RUNS_FOR_PROMOTION} runs all scored above 90: andon rules enforce --mode ${next} would keep it so`;
}

const FILE = 'rule-runs.json';
const LARGEST = 1_000_000;

/** How many runs in a row had a high score under one mode. */
export interface ScoreStreak {
  readonly mode: Mode;
  readonly runs: number;
}

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
