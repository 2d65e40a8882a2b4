import type { MatchPlace, RuleMatch, Subject } from '../model/inspection.ts';
import type { Rule } from '../model/rule.ts';
import { compileExpression, type Evaluation } from '../expressions/compile-expression.ts';
import { showValue, valueFrom, type Value } from '../expressions/value.ts';
import { maskSecrets } from '../secrets/mask-secrets.ts';
import { extractFrom } from '../variables/extract-from.ts';
import type { CheckTools } from '../checks/check.ts';
import { exactError, exactIdle } from '../checks/exact-match.ts';
import { selectTargets } from '../checks/search-targets.ts';

/**
 * Lane 1: holds a rule's `enforcement_expression` against what a text says, by default the response. Nothing where the
 * rule has none or there is no such text; a variable that is not there is what the rule's `on_missing` makes of it.
 */
export async function checkExpression(rule: Rule, subject: Subject, tools: CheckTools): Promise<readonly RuleMatch[]> {
  const { enforcement_expression: source } = rule;
  if (source === undefined) return [];
  const texts = selectTargets(subject, rule.match?.on ?? 'response', rule.match);
  if (texts.length === 0) return [];
  if (tools.evaluatesExpressions === false)
    return [exactIdle('expressions are switched off (deterministic_enabled: false)')];
  const made = compileExpression(source);
  if (!made.ok) return [exactError(`the expression cannot be evaluated: ${made.why.message}`)];
  const matches: RuleMatch[] = [];
  for (const { haystack, file } of texts) {
    const variables = await variablesOf(rule, made.value.variables, haystack.text, tools);
    const values = new Map([...variables.known].map(([name, { value }]) => [name, value]));
    matches.push(matchOf(rule, made.value.evaluate(values), variables, file));
  }
  return matches;
}

/** Everything that is known of the variables of an expression; a language model is asked last, and only for what a text itself says. */
async function variablesOf(
  rule: Rule,
  names: readonly string[],
  text: string,
  tools: CheckTools,
): Promise<TextAndOthers> {
  const { session, profile } = tools.context.variables ?? {};
  const regex = extractFrom(text, names, rule.extract);
  const sources = { session, profile, regex: regex.found };
  const before = mergeVariables(sources);
  const open = names.filter((name) => !before.known.has(name));
  const llm = open.length === 0 || tools.extract === undefined ? {} : await tools.extract(rule, open, text);
  const merged = mergeVariables({ ...sources, llm });
  // What the expression does not ask for decides nothing, and makes nothing half known.
  const known = new Map([...merged.known].filter(([name]) => names.includes(name)));
  const unsure = regex.unsure.filter((name) => !known.has(name));
  return { known, unsure, problems: [...regex.problems, ...merged.problems] };
}

interface TextAndOthers extends MergedVariables {
  /** Variables that the text speaks of in a spelling that is not read. */
  readonly unsure: readonly string[];
}

function matchOf(rule: Rule, evaluation: Evaluation, variables: TextAndOthers, file: string | undefined): RuleMatch {
  const shown = showEvaluation(evaluation, variables);
  const base = {
    layer: 'exact',
    confidence: 1,
    places: [],
    trace: traceOf(rule, evaluation, variables, shown),
  } as const;
  if (variables.problems.length > 0)
    return { ...base, status: 'ERROR', reason: `a variable cannot be told: ${variables.problems.join('; ')}` };
  const { outcome, missing, problem = '' } = evaluation;
  const clauses = shown.clauses.join(', ');
  if (outcome === 'true') return { ...base, status: 'PASS', reason: clauses };
  if (outcome === 'error') return { ...base, status: 'UNDECIDED', reason: `${clauses}: ${problem}` };
  const unread = missing.filter((name) => variables.unsure.includes(name));
  if (outcome === 'unknown' && unread.length > 0)
    return {
      ...base,
      status: 'UNDECIDED',
      reason: `not sure: the text may say what ${unread.join(' and ')} is, in words that are not read; a language model can (--llm)`,
    };
  if (outcome === 'unknown' && rule.on_missing !== 'violation')
    return {
      ...base,
      status: rule.on_missing === 'needs_review' ? 'UNDECIDED' : 'NOT_APPLICABLE',
      reason: `nothing says what ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'}`,
    };
  const place: MatchPlace = { ...(file === undefined ? {} : { file }), excerpt: clauses, matched: clauses };
  return {
    ...base,
    status: 'VIOLATED',
    violation: 'expression_failed',
    reason: `Expression '${rule.enforcement_expression ?? ''}' evaluated to ${outcome === 'unknown' ? 'unknown' : 'False'}: ${clauses}`,
    places: [place],
  };
}

/** The step at which a hard constraint is left open although a part of what it asks for is there. */
export const HALF_KNOWN = 'on_missing, half known';

type ShownEvaluation = ReturnType<typeof showEvaluation>;

/** Which variables an expression was given and by whom, and what each of its conditions came to, without secrets. */
function showEvaluation(evaluation: Evaluation, { known }: MergedVariables) {
  const values = [...known].map(([name, { value, from }]) => `${name} = ${showValue(value)} (${from})`).join(', ');
  const lines = [values, ...evaluation.clauses()].map((line) => line.replace(/\s+/g, ' '));
  const [first = '', ...clauses] = maskSecrets(lines.join('\n')).split('\n'); // secrets are looked for once
  return { values: first, clauses };
}

function traceOf(
  rule: Rule,
  { outcome }: Evaluation,
  { known }: MergedVariables,
  shown: ShownEvaluation,
): NonNullable<RuleMatch['trace']> {
  const isHalfKnown = rule.is_hard_constraint && rule.on_missing === 'not_applicable' && known.size > 0;
  return [
    { step: 'extract', outcome: shown.values || 'none of the variables is there' },
    ...shown.clauses.map((clause) => ({ step: 'expression', outcome: clause })),
    ...(outcome === 'unknown' ? [{ step: isHalfKnown ? HALF_KNOWN : 'on_missing', outcome: rule.on_missing }] : []),
  ];
}

/** Who said what a variable is, the most trusted first: an answer never overrules what is known of whom it is for. */
const ORIGINS = ['profile', 'session', 'regex', 'llm'] as const;
type Origin = (typeof ORIGINS)[number];

interface KnownVariable {
  readonly value: Value;
  readonly from: Origin;
}

/** The variables of an evaluation by name, and those that were left out because they are no plain data. */
interface MergedVariables {
  readonly known: ReadonlyMap<string, KnownVariable>;
  readonly problems: readonly string[];
}

/**
 * Puts together what everybody says: profile over session over what the text holds over what a language model read in
 * it. A null overrides nothing; a `tier` of the profile also says `user_tier` and `is_vip`.
 */
export function mergeVariables(
  sources: Readonly<Partial<Record<Origin, Readonly<Record<string, unknown>> | undefined>>>,
): MergedVariables {
  const known = new Map<string, KnownVariable>();
  const problems: string[] = [];
  for (const from of ORIGINS)
    for (const [name, plain] of Object.entries(
      from === 'profile' ? withTier(sources.profile ?? {}) : (sources[from] ?? {}),
    )) {
      if (plain === null || plain === undefined || known.has(name)) continue;
      const value = valueFrom(plain);
      if (value.ok) known.set(name, { value: value.value, from });
      else problems.push(`${name} of the ${from}: ${value.why}`);
    }
  return { known, problems };
}

function withTier(profile: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const tier = profile['user_tier'] ?? profile['tier'];
  return tier === undefined || tier === null ? profile : { user_tier: tier, is_vip: tier === 'VIP', ...profile };
}
