import { isOpen, type Inspection, type RuleFinding } from '../../rule-model/inspection.ts';
import { MODES } from '../../rule-model/rule-words.ts';

/** Puts together what two versions of a rulebook say of one change: nothing that either objects to is lost. */
export function combineInspections(now: Inspection, before: Inspection): Inspection {
  const [first, second] = before.exit > now.exit ? [before, now] : [now, before];
  const known = new Set(first.results.map(({ rule }) => rule));
  return {
    ...now,
    mode: MODES.indexOf(before.mode) > MODES.indexOf(now.mode) ? before.mode : now.mode,
    threshold: Math.max(now.threshold, before.threshold),
    results: [...first.results, ...second.results.filter(({ rule }) => !known.has(rule))],
    findings: united(first.findings, second.findings),
    score: Math.min(now.score, before.score),
    exit: first.exit,
    because: once([...first.because, ...second.because]),
    faults: [...now.faults, ...before.faults],
    warnings: once([...now.warnings, ...before.warnings]),
    trace: [...now.trace, ...before.trace],
  };
}

/** Every finding once; where one of the two counts and the other does not, the one that counts. */
function united(first: readonly RuleFinding[], second: readonly RuleFinding[]): readonly RuleFinding[] {
  const found = new Map(first.map((finding) => [finding.fingerprint, finding]));
  for (const finding of second) {
    const same = found.get(finding.fingerprint);
    if (same === undefined || (!isOpen(same) && isOpen(finding))) found.set(finding.fingerprint, finding);
  }
  return [...found.values()];
}

const once = (sentences: readonly string[]): readonly string[] => [...new Set(sentences)];
