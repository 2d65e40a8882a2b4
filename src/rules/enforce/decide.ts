import { listNames } from '../../base/list-names.ts';
import { formatDoubt, isOpen, isUnchecked, type Inspection, type RuleFinding } from '../model/inspection.ts';

export type DecisionInput = Pick<Inspection, 'surface' | 'mode' | 'threshold' | 'score' | 'findings' | 'faults'>;

/** Decides once what an inspection comes to: 2 when something could not be checked, 1 when the mode is exceeded, else 0. */
export function decideExit(input: DecisionInput): Pick<Inspection, 'exit' | 'because'> {
  const unsure = [
    ...input.faults.map(({ where, what }) => `${where}: ${what}`),
    ...input.findings
      .filter((finding) => isUnchecked(finding, input.mode))
      .map(({ rule, status, reason, not_sure: doubt }) => {
        const what = status === 'ERROR' ? 'could not be checked' : 'is undecided';
        return doubt === undefined ? `${rule} ${what}: ${reason}` : formatDoubt(rule, reason, doubt);
      }),
  ];
  const exceeded = listExceeded(input);
  if (unsure.length > 0) return { exit: 2, because: [...unsure, ...exceeded] };
  return { exit: exceeded.length > 0 ? 1 : 0, because: exceeded };
}

/** What goes over the limits of the mode; on the line the mode says nothing, hard constraints and P0 do. */
function listExceeded({ surface, mode, threshold, score, findings }: DecisionInput): string[] {
  const open = findings.filter((finding) => finding.status === 'VIOLATED' && isOpen(finding));
  const hard = named(
    'hard constraint',
    open.filter(({ enforcedBy }) => enforcedBy !== undefined),
  );
  if (surface === 'line') return hard;
  // A hard constraint holds of every response, as on the line; the mode says what else does.
  if (surface === 'response' && hard.length > 0) return hard;
  if (mode === 'advisory') return [];
  const mustCounts = mode === 'strict' || surface !== 'pre-commit';
  return [
    ...(mustCounts
      ? named(
          'MUST rule',
          open.filter(({ modality }) => modality === 'MUST'),
        )
      : []),
    ...(score < threshold ? [`the score ${score} is below the threshold ${threshold}`] : []),
  ];
}

function named(kind: string, findings: readonly RuleFinding[]): string[] {
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  if (rules.length === 0) return [];
  return [`${rules.length} ${kind}${rules.length === 1 ? ' is' : 's are'} violated: ${listNames(rules, 10)}`];
}
