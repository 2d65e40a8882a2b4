import { NO_SUPPRESSIONS } from '../../../src/rules/enforce/suppress.ts';
import { readSettings } from '../../../src/project/config/read-settings.ts';
import type { PipelineSettings } from '../../../src/project/config/pipeline-settings.ts';
import { failure, success } from '../../../src/base/outcome.ts';
import { checkResponse } from '../../../src/rules/files/check-response.ts';
import { judgeBy, type ModelAccess } from '../../../src/rules/files/lane-tools.ts';
import { rewriteQuestion } from '../../../src/rules/files/model-questions.ts';
import { verifyGrounding, verifyRelevance } from '../../../src/rules/files/inspect-response.ts';
import type { Rule } from '../../../src/rules/model/rule.ts';
import { matchFromJudge } from '../../../src/rules/response/judge-response.ts';
import { CONTEXT, aRule } from '../../support/rules.ts';
import { stringify } from 'yaml';
import type { Facts, Runner } from '../run-cases.ts';
import { numberOf, textsOf } from '../shapes.ts';

/** A response through the whole pipeline, one judge's or checker's answer by itself, or the configuration. */
export const twoLane: Runner = async ({ input }) => {
  const unknown = Object.keys(input).filter((key) => !KNOWN.includes(key));
  if (unknown.length > 0) throw new Error(`the runner does not know ${unknown.join(', ')}; known: ${KNOWN.join(', ')}`);
  const settings = settingsOf(input);
  if (settings === undefined) return { config_error: true };
  return { ...configured(settings), ...(await asked(input, settings)) };
};

const CONFIGURED = ['max_retries', 'always_enforce_global', 'grounding_threshold'] as const;
const KNOWN: readonly string[] = [
  ...CONFIGURED,
  'context',
  'expr',
  'exprs',
  'fallback',
  'fallbacks',
  'hard',
  'judge',
  'judge_rules',
  'judge_text',
  'matched',
  'nli_answer',
  'query',
  'refusal_bypass',
  'response',
  'responses',
  'rule',
  'rules',
  'scope',
  'threshold',
  'violation',
];
/** What a row must name so that there is something to enforce. */
const ENFORCED = [
  'expr',
  'exprs',
  'rule',
  'rules',
  'judge',
  'judge_rules',
  'violation',
  'matched',
  'hard',
  'responses',
  'scope',
];

/** The keys that a project's configuration holds are read as one; undefined where it is refused. */
function settingsOf(input: Facts): PipelineSettings | undefined {
  const given = CONFIGURED.filter((key) => key in input).map((key) => [key, input[key]] as const);
  const text = stringify({ pipeline: { enforcement: Object.fromEntries(given) } });
  const read = readSettings({ name: 'row.yaml', text }, { name: '', text: undefined }, '/');
  return read.ok ? read.value.pipeline : undefined;
}

const configured = (settings: PipelineSettings): Facts => ({
  config_error: false,
  max_retries: settings.maxRetries,
  relevance_check_enabled: settings.relevanceCheckEnabled,
  relevance_threshold: settings.relevanceThreshold,
  grounding_check_enabled: settings.groundingCheckEnabled,
  grounding_threshold: settings.groundingThreshold,
});

function asked(input: Facts, settings: PipelineSettings): Facts | Promise<Facts> {
  if (ENFORCED.some((key) => key in input) || 'fallback' in input || 'fallbacks' in input)
    return enforced(input, settings);
  if ('judge_text' in input) return { verdict: verdictOf(textOf(input, 'judge_text')) };
  if ('nli_answer' in input || 'context' in input) return grounded(input, settings);
  if ('query' in input) return relevant(input, settings);
  if ('response' in input) return enforced(input, settings);
  return {};
}

const VERDICTS = { PASS: 'pass', VIOLATED: 'fail', UNDECIDED: 'unverified' } as const;

function verdictOf(text: string): string {
  const { status } = matchFromJudge(opinion(text, RESPONSE), RESPONSE);
  return status === 'PASS' || status === 'VIOLATED' ? VERDICTS[status] : VERDICTS.UNDECIDED;
}

/** What a row's judge says in words, in the shape in which a judge is asked: `PASS`, or `FAIL: reason`; anything else has none. */
function opinion(text: string, response: string): unknown {
  if (text === 'PASS') return { verdict: 'PASS', reason: '', quote: '' };
  const failed = /^FAIL(?::\s*([\s\S]*))?$/.exec(text);
  return failed === null ? text : { verdict: 'VIOLATED', reason: failed[1] ?? '', quote: response };
}

async function grounded(input: Facts, settings: PipelineSettings): Promise<Facts> {
  const said = input['nli_answer'];
  const found = await verifyGrounding(
    {
      response: typeof input['response'] === 'string' ? input['response'] : RESPONSE,
      context: 'context' in input ? textsOf(input, 'context') : ['What is known.'],
      threshold: numberOf(input, 'threshold', settings.groundingThreshold),
      strategy: 'llm_judge',
    },
    () => Promise.resolve(success({ value: { verdict: said, reason: 'as the row says' }, tokensIn: 1, tokensOut: 1 })),
  );
  return { ...found, passed: found.status === 'passed' };
}

async function relevant(input: Facts, settings: PipelineSettings): Promise<Facts> {
  const found = await verifyRelevance({
    query: textOf(input, 'query'),
    response: textOf(input, 'response'),
    threshold: numberOf(input, 'threshold', settings.relevanceThreshold),
    refusalBypass: input['refusal_bypass'] !== false,
    strategy: 'offline',
  });
  return { ...found, passed: found.status === 'passed' };
}

const RESPONSE = 'Your $75 refund is done, and that is that.';
const ABOUT_IT = 'I want a refund';
const ABOUT_ELSE = 'What is the weather in Berlin?';

async function enforced(input: Facts, settings: PipelineSettings): Promise<Facts> {
  const responses = 'responses' in input ? textsOf(input, 'responses') : [];
  const response = responses[0] ?? (typeof input['response'] === 'string' ? input['response'] : RESPONSE);
  const rules = rulesOf(input);
  const isMatched = input['matched'] !== false;
  const prompts: string[] = [];
  const judge = aJudge(input);
  const waiting = responses.slice(1);
  const { outcome, inspection } = await checkResponse(
    {
      response,
      query: typeof input['query'] === 'string' ? input['query'] : isMatched ? ABOUT_IT : ABOUT_ELSE,
      context: 'context' in input ? textsOf(input, 'context') : [],
      rulebook: {
        rules: rules.map((rule) => ({ rule, source: { name: 'the row' } })),
        faults: [],
        notes: [],
        suppressions: NO_SUPPRESSIONS,
      },
      circumstances: { ...CONTEXT, ...(isMatched ? { scopes: ['here'] } : {}) },
      settings,
      mode: 'advisory',
      threshold: 0,
    },
    {
      judge: judgeBy(judge),
      usesFallbacks: true,
      rewrite: (rewriting) => {
        const { system, prompt } = rewriteQuestion(rewriting, 'nonce');
        prompts.push(`${system}\n${prompt}`);
        return Promise.resolve(waiting.shift());
      },
    },
  );
  const { passed, violations, unverified, delivered } = outcome;
  const [first] = violations;
  return {
    passed,
    status: passed ? 'passed' : violations.length > 0 ? 'violated' : 'unverified',
    verdict: unverified.length > 0 ? 'unverified' : violations.length > 0 ? 'fail' : 'pass',
    type: first?.violation_type,
    details: first?.details,
    violations: violations.length,
    violations_describe: violations.map(({ rule_name: name, details }) => `${name}: ${details}`).join('; '),
    violations_kept: violations.length > 0,
    attempts: outcome.attempts,
    delivered: delivered !== null,
    delivered_silently: delivered?.from === 'response' && (violations.length > 0 || unverified.length > 0),
    final: delivered?.text,
    fallback_used: outcome.fallback_used,
    escalated: outcome.escalated,
    enforced: rules.some(({ id }) => inspection.results.some(({ rule }) => rule === id)),
    judge_calls: judge.calls(),
    regeneration_prompt: prompts.join('\n'),
  };
}

/** The rules of a row: by expression, or for the judge; all alike in scope and hardness. */
function rulesOf(input: Facts): readonly Rule[] {
  const scope = input['scope'] === 'STEP' || input['scope'] === 'SCENARIO' ? input['scope'] : 'GLOBAL';
  const common: Partial<Rule> = {
    scope,
    ...(scope === 'GLOBAL' ? {} : { scope_id: 'here' }),
    is_hard_constraint: input['hard'] !== false,
    condition_text: 'when the user asks about a refund',
    handler: 'LOG_ONLY',
  };
  const fallbacks =
    'fallbacks' in input
      ? textsOf(input, 'fallbacks')
      : typeof input['fallback'] === 'string'
        ? [input['fallback']]
        : [];
  const expressions = [
    ...('exprs' in input ? textsOf(input, 'exprs') : []),
    ...(typeof input['expr'] === 'string' ? [input['expr']] : []),
  ];
  const violation = input['violation'];
  if (typeof violation === 'string' && expressions.length === 0) expressions.push('amount <= 50');
  const judged = judgedTexts(input, expressions.length > 0);
  return [
    ...expressions.map((expression) => ({
      enforcement_expression: expression,
      action_text: typeof violation === 'string' ? violation : undefined,
    })),
    ...judged.map((action) => ({ action_text: action })),
  ].map(({ action_text: action, ...fields }, at) =>
    aRule({
      ...common,
      ...fields,
      id: `R-${at + 1}`,
      title: typeof violation === 'string' ? violation : `Rule ${at + 1}`,
      ...(action === undefined ? {} : { action_text: action }),
      ...(fallbacks[at] === undefined ? {} : { fallback: fallbacks[at] }),
    }),
  );
}

function judgedTexts(input: Facts, hasExpressions: boolean): readonly string[] {
  if (Array.isArray(input['rules']) && input['rules'].length === 0) return [];
  if ('judge_rules' in input)
    return Array.from({ length: numberOf(input, 'judge_rules') }, (_, at) => `keep to part ${at + 1} of the policy`);
  if (typeof input['rule'] === 'string') return [input['rule']];
  return hasExpressions || ('response' in input && !('judge' in input)) ? [] : ['be polite about refunds'];
}

/** A judge that gives the row's answers one after the other, the last again and again, or none at all. */
function aJudge(input: Facts): ModelAccess & { readonly calls: () => number } {
  let calls = 0;
  const said =
    input['judge'] === 'throws'
      ? undefined
      : typeof input['judge'] === 'string'
        ? [input['judge']]
        : textsOf(input, 'judge', ['PASS']);
  return {
    name: 'the judge of the row',
    calls: () => calls,
    ask: ({ prompt }) => {
      calls += 1;
      if (said === undefined) return Promise.resolve(failure('it throws'));
      const response = /DATA \w+ response\n([\s\S]*)\nDATA \w+>>>/.exec(prompt)?.[1] ?? '';
      const value = opinion(said[Math.min(calls, said.length) - 1] ?? '', response);
      return Promise.resolve(success({ value, tokensIn: 1, tokensOut: 1 }));
    },
  };
}

function textOf(input: Facts, key: string): string {
  const value = input[key];
  if (typeof value !== 'string') throw new Error(`${key} must be a text`);
  return value;
}
