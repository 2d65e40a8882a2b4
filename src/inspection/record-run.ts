import { MODES } from '../rule-model/rule-words.ts';
import type { Mode } from '../rule-model/rule-words.ts';
import type { Inspection } from '../rule-model/inspection.ts';
import type { Outcome } from '../base/outcome.ts';
import { RUNS_FOR_PROMOTION, suggestPromotion } from '../rules/enforce/promote.ts';
import type { RecordedRun } from '../rules/enforce/promote.ts';
import { openDir } from '../wiring/files.ts';
import type { Workspace } from '../wiring/load-workspace.ts';

/**
 * Remembers the score of a run to which rules applied, and gives the sentence that suggests a stricter mode, once per
 * step. The mode itself is never changed. A file that was damaged only forgets.
 */
export function recordRun(
  { state, settings }: Workspace,
  { mode, score, results, exit }: Inspection,
): string | undefined {
  if (exit === 2 || !results.some(({ status }) => status === 'PASS' || status === 'VIOLATED')) return undefined;
  const door = openDir(state);
  const known = read(door.text(FILE, LARGEST));
  const runs = [...known.runs, { mode, score }].slice(-RUNS_FOR_PROMOTION);
  const next = suggestPromotion(mode, settings.enforcement.autoPromote, runs, known.suggested);
  const suggested =
    next === undefined
      ? known.suggested.filter((one) => MODES.indexOf(one) <= MODES.indexOf(mode) + 1)
      : [...known.suggested, next];
  door.write(FILE, JSON.stringify({ runs, suggested }));
  return next === undefined
    ? undefined
    : `the last ${RUNS_FOR_PROMOTION} runs all scored above 90: andon rules enforce --mode ${next} would keep it so`;
}

interface Remembered {
  readonly runs: readonly RecordedRun[];
  readonly suggested: readonly Mode[];
}

const FILE = 'rule-runs.json';
const LARGEST = 1_000_000;

function read(found: Outcome<string | undefined, string>): Remembered {
  try {
    const { runs, suggested } = JSON.parse(found.ok ? (found.value ?? '') : '') as Partial<Remembered>;
    return {
      runs: (runs ?? []).filter(({ mode, score }) => MODES.includes(mode) && typeof score === 'number'),
      suggested: (suggested ?? []).filter((mode) => MODES.includes(mode)),
    };
  } catch {
    return { runs: [], suggested: [] };
  }
}
