import {
  toInspectionFault,
  type Inspection,
  type InspectionContext,
  type RuleMatch,
  type RuleResult,
  type Subject,
  type TraceStep,
  type SubjectFile,
  isDoubt,
} from './model/inspection.ts';
import { type Rule, type Rulebook, looksForSomething, type RuleCheck } from './model/rule.ts';
import { type Surface, LAYERS, type Layer, type RuleStatus } from './model/rule-words.ts';
import type { Mode } from '../project/config/config-words.ts';
import type { CheckTools, Check } from './checks/check.ts';
import { decideExit, score } from './enforce/decide-exit.ts';
import { effectiveHandling, type Ladder } from './enforce/ladder.ts';
import { findingsOf } from './enforce/findings-of.ts';
import { suppress, type Suppressions } from './enforce/suppress.ts';
import { selectRules } from './select-rules.ts';
import { listNames } from '../base/list-names.ts';
import { checkOf } from './checks/index.ts';
import { impliedMetric } from './checks/metric.ts';
import { PLAN, impliesPlan } from './checks/plan.ts';
import { forbidsSecretsInCode, SECRETS } from './checks/secrets.ts';
import { exactError } from './checks/exact-match.ts';
import { checkExpression } from './response/check-expression.ts';
import { judgeResponse } from './response/judge-response.ts';
import { isChosen, isInFiles, isNewcomer, type FileChoice } from './checks/search-targets.ts';
import { choiceOf, isRequiring, placeOf } from './checks/settings.ts';
import { looksInto, matchSubject } from './checks/regex.ts';
import { maskSecrets } from './secrets/mask-secrets.ts';
import { getErrorMessage } from '../base/get-error-message.ts';

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

/** Everything that a rule's `match`, expression and `checks` say about a subject; nothing when none of them applies to it. */
export async function checkRule(rule: Rule, subject: Subject, tools: CheckTools): Promise<readonly RuleMatch[]> {
  const { match } = rule;
  const checks = [...rule.checks, ...impliedChecks(rule)];
  const steps: readonly (() => ReturnType<Check['run']>)[] = [
    () => (match === undefined ? [] : matchSubject(match, subject, tools.context)),
    () => checkExpression(rule, subject, tools),
    () => judgeResponse(rule, subject, tools),
    ...checks.map((check) => () => runCheck(check, rule, subject, tools)),
    () => unreadFiles(rule, checks, subject),
  ];
  const matches: RuleMatch[] = [];
  for (const step of steps) matches.push(...(await safely(step)));
  return matches;
}

function impliedChecks(rule: Rule): readonly RuleCheck[] {
  const metric = impliedMetric(rule);
  if (metric !== undefined) return [metric];
  if (!impliesPlan(rule)) return [];
  return [{ type: PLAN.type }, ...(forbidsSecretsInCode(rule) ? [{ type: SECRETS.type }] : [])];
}

function runCheck(check: RuleCheck, rule: Rule, subject: Subject, tools: CheckTools): ReturnType<Check['run']> {
  const known = checkOf(check.type);
  if (known === undefined) return [exactError(`andon knows no check of the type ${JSON.stringify(check.type)}`)];
  const faults = known.lint(check, rule);
  if (faults.length > 0)
    return [
      exactError(`the check ${known.type} is not set up rightly: ${faults.map(({ message }) => message).join('; ')}`),
    ];
  return known.run(check, rule, subject, tools);
}

/** A check that throws is a fault of andon or of the rule, and never a pass. */
async function safely(work: () => ReturnType<Check['run']>): Promise<readonly RuleMatch[]> {
  try {
    return await work();
  } catch (error) {
    return [exactError(`the check failed: ${maskSecrets(getErrorMessage(error)).slice(0, 300)}`)];
  }
}

/** Reports that a rule about file contents could not be applied to unreadable files. */
function unreadFiles(rule: Rule, checks: readonly RuleCheck[], subject: Subject): readonly RuleMatch[] {
  const { match } = rule;
  const choices: readonly Choice[] = [
    ...(match !== undefined && looksForSomething(match) && isInFiles(match.on)
      ? [{ ...match, reads: (path: string) => looksInto(path, match.file_patterns) }]
      : []),
    ...checks.flatMap((check) => choiceIn(check, rule)),
  ];
  if (choices.length === 0) return [];
  const missed = subject.files.flatMap((file) => {
    const why = choices.map((choice) => explainMissed(file, choice)).find((one) => one !== undefined);
    return why === undefined ? [] : [{ path: file.path, why }];
  });
  if (missed.length === 0) return [];
  const named = listNames(missed.map(({ path, why }) => `${path} (${why})`));
  return [exactError(`not looked into: ${named}; exclude_patterns can leave files out`)];
}

type Choice = FileChoice & { readonly on: unknown };

function choiceIn(check: RuleCheck, rule: Rule): readonly Choice[] {
  const reads = checkOf(check.type)?.reads;
  const on = placeOf(check, rule, isRequiring(check) ? 'file' : 'added_lines');
  if (reads === undefined || !isInFiles(on)) return [];
  const choice = choiceOf(check, rule);
  return [{ ...choice, on, reads: (path) => reads(path, choice.file_patterns) }];
}

/** Why a choice of files is not satisfied with what is known of one; undefined when it is. */
function explainMissed(file: SubjectFile, choice: Choice): string | undefined {
  if (file.change === 'deleted' || !isChosen(file.path, choice)) return undefined;
  if (file.unread !== undefined) return file.unread;
  const isUnknown = file.all === undefined && file.content === undefined && file.isSubmodule === undefined;
  if (file.change !== 'moved' || !isUnknown) return undefined;
  return isNewcomer(file, choice) || (choice.on === 'file' && file.added.length === 0) ? MOVED_UNSEEN : undefined;
}

const MOVED_UNSEEN = 'moved, and a patch shows only what was edited in it';

type MergedMatch = Omit<RuleResult, 'rule' | 'title' | 'modality' | 'severity' | 'needsReview'> & {
  readonly needsReview: boolean;
};

/** A heuristic layer overrules the ones below it from this confidence on. */
const OVERRULES_FROM = 0.6;

/**
 * Makes one answer of what the layers say: exact evidence is final, else the upper layer when it is sure enough, else
 * the surest one, else the gravest. What could not be checked or decided never ends as PASS, and the semantic layer
 * alone neither makes a violation nor takes one away.
 */
export function mergeMatches(matches: readonly RuleMatch[]): MergedMatch {
  const applicable = matches.filter(({ status }) => status !== 'NOT_APPLICABLE');
  const winner = applicable.length === 0 ? nothing(matches) : decided(applicable);
  return {
    status: winner.status,
    confidence: winner.confidence,
    reason: winner.reason,
    layers: matches,
    needsReview: isContested(applicable, winner),
  };
}

type Winner = Pick<RuleMatch, 'status' | 'confidence' | 'reason'>;

const nothing = ([first]: readonly RuleMatch[]): Winner =>
  first ?? { status: 'NOT_APPLICABLE', confidence: 1, reason: 'no check of the rule applies here' };

/**
 * The winner among the layers that decided, unless one could not: then only a violation still counts. A doubt of the words is
 * answered by a language model.
 */
function decided(all: readonly RuleMatch[]): Winner {
  const isAnswered = all.some(({ layer, status }) => layer === 'llm' && status !== 'ERROR' && status !== 'UNDECIDED');
  const matches = all.filter((match) => !isAnswered || !isDoubt(match));
  const clear = matches.filter(({ status }) => status !== 'ERROR' && status !== 'UNDECIDED');
  const winner = clear.length === 0 ? undefined : ruled(clear);
  if (winner?.status === 'VIOLATED') return winner;
  const unclear =
    gravest(matches.filter(({ status }) => status === 'ERROR')) ??
    gravest(matches.filter(({ status }) => status === 'UNDECIDED'));
  return unclear ?? winner ?? nothing([]);
}

function ruled(clear: readonly RuleMatch[]): Winner {
  const exact = gravest(clear.filter(({ layer }) => layer === 'exact'));
  if (exact !== undefined) return exact;
  const matches = withoutLoneSemantic(clear);
  if (matches.length === 0) return { ...clear[0]!, status: 'NOT_COVERED' };
  const statuses = new Set(matches.map(({ status }) => status));
  if (statuses.size > 1)
    for (const layer of UPPER_FIRST) {
      const upper = surest(matches.filter((match) => match.layer === layer && match.confidence >= OVERRULES_FROM));
      if (upper !== undefined) return upper;
    }
  return surest(matches) ?? nothing([]);
}

const UPPER_FIRST: readonly Layer[] = LAYERS.toReversed();

/** Excludes the semantic layer where it may not speak: for violations without support, and against the layer below. */
function withoutLoneSemantic(clear: readonly RuleMatch[]): readonly RuleMatch[] {
  const others = clear.filter(({ layer }) => layer !== 'semantic');
  const blamed = others.some(({ status }) => status === 'VIOLATED');
  return clear.filter(({ layer, status }) => layer !== 'semantic' || (status === 'VIOLATED') === blamed);
}

/** Gravest first. */
const GRAVITY: readonly RuleStatus[] = ['VIOLATED', 'ERROR', 'UNDECIDED', 'PASS', 'NOT_COVERED', 'NOT_APPLICABLE'];
const gravity = ({ status }: RuleMatch): number => GRAVITY.indexOf(status);

const gravest = (matches: readonly RuleMatch[]): RuleMatch | undefined =>
  matches.toSorted((one, other) => gravity(one) - gravity(other) || other.confidence - one.confidence)[0];

/** The surest; among equals the gravest, and then the upper layer. */
const surest = (matches: readonly RuleMatch[]): RuleMatch | undefined =>
  matches.toSorted(
    (one, other) =>
      other.confidence - one.confidence ||
      gravity(one) - gravity(other) ||
      LAYERS.indexOf(other.layer) - LAYERS.indexOf(one.layer),
  )[0];

/** One layer says that the rule is broken, another that it is kept; or the only accusation could not be heard. */
function isContested(matches: readonly RuleMatch[], winner: Winner): boolean {
  if (matches.every(({ status }) => status !== 'VIOLATED')) return false;
  return winner.status !== 'VIOLATED' || matches.some(({ status }) => status === 'PASS');
}
