import {
  toInspectionFault,
  type Inspection,
  type InspectionContext,
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
import { effectiveHandling, type Ladder } from './enforce/ladder.ts';
import { findingsOf } from './enforce/findings-of.ts';
import { suppress, type Suppressions } from './enforce/suppress.ts';
import { mergeMatches } from './merge-matches.ts';
import { selectRules } from './select-rules.ts';

/** A rule, and what its checks say. */
interface CheckedRule {
  readonly rule: Rule;
  readonly matches: readonly RuleMatch[];
}

/** How rules are enforced. */
export interface Enforcement {
  readonly surface: Surface;
  readonly mode: Mode;
  readonly threshold: number;
  /** What checks may ask and evaluate; default: expressions, and no model. */
  readonly tools?: Omit<CheckTools, 'context'>;
  /** Further results, beside those of the rules. */
  readonly further?: readonly CheckedRule[];
  readonly subject: string;
}

/** The one way in which rules are applied: select → check → merge → suppress → score → decide. Never throws for bad rules or subjects. */
export async function runRules(
  rulebook: Rulebook & { readonly suppressions: Suppressions; readonly ladder?: Ladder },
  subject: Subject,
  context: InspectionContext,
  { surface, mode, threshold, tools = {}, further = [], subject: title }: Enforcement,
): Promise<Inspection> {
  const { phase, ignored } = context;
  const faults = rulebook.faults.map(toInspectionFault);
  const selected = selectRules(
    rulebook.rules.map(({ rule }) => rule),
    subject,
    context,
  );
  const answers = [...(await checkAll(selected.kept, subject, { ...tools, context })), ...further];
  const checked = answers.map(({ rule, matches }) => ({ rule, matches, result: resultOf(rule, matches) }));
  const results = checked.map(({ result }) => result);
  const found = checked.flatMap(({ rule, result }) =>
    findingsOf(
      rule,
      result,
      { phase, surface },
      effectiveHandling(rule, context, ignored?.get(rule.id), rulebook.ladder),
    ),
  );
  const { findings, warnings } = suppress(
    found,
    subject,
    {
      ...rulebook.suppressions,
      skippedRules: new Set(selected.left.map(({ rule }) => rule.id)),
      trustsOwnMarks: surface !== 'line' && surface !== 'response',
    },
    context.now,
  );
  const points = score(results, findings);
  const { exit, because } = decideExit({ surface, mode, threshold, score: points, findings, faults });
  const trace: readonly TraceStep[] = [
    ...selected.left.map(({ rule, why }) => ({ step: 'select', rule: rule.id, outcome: `left out: ${why}` })),
    ...checked.flatMap(({ rule, matches, result }) => [
      ...matches.flatMap((match) => traceOf(match).map((step) => ({ ...step, rule: rule.id }))),
      { step: 'merge', rule: rule.id, outcome: `${result.status} (${result.confidence.toFixed(2)})` },
    ]),
    ...findings.flatMap(({ rule, suppressed: by }) =>
      by === undefined ? [] : [{ step: 'suppress', rule, outcome: `${by.by}: ${by.reason}` }],
    ),
    { step: 'decide', outcome: `score ${points}, exit ${exit}` },
  ];
  return {
    surface,
    mode,
    threshold,
    ...(phase === undefined ? {} : { phase }),
    subject: title,
    results,
    findings,
    score: points,
    exit,
    because,
    faults,
    warnings,
    trace,
  };
}

/** What each rule says of a subject. A model answers several questions at once; its caller limits how many. */
async function checkAll(rules: readonly Rule[], subject: Subject, tools: CheckTools): Promise<readonly CheckedRule[]> {
  const check = async (rule: Rule): Promise<CheckedRule> => ({ rule, matches: await checkRule(rule, subject, tools) });
  if (tools.ask !== undefined || tools.judge !== undefined) return Promise.all(rules.map(check));
  const checked: CheckedRule[] = [];
  for (const rule of rules) checked.push(await check(rule));
  return checked;
}

/** What the layers say together; intermediate steps are only in the trace. */
function resultOf({ id, title, modality, severity }: Rule, matches: readonly RuleMatch[]): RuleResult {
  const { needsReview, ...merged } = mergeMatches(matches.map(withoutTrace));
  return { rule: id, title, modality, severity, ...merged, ...(needsReview && { needsReview }) };
}

function withoutTrace(match: RuleMatch): RuleMatch {
  const { trace: _, ...rest } = match;
  return rest;
}

const traceOf = ({ layer, status, confidence, reason, trace = [] }: RuleMatch): readonly TraceStep[] => [
  ...trace,
  { step: layer, outcome: `${status} (${confidence.toFixed(2)}): ${reason}` },
];
