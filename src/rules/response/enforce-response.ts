import {
  isOpen,
  isUnchecked,
  type Inspection,
  type RuleFinding,
  type TraceStep,
  type ConstraintViolation,
  type ResponseOutcome,
} from '../model/inspection.ts';
import type { Rule } from '../model/rule.ts';

export interface Remedies {
  /** Maximum regenerations, 0 to 3. */
  readonly maxRetries: number;
  /** Regenerates a response from its faults; undefined on failure. Absent: not possible. */
  readonly regenerate?: (before: string, violations: readonly ConstraintViolation[]) => Promise<string | undefined>;
  /** Whether the texts that rules keep for this may be delivered. */
  readonly usesFallbacks: boolean;
}

export type CheckResponse = (response: string) => Promise<Inspection>;

/** A response that was enforced: what came of it, and the inspection of what is delivered, or of what was given. */
export interface EnforcedResponse {
  readonly outcome: ResponseOutcome;
  readonly inspection: Inspection;
}

/** Maximum regenerations of one turn, over all callers. */
export const MOST_RETRIES_OF_A_TURN = 3;

/**
 * Checks a response, has it regenerated with its faults as hints, then tries the fallback texts of the rules that
 * are violated; each text is checked before it may be delivered, and nothing else is. An undecided rule is
 * delivered in no form but one that was decided.
 */
export async function enforceResponse(
  response: string,
  check: CheckResponse,
  rules: ReadonlyMap<string, Rule>,
  { maxRetries, regenerate, usesFallbacks }: Remedies,
): Promise<EnforcedResponse> {
  const trace: TraceStep[] = [];
  const first = await check(response);
  if (isClear(first)) return clear(first, { text: response, from: 'response' }, [], 0, trace);
  let [last, text, attempts] = [first, response, 0];
  const most = regenerate === undefined ? 0 : Math.min(maxRetries, MOST_RETRIES_OF_A_TURN);
  while (attempts < most && violationsIn(last).length > 0) {
    const again = await regenerate?.(text, violationsIn(last));
    attempts += 1;
    trace.push({
      step: 'regenerate',
      outcome: again === undefined ? `attempt ${attempts}: nothing came` : `attempt ${attempts} of ${most}`,
    });
    if (again === undefined) continue;
    [text, last] = [again, await check(again)];
    trace.push({ step: 'checked', outcome: `attempt ${attempts}: ${describeInspection(last)}` });
    if (isClear(last)) return clear(last, { text, from: 'regenerated' }, [], attempts, trace);
  }
  const violations = violationsIn(last);
  for (const [fallback, rule] of usesFallbacks ? fallbacksOf(last, rules) : []) {
    const checked = await check(fallback);
    trace.push({ step: 'fallback', rule, outcome: describeInspection(checked) });
    if (isClear(checked)) return clear(checked, { text: fallback, from: 'fallback' }, violations, attempts, trace);
  }
  const unverified = uncheckedIn(last).map(({ rule, reason }) => `${rule}: ${reason}`);
  trace.push({ step: 'deliver', outcome: 'nothing: a human decides' });
  return {
    outcome: {
      passed: false,
      violations,
      unverified,
      attempts,
      fallback_used: false,
      delivered: null,
      escalated: true,
    },
    inspection: { ...first, trace: [...first.trace, ...trace] },
  };
}

function clear(
  inspection: Inspection,
  delivered: NonNullable<ResponseOutcome['delivered']>,
  violations: readonly ConstraintViolation[],
  attempts: number,
  trace: readonly TraceStep[],
): EnforcedResponse {
  const outcome = {
    passed: true,
    violations,
    unverified: [],
    attempts,
    fallback_used: delivered.from === 'fallback',
    delivered,
    escalated: false,
  };
  const last = {
    step: 'deliver',
    outcome: `the ${delivered.from === 'regenerated' ? 'regenerated response' : delivered.from}`,
  };
  return { outcome, inspection: { ...inspection, trace: [...inspection.trace, ...trace, last] } };
}

/** Whether a text may be delivered: no hard constraint is violated, and nothing that must hold is undecided. */
const isClear = (inspection: Inspection): boolean =>
  inspection.faults.length === 0 && blocking(inspection).length === 0 && uncheckedIn(inspection).length === 0;

const uncheckedIn = ({ findings, mode }: Inspection): readonly RuleFinding[] =>
  findings.filter((finding) => isUnchecked(finding, mode));

/** Soft rules are reported, and stop nothing. */
const blocking = ({ findings }: Inspection): readonly RuleFinding[] =>
  findings.filter((finding) => finding.status === 'VIOLATED' && finding.enforcedBy !== undefined && isOpen(finding));

const violationsIn = (inspection: Inspection): readonly ConstraintViolation[] =>
  blocking(inspection).map(({ rule, title, violation, reason }) => ({
    rule_id: violation === 'relevance_failed' || violation === 'grounding_failed' ? null : rule,
    rule_name: title,
    violation_type: violation ?? 'rule_violated',
    details: reason,
  }));

/** The fallback texts of violated and undecided rules, each with its first rule. */
function fallbacksOf(inspection: Inspection, rules: ReadonlyMap<string, Rule>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { rule } of [...blocking(inspection), ...uncheckedIn(inspection)]) {
    const text = rules.get(rule)?.fallback;
    if (text !== undefined && !texts.has(text)) texts.set(text, rule);
  }
  return texts;
}

function describeInspection(inspection: Inspection): string {
  const violations = violationsIn(inspection);
  if (violations.length > 0) return `violated: ${violations.map(({ rule_name: name }) => name).join(', ')}`;
  return isClear(inspection) ? 'holds' : 'undecided';
}
