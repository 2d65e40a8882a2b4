import {
  toInspectionFault,
  type Inspection,
  type InspectionContext,
  type RuleFinding,
  type RuleMatch,
  type RuleResult,
  type Subject,
  type TraceStep,
} from './model/inspection.ts';
import type { Rule, Rulebook } from './model/rule.ts';
import type { Surface } from './model/rule-words.ts';
import type { Mode } from '../project/config/config-words.ts';
import type { CheckTools } from './checks/check.ts';
import { checkRule } from './check-rule.ts';
import { decideExit, score } from './enforce/decide-exit.ts';
import { effectiveHandling } from './escalation.ts';
import { findingsOf } from './enforce/findings-of.ts';
import type { Ladder } from './enforce/ladder.ts';
import { suppress, type Suppressions } from './enforce/suppress.ts';
import { mergeMatches } from './merge-matches.ts';
import { selectRules } from './select-rules.ts';

/** How rules are enforced. */
export interface Enforcement {
  readonly surface: Surface;
  readonly mode: Mode;
  readonly threshold: number;
  /** What checks may ask and evaluate; default: expressions, and no model. */
  readonly tools?: Omit<CheckTools, 'context'>;
  /** Further results, beside those of the rules. */
  readonly further?: readonly { readonly rule: Rule; readonly matches: readonly RuleMatch[] }[];
  readonly subject: string;
}

/** The one way in which rules are applied: select → check → merge → suppress → score → decide. Never throws for bad rules or subjects. */
export async function runRules(
  rulebook: Rulebook & { readonly suppressions: Suppressions; readonly ladder?: Ladder },
  subject: Subject,
  context: InspectionContext,
  enforcement: Enforcement,
): Promise<Inspection> {
  const trace: TraceStep[] = [];
  const faults = rulebook.faults.map(toInspectionFault);
  const selected = selectRules(
    rulebook.rules.map(({ rule }) => rule),
    subject,
    context,
  );
  for (const { rule, why } of selected.left) trace.push({ step: 'select', rule: rule.id, outcome: `left out: ${why}` });
  const results: RuleResult[] = [];
  const found: RuleFinding[] = [];
  const { tools = {} } = enforcement;
  const check = (rule: Rule): Promise<readonly RuleMatch[]> => checkRule(rule, subject, { ...tools, context });
  // A model answers several questions at once; its caller limits how many.
  const asksMany = tools.ask !== undefined || tools.judge !== undefined;
  const early = asksMany ? await Promise.all(selected.kept.map(check)) : [];
  const checks = selected.kept.map((rule, at) => ({ rule, findMatches: async () => early[at] ?? check(rule) }));
  const further = (enforcement.further ?? []).map(({ rule, matches }) => ({
    rule,
    findMatches: () => Promise.resolve(matches),
  }));
  for (const { rule, findMatches } of [...checks, ...further]) {
    const matches = await findMatches();
    for (const match of matches) {
      for (const { step, outcome } of match.trace ?? []) trace.push({ step, rule: rule.id, outcome });
      trace.push({
        step: match.layer,
        rule: rule.id,
        outcome: `${match.status} (${match.confidence.toFixed(2)}): ${match.reason}`,
      });
    }
    const { id, title, modality, severity } = rule;
    const { needsReview, ...merged } = mergeMatches(matches.map(withoutTrace));
    const result: RuleResult = { rule: id, title, modality, severity, ...merged, ...(needsReview && { needsReview }) };
    trace.push({ step: 'merge', rule: rule.id, outcome: `${result.status} (${result.confidence.toFixed(2)})` });
    results.push(result);
    const counts = effectiveHandling(rule, context, context.ignored?.get(rule.id), rulebook.ladder);
    for (const finding of findingsOf(rule, result, { phase: context.phase, surface: enforcement.surface }, counts))
      found.push(finding);
  }
  const trustsOwnMarks = enforcement.surface !== 'line' && enforcement.surface !== 'response';
  const suppressed = suppress(
    found,
    subject,
    { ...rulebook.suppressions, skippedRules: new Set(selected.left.map(({ rule }) => rule.id)), trustsOwnMarks },
    context.now,
  );
  for (const { rule, suppressed: by } of suppressed.findings)
    if (by !== undefined) trace.push({ step: 'suppress', rule, outcome: `${by.by}: ${by.reason}` });
  const points = score(results, suppressed.findings);
  const conclusion = decideExit({ ...enforcement, score: points, findings: suppressed.findings, faults });
  trace.push({ step: 'decide', outcome: `score ${points}, exit ${conclusion.exit}` });
  return {
    surface: enforcement.surface,
    mode: enforcement.mode,
    threshold: enforcement.threshold,
    ...(context.phase === undefined ? {} : { phase: context.phase }),
    subject: enforcement.subject,
    results,
    findings: suppressed.findings,
    score: points,
    exit: conclusion.exit,
    because: conclusion.because,
    faults,
    warnings: suppressed.warnings,
    trace,
  };
}

/** Intermediate steps are only in the trace. */
function withoutTrace(match: RuleMatch): RuleMatch {
  const { trace: _, ...rest } = match;
  return rest;
}
