import { listNames } from '../../base/list-names.ts';
import {
  formatDoubt,
  isOpen,
  isUnchecked,
  type Inspection,
  type RuleFinding,
  isDoubt,
  type RuleResult,
} from '../model/inspection.ts';
import type { Modality } from '../model/rule-words.ts';

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

/** What goes over the limits of the mode. On the line and for a response only hard constraints count, in every mode. */
function listExceeded({ surface, mode, threshold, score, findings }: DecisionInput): string[] {
  const open = findings.filter((finding) => finding.status === 'VIOLATED' && isOpen(finding));
  const hard = named(
    'hard constraint',
    open.filter(({ enforcedBy }) => enforcedBy !== undefined),
  );
  if (surface === 'line' || surface === 'response') return hard;
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

/** How well a subject keeps the rules that apply to it: 0 to 100, weighed by modality; 100 when none is scored. */
export function score(results: readonly RuleResult[], findings: readonly RuleFinding[]): number {
  const { reached, possible } = weigh(results, findings);
  return possible === 0 ? 100 : Math.round((reached / possible) * 1000) / 10;
}

/** Whether there is a score. MAY rules alone make none; beside others they count. */
export const isScored = ({ results, findings }: Pick<Inspection, 'results' | 'findings'>): boolean =>
  weigh(results, findings).possible > 0;

function weigh(results: readonly RuleResult[], findings: readonly RuleFinding[]) {
  const open = new Set(findings.filter(isOpen).map(({ rule }) => rule));
  const known = new Set(findings.map(({ rule }) => rule));
  const none = { reached: 0, possible: 0 };
  // A plan that is about a rule's subject and says nothing else is not blocked for what it leaves out.
  if (!results.some(({ status }) => status !== 'NOT_APPLICABLE' && status !== 'NOT_COVERED')) return none;
  const parts = results.flatMap((result) => {
    const part = partOf(result, !known.has(result.rule) || open.has(result.rule));
    return part === undefined ? [] : [{ part, modality: result.modality }];
  });
  if (parts.every(({ modality }) => modality === 'MAY')) return none;
  return parts.reduce(
    ({ reached, possible }, { part, modality }) => ({
      reached: reached + part * WEIGHTS[modality],
      possible: possible + WEIGHTS[modality],
    }),
    none,
  );
}

/** A plan that does not mention a rule loses by it only when the plan is about that rule's subject: from this cosine on. */
const RELEVANCE_THRESHOLD = 0.5;

const WEIGHTS: Readonly<Record<Modality, number>> = { MUST: 3, SHOULD: 2, MAY: 1 };

/** What one rule adds, 0 to 1; undefined when it does not apply. A rule whose every finding is suppressed counts as kept. */
function partOf({ status, layers }: RuleResult, isOpen: boolean): number | undefined {
  if (status === 'PASS') return 1;
  if (status === 'VIOLATED') return isOpen ? 0 : 1;
  if (status === 'UNDECIDED' && layers.some(isDoubt)) return undefined;
  if (status === 'ERROR' || status === 'UNDECIDED') return 0;
  if (status === 'NOT_APPLICABLE') return undefined;
  return layers.some((match) => match.layer === 'semantic' && match.confidence >= RELEVANCE_THRESHOLD)
    ? 0.5
    : undefined;
}
