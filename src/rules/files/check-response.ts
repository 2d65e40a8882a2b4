import { GROUNDING, RELEVANCE } from '../model/rule-words.ts';
import type { AnswerCheck } from '../model/rule-opinion.ts';
import { type Inspection, type InspectionContext, createMatch, type RuleMatch } from '../model/inspection.ts';
import type { PipelineSettings } from '../../project/config/pipeline-settings.ts';
import { type Rulebook, type Rule, ruleSchema } from '../model/rule.ts';
import type { Mode } from '../../project/config/config-words.ts';
import { isAlways, isNamedScope } from '../select-rules.ts';
import { runRules, type Enforcement } from '../run-rules.ts';
import { enforceResponse, type EnforcedResponse, type Remedies } from '../response/enforce-response.ts';
import { listRuleInstructions, selectForResponse } from '../response/select-for-response.ts';
import type { CheckTools } from '../checks/check.ts';
import { HALF_KNOWN } from '../response/check-expression.ts';
import { isJudged, createUndecided } from '../response/judge-response.ts';
import type { Rewriting } from './model-questions.ts';
import { LADDER } from '../enforce/ladder.ts';
import { listNames } from '../../base/list-names.ts';
import { normalise } from '../load/read-rulebook.ts';

interface ResponseQuestion {
  readonly response: string;
  readonly query: string | undefined;
  readonly context: readonly string[];
  readonly rulebook: Parameters<typeof runRules>[0];
  readonly circumstances: InspectionContext;
  readonly settings: PipelineSettings;
  readonly mode: Mode;
  readonly threshold: number;
}

/** The available models; a question for an absent one is not asked. */
export interface ResponseTools {
  readonly judge?: CheckTools['judge'];
  readonly extract?: CheckTools['extract'];
  readonly filter?: FilterRules;
  readonly relevance?: (query: string, response: string) => Promise<AnswerCheck> | AnswerCheck;
  readonly grounding?: (
    response: string,
    context: readonly string[],
    query?: string,
  ) => Promise<AnswerCheck> | AnswerCheck;
  /** Regenerates a response; absent: the response is only checked. */
  readonly rewrite?: (rewriting: Rewriting) => Promise<string | undefined>;
  /** Whether fallback texts may be delivered in its place. */
  readonly usesFallbacks: boolean;
}

/**
 * Holds a response against the rules whose condition is met, and the hard constraints of everywhere: what can be
 * computed is computed, what must be judged is judged, then relevance and grounding; then it is remedied. Every step is
 * in the trace.
 */
export async function checkResponse(question: ResponseQuestion, tools: ResponseTools): Promise<EnforcedResponse> {
  const { response, query, rulebook, settings } = question;
  const { alwaysEnforceGlobal } = settings;
  const found = selectForResponse(rulebook.rules, { query, alwaysEnforceGlobal });
  const second = await filterSelected(
    found.kept,
    query,
    alwaysEnforceGlobal,
    settings.enabled ? tools.filter : undefined,
  );
  const { kept } = second;
  const left = [...found.left, ...second.left];
  const brought = await verifiedContext(question, tools);
  const rules = kept.map(({ rule }) => rule);
  const check = async (text: string): Promise<Inspection> => {
    const inspection = await runRules(
      { ...rulebook, rules: settings.enabled ? kept : [] },
      { response: text, files: [] },
      { ...question.circumstances, task: query ?? question.circumstances.task },
      {
        surface: 'response',
        mode: question.mode,
        threshold: question.threshold,
        subject: 'the response',
        tools: responseLanes(settings, tools),
        further: settings.enabled ? await wholeChecks({ ...question, context: brought.kept }, text, tools) : [],
      },
    );
    const skipped = [
      ...left.map(({ rule, why }) => ({ step: 'select', rule: rule.id, outcome: `left out: ${why}` })),
      ...brought.left.map((why) => ({ step: 'tool call', outcome: why })),
    ];
    return {
      ...inspection,
      warnings: [
        ...inspection.warnings,
        ...(second.failed ? [UNFILTERED] : []),
        ...listUnknownScenarios(rulebook.rules, question.circumstances.scopes),
        ...switchedOff(settings, rules),
        ...leftOpen(inspection),
      ],
      trace: [...skipped, ...inspection.trace],
    };
  };
  const { rewrite } = tools;
  const remedies: Remedies = {
    maxRetries: settings.maxRetries,
    usesFallbacks: tools.usesFallbacks,
    ...(rewrite === undefined
      ? {}
      : {
          regenerate: (before, violations) =>
            rewrite({ query, context: brought.kept, instructions: listRuleInstructions(rules), before, violations }),
        }),
  };
  return enforceResponse(response, check, new Map(rules.map((rule) => [rule.id, rule])), remedies);
}

function listUnknownScenarios(rules: Rulebook['rules'], named: readonly string[] = []): readonly string[] {
  const known = [...new Set(rules.flatMap(({ rule }) => (isNamedScope(rule) ? (rule.scope_id ?? []) : [])))];
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length === 0) return [];
  return [`no rule is for the scenario or step ${listNames(unknown)}; there are: ${listNames(known) || 'none'}`];
}

const UNFILTERED = 'the language model did not say which rules apply, so all that were found are kept';

/**
 * Checks tool and retrieval output before it is used, where that is switched on: a piece that is not about
 * the question carries no answer. Undecided output is used.
 */
async function verifiedContext(
  { query, context, settings }: ResponseQuestion,
  { relevance }: ResponseTools,
): Promise<{ readonly kept: readonly string[]; readonly left: readonly string[] }> {
  const isOn = settings.enabled && settings.toolCallCheckEnabled && (query ?? '').trim() !== '';
  if (!isOn || query === undefined || relevance === undefined) return { kept: context, left: [] };
  const checks = await Promise.all(context.map(async (one) => relevance(query, one)));
  const left = checks.flatMap(({ status, details }, at) =>
    status === 'failed' ? [`piece ${at + 1} of the context is left out: ${details}`] : [],
  );
  return { kept: context.filter((_, at) => checks[at]?.status !== 'failed'), left };
}

export const rulesForResponse = (
  rules: Rulebook['rules'],
  query: string | undefined,
  { enabled, alwaysEnforceGlobal }: PipelineSettings,
): Rulebook['rules'] => (enabled ? selectForResponse(rules, { query, alwaysEnforceGlobal }).kept : []);

/** Without a judge, a rule that needs one is undecided, which is never a pass. */
export function responseLanes(
  settings: PipelineSettings,
  { judge, extract }: Pick<ResponseTools, 'judge' | 'extract'> = {},
) {
  const abstain = (): Promise<ReturnType<typeof createUndecided>> =>
    Promise.resolve(createUndecided('no model was asked: pass --llm; MCP asks the agent that llm.agent names'));
  return {
    ...(settings.llmJudgeEnabled ? { judge: judge ?? abstain } : {}),
    ...(extract === undefined ? {} : { extract }),
    evaluatesExpressions: settings.deterministicEnabled,
  };
}

/** Relevance is skipped without a question, grounding without a context. */
async function wholeChecks(
  { query, context, settings }: ResponseQuestion,
  text: string,
  { relevance, grounding }: ResponseTools,
) {
  const isAsked = query !== undefined && query.trim() !== '';
  return [
    ...(settings.relevanceCheckEnabled && relevance !== undefined && isAsked
      ? [toWholeCheck(RELEVANCE, await relevance(query, text))]
      : []),
    ...(settings.groundingCheckEnabled && grounding !== undefined
      ? [toWholeCheck(GROUNDING, await grounding(text, context, query))]
      : []),
  ];
}

const leftOpen = ({ results, trace }: Inspection): readonly string[] => [
  ...results
    .filter(({ rule }) => trace.some((step) => step.rule === rule && step.step === HALF_KNOWN))
    .map(({ rule, reason }) => `${rule} holds for want of knowledge: ${reason}`),
  ...results
    .filter(({ rule, status }) => (rule === RELEVANCE || rule === GROUNDING) && status === 'NOT_COVERED')
    .map(({ rule, reason }) => `${rule} could not be told: ${reason}`),
];

/** A lane that is switched off checks nothing, and says so. */
function switchedOff(settings: PipelineSettings, rules: Parameters<typeof listRuleInstructions>[0]): readonly string[] {
  const count = (kind: (rule: (typeof rules)[number]) => boolean): number => rules.filter(kind).length;
  const computed = count(({ enforcement_expression: expression }) => expression !== undefined);
  return [
    ...(settings.enabled ? [] : ['nothing was checked: pipeline.enforcement.enabled is false']),
    ...(settings.enabled && !settings.deterministicEnabled && computed > 0
      ? [`${computed} rules were not evaluated: deterministic_enabled is false`]
      : []),
    ...(settings.enabled && !settings.llmJudgeEnabled && count(isJudged) > 0
      ? [`${count(isJudged)} rules were not judged: llm_judge_enabled is false`]
      : []),
  ];
}

/** The ids of the rules that apply to the question; undefined if undecided. */
export type FilterRules = (rules: readonly Rule[], query: string) => Promise<readonly string[] | undefined>;

type LeftOut = readonly { readonly rule: Rule; readonly why: string }[];

/**
 * The second step of finding rules: of those that a condition brought in, a language model says which really apply. A
 * filter that fails leaves every rule in; what is always enforced, and what is in force by its name, is not asked about.
 */
async function filterSelected(
  kept: Rulebook['rules'],
  query: string | undefined,
  alwaysEnforceGlobal: boolean,
  filter: FilterRules | undefined,
): Promise<{ readonly kept: Rulebook['rules']; readonly left: LeftOut; readonly failed: boolean }> {
  const rules = kept
    .map(({ rule }) => rule)
    .filter((rule) => rule.condition_text !== undefined && !isNamedScope(rule))
    .filter((rule) => !alwaysEnforceGlobal || !isAlways(rule));
  if (filter === undefined || query === undefined || query.trim() === '' || rules.length === 0)
    return { kept, left: [], failed: false };
  const apply = await filter(rules, query);
  if (apply === undefined) return { kept, left: [], failed: true };
  const out = new Set(rules.filter(({ id }) => !apply.includes(id)));
  const why = 'the language model says that its condition_text is not met by what was asked';
  return {
    kept: kept.filter(({ rule }) => !out.has(rule)),
    left: [...out].map((rule) => ({ rule, why })),
    failed: false,
  };
}

/** Relevance or grounding as a result beside those of rules. */
type FurtherCheck = NonNullable<Enforcement['further']>[number];

const WHOLE_CHECKS = {
  relevance: { title: 'Relevance Check', message: 'the response does not address what was asked' },
  grounding: { title: 'Grounding Check', message: 'the context does not carry the response' },
};

/** The result of a check that no rule file names: it counts as a hard constraint of its own. */
function toWholeCheck(id: keyof typeof WHOLE_CHECKS, check: AnswerCheck): FurtherCheck {
  const written = { id, ...WHOLE_CHECKS[id], severity: 'HIGH', phase: 'REVIEW', category: 'response', checks: [] };
  const rule = normalise(ruleSchema().parse({ ...written, is_hard_constraint: true }), LADDER);
  return { rule: { ...rule, waivable: true }, matches: [matchOf(check, `${id}_failed`)] };
}

function matchOf(
  { status, score, details, bypass }: AnswerCheck,
  violation: 'relevance_failed' | 'grounding_failed',
): RuleMatch {
  const reason = `${details}${score === undefined ? '' : ` (score ${score.toFixed(2)})`}${bypass ? ' (bypass)' : ''}`;
  // Who cannot tell says so; that is no reason against a response, and no pass either.
  const statuses = { passed: 'PASS', abstained: 'NOT_COVERED', failed: 'VIOLATED' } as const;
  const match = createMatch('exact', statuses[status], score ?? 1, reason);
  return status === 'failed' ? { ...match, violation } : match;
}
