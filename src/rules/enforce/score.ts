import { isDoubt, isOpen, type RuleFinding, type RuleResult } from '../model/inspection.ts';
import type { Modality } from '../model/rule-words.ts';

/** How well a subject keeps the rules that apply to it: 0 to 100, weighed by modality; 100 when none applies. */
export function score(results: readonly RuleResult[], findings: readonly RuleFinding[]): number {
  const open = new Set(findings.filter(isOpen).map(({ rule }) => rule));
  const known = new Set(findings.map(({ rule }) => rule));
  let [reached, possible] = [0, 0];
  // A plan that is about a rule's subject and says nothing else is not blocked for what it leaves out.
  if (!results.some(({ status }) => status !== 'NOT_APPLICABLE' && status !== 'NOT_COVERED')) return 100;
  for (const result of results) {
    const part = partOf(result, !known.has(result.rule) || open.has(result.rule));
    if (part === undefined) continue;
    const weight = WEIGHTS[result.modality];
    reached += part * weight;
    possible += weight;
  }
  return possible === 0 ? 100 : Math.round((reached / possible) * 1000) / 10;
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
