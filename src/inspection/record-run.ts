import { parseJsonObject } from '../base/json-object.ts';
import type { Inspection } from '../rule-model/inspection.ts';
import { RUNS_FOR_PROMOTION, countStreak, suggestPromotion, type ScoreStreak } from '../rules/enforce/promote.ts';
import { openDir } from '../wiring/files.ts';
import type { Workspace } from '../wiring/load-workspace.ts';

/**
 * Counts the runs with a high score, and gives the sentence that suggests a stricter mode. The mode itself is never
 * changed. A damaged file restarts the count.
 */
export function recordRun(
  { state, settings }: Workspace,
  { mode, score, results, exit }: Inspection,
): string | undefined {
  if (exit === 2 || !results.some(({ status }) => status === 'PASS' || status === 'VIOLATED')) return undefined;
  const door = openDir(state);
  const text = door.text(FILE, LARGEST);
  const before = parseJsonObject<ScoreStreak>(text.ok ? (text.value ?? '') : '', ['mode', 'runs']);
  const streak = countStreak(typeof before?.runs === 'number' ? before : undefined, mode, score);
  door.write(FILE, JSON.stringify(streak));
  const next = suggestPromotion(streak, settings.enforcement.autoPromote);
  return next === undefined
    ? undefined
    : `the last ${RUNS_FOR_PROMOTION} runs all scored above 90: andon rules enforce --mode ${next} would keep it so`;
}

const FILE = 'rule-runs.json';
const LARGEST = 1_000_000;
