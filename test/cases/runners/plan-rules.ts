import { NO_SUPPRESSIONS } from '../../../src/rules/enforce/suppress.ts';
import type { RuleMatch } from '../../../src/rules/model/inspection.ts';
import type { Rule } from '../../../src/rules/model/rule.ts';
import { LAYERS, RULE_STATUSES } from '../../../src/rules/model/rule-words.ts';
import { matchKeywords } from '../../../src/rules/matchers/keyword.ts';
import { matchSemantics } from '../../../src/rules/matchers/semantic.ts';
import { mergeMatches, runRules } from '../../../src/rules/run-rules.ts';
import { isFacts, type Facts, type Given, type Runner } from '../run-cases.ts';
import { CONTEXT, aSubject } from '../../support/rules.ts';
import { numberOf } from '../shapes.ts';
import { onlyKnown } from './messages-of-rows.ts';
import { ruleFrom } from './rules-of-rows.ts';

/** What the keyword layer says about a plan and a rule. */
export const keyword: Runner = (given) => asked(given, matchKeywords);

/** What the semantic layer says about a plan and a rule, or each of several. */
export const semantic: Runner = (given) => asked(given, matchSemantics);

/** What the layers' results come to. */
export const pipelineMerge: Runner = ({ input }) => {
  const { results } = input;
  if (!Array.isArray(results)) throw new Error('the row names no results of layers');
  const merged = mergeMatches(results.map(matchFrom));
  const { status, confidence, reason, needsReview, layers } = merged;
  return { status, confidence, reason, needs_review: needsReview, layers: layers.map(({ layer }) => layer) };
};

/** Rows about packages that are missing: beside this checkout they are installed. */
export function mergedElsewhere({ input }: Given): string | undefined {
  return Array.isArray(input['results']) ? undefined : 'test/end-to-end/llm.test.ts runs andon without these packages';
}

async function asked(given: Given, match: (rule: Rule, plan: string) => RuleMatch): Promise<Facts> {
  const { input, fixtures } = given;
  onlyKnown(input, ['rule', 'plan']);
  const { rule, plan } = input;
  if (typeof plan !== 'string') throw new Error('the row has no plan');
  if (isFacts(rule) && 'extra_rules' in rule) return beside(given, rule, plan);
  const names = Array.isArray(rule) ? rule : [rule];
  const matches = names.map((name) => match(ruleNamed(name, fixtures), plan));
  const [first] = matches;
  return { status: matches.length === 1 ? first?.status : { count: matches.length }, confidence: first?.confidence };
}

/** What a rulebook says of a plan, by the rule alone and beside so many that are much like it. */
async function beside({ fixtures }: Given, given: Facts, plan: string): Promise<Facts> {
  onlyKnown(given, ['rule', 'extra_rules']);
  const rule = ruleNamed(given['rule'], fixtures);
  const others = Array.from({ length: numberOf(given, 'extra_rules') }, (_, at) => ({
    ...rule,
    id: `${rule.id}-${at}`,
    title: `${rule.title}, part ${at}`,
    content: `${rule.content ?? ''}\n- JWT cookies of service ${at}`,
  }));
  const statusAmong = async (rules: readonly Rule[]) => {
    const rulebook = {
      rules: rules.map((one) => ({ rule: one, source: { name: 'the row' } })),
      faults: [],
      notes: [],
      suppressions: NO_SUPPRESSIONS,
    };
    const { results } = await runRules(rulebook, aSubject([], { plan }), CONTEXT, ENFORCEMENT);
    return results.find((result) => result.rule === rule.id)?.status;
  };
  const [alone, among] = [await statusAmong([rule]), await statusAmong([...others, rule])];
  return { status: { same_status_as_without_extra_rules: alone !== undefined && alone === among } };
}

const ENFORCEMENT = {
  surface: 'gate',
  mode: 'advisory',
  threshold: 0,
  subject: 'the row',
} as const;

function ruleNamed(name: unknown, fixtures: Facts): Rule {
  const { rules } = fixtures;
  const rule = isFacts(rules) && typeof name === 'string' ? rules[name] : name;
  if (!isFacts(rule)) throw new Error(`fixtures.json has no rule ${JSON.stringify(name)}`);
  return ruleFrom(rule);
}

function matchFrom(result: unknown): RuleMatch {
  const [layer, status, confidence, reason] = Array.isArray(result) ? (result as readonly unknown[]) : [];
  const known = LAYERS.find((one) => one === layer);
  if (known === undefined) throw new Error(`no layer is called ${JSON.stringify(layer)}`);
  const said = status === 'THROWS' ? 'ERROR' : RULE_STATUSES.find((one) => one === status);
  if (said === undefined) throw new Error(`no status is called ${JSON.stringify(status)}`);
  return {
    layer: known,
    status: said,
    confidence: Number(confidence ?? 1),
    reason: typeof reason === 'string' ? reason : 'as the row says',
    places: [],
  };
}
