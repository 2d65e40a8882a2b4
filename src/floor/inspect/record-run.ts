import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODES } from '../../formats/rule-words.ts';
import type { Mode } from '../../formats/rule-words.ts';
import type { Inspection } from '../../formats/inspection.ts';
import { RUNS_FOR_PROMOTION, promotion } from '../../governance/enforce/promote.ts';
import type { RecordedRun } from '../../governance/enforce/promote.ts';
import { replaceFile } from '../open-floor.ts';
import type { Place } from '../open-floor.ts';

/**
 * Remembers the score of a run to which rules applied, and gives the sentence that suggests a stricter mode, once per
 * step. The mode itself is never changed. A file that was damaged only forgets.
 */
export function recordRun({ state, settings }: Place, { mode, score, results, exit }: Inspection): string | undefined {
  if (exit === 2 || !results.some(({ status }) => status === 'PASS' || status === 'VIOLATED')) return undefined;
  const file = join(state, 'rule-runs.json');
  const known = read(file);
  const runs = [...known.runs, { mode, score }].slice(-RUNS_FOR_PROMOTION);
  const next = promotion(mode, settings.enforcement.autoPromote, runs, known.suggested);
  const suggested =
    next === undefined
      ? known.suggested.filter((one) => MODES.indexOf(one) <= MODES.indexOf(mode) + 1)
      : [...known.suggested, next];
  replaceFile(file, JSON.stringify({ runs, suggested }));
  return next === undefined
    ? undefined
    : `the last ${RUNS_FOR_PROMOTION} runs all scored above 90: andon enforce --mode ${next} would keep it so`;
}

interface Remembered {
  readonly runs: readonly RecordedRun[];
  readonly suggested: readonly Mode[];
}

function read(file: string): Remembered {
  try {
    const { runs, suggested } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Remembered>;
    return {
      runs: (runs ?? []).filter(({ mode, score }) => MODES.includes(mode) && typeof score === 'number'),
      suggested: (suggested ?? []).filter((mode) => MODES.includes(mode)),
    };
  } catch {
    return { runs: [], suggested: [] };
  }
}
