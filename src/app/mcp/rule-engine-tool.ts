import { isObject } from '../../base/json-object.ts';
import { parsePhase, readContextSubject, type Handed } from '../../rules/files/context-subject.ts';
import type { RuleEngine, EngineAnswer } from '../../rules/files/rule-engine.ts';
import { PHASES, type Phase } from '../../rules/model/rule-words.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import { answerResults, answerVerdict, listPhaseRules } from './rule-answers.ts';
import type { CallTools, ToolAnswer, ToolFacts } from './tool.ts';
import type { Request } from '../../project/requests/request.ts';

/** The one tool under which all rules are reached. */
export const RULE_ENGINE: ToolFacts = {
  name: 'rule_engine',
  title: 'OpenCode Rule Engine',
  description: 'Unified rule governance for AI agent system',
  inputSchema: {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: ['register', 'execute', 'check_violation'],
        description: 'Rule engine action',
      },
      rule: {
        type: 'object',
        description: 'Rule definition (for registration)',
      },
      phase: {
        type: 'string',
        enum: [...PHASES],
        description: 'Execution phase',
      },
      context: {
        type: 'object',
        description: 'Execution context data',
      },
    },
    required: ['action'],
  },
};

/** Registers a rule, applies the rules, or says what the gravest violation asks for. */
export async function callRuleEngine(
  engine: RuleEngine,
  root: string,
  given: Readonly<Record<string, unknown>>,
  tools: CallTools,
  answerHook: AnswerHook,
): Promise<ToolAnswer> {
  // The client of the rule engine calls the same question by two names.
  const action = given['action'] === 'determine_action' ? 'check_violation' : given['action'];
  if (action === 'register') return registered(engine, given['rule']);
  if (action !== 'execute' && action !== 'check_violation')
    throw createUsageError(
      `action: ${typeof action === 'string' ? JSON.stringify(action.slice(0, 40)) : 'nothing'} is not known`,
      'one of: register, execute, check_violation',
    );
  const context = given['context'] ?? {};
  if (!isObject(context))
    throw createUsageError('context is not an object', 'context: { code, file }, { plan }, { diff }, …');
  const handed = readContextSubject(context, root);
  const phase = parsePhase(given['phase'], 'phase') ?? handed.phase;
  const ruleId = ruleIdFrom(given) ?? handed.ruleId;
  if (handed.title === '') return nothingToLookAt(engine, action, phase, ruleId);
  const answer = await engine.apply({ handed, phase, ruleId, signal: tools.signal });
  const toolAnswer =
    action === 'execute' ? await answerResults(answer, handed, tools) : await answerVerdict(answer, handed, tools);
  if (handed.hooks.size === 0) return toolAnswer;
  return { ...toolAnswer, facts: { ...toolAnswer.facts, hooks: await countHooks(answer, handed, answerHook) } };
}

/** One rule, under its own name. */
export async function callOneRule(
  engine: RuleEngine,
  root: string,
  ruleId: string,
  given: Readonly<Record<string, unknown>>,
  tools: CallTools,
): Promise<ToolAnswer> {
  const handed: Handed = readContextSubject(given, root);
  if (handed.title === '') throw createUsageError('there is nothing to look at', 'give code, and file with it');
  const answer = await engine.apply({
    handed,
    phase: undefined,
    ruleId,
    signal: tools.signal,
  });
  return answerResults(answer, handed, tools);
}

async function registered(engine: RuleEngine, written: unknown): Promise<ToolAnswer> {
  const { rule, outcome, notes } = await engine.register(written);
  const facts = { rule_id: rule.id, version: rule.version, outcome, session_only: true, notes };
  return { summary: `${rule.id} ${rule.version}: ${outcome}, for this session`, facts, isError: false };
}

/** Without anything to look at, `execute` shows the rules of a phase; a question about violations has no answer then. */
async function nothingToLookAt(
  engine: RuleEngine,
  action: 'execute' | 'check_violation',
  phase: Phase | undefined,
  ruleId: string | undefined,
): Promise<ToolAnswer> {
  if (action === 'check_violation')
    throw createUsageError(
      'context names nothing to look at',
      'context: { code, file }, { diff }, { plan }, { contract }, { response }, { report }, { message } or { test_output }',
    );
  const { rules, faults } = await engine.rulebook();
  const [fault] = faults;
  if (fault !== undefined)
    throw new Problem(
      'bad-configuration',
      `the rulebook has faults: ${fault.source.name}: ${fault.message}`,
      fault.remedy,
    );
  const wanted = rules
    .map(({ rule }) => rule)
    .filter((rule) => phase === undefined || rule.phase.includes(phase))
    .filter((rule) => ruleId === undefined || rule.id === ruleId);
  if (ruleId !== undefined && !rules.some(({ rule }) => rule.id === ruleId))
    throw createUsageError(`there is no rule ${ruleId.slice(0, 80)}`, 'ask without a rule to see all of them');
  return listPhaseRules(wanted, phase);
}

function ruleIdFrom({ rule_id: id, rule }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof id === 'string') return id;
  return isObject(rule) && typeof rule['id'] === 'string' ? rule['id'] : undefined;
}

/** Has the journal's writer count an answer to a reminder; returns how often it was ignored so far. */
export type AnswerHook = (answer: Omit<Extract<Request, { do: 'hook' }>, 'do'>) => Promise<number>;

/** What became of an answer to a reminder. */
interface CountedHook {
  readonly rule_id: string;
  readonly answer: 'IGNORE' | 'COMPLY';
  /** What the text showed; null where it counts as nothing. */
  readonly action: 'IGNORED' | 'COMPLIED' | null;
  readonly ignore_count: number | null;
  /** Why it counts as nothing, or is not accepted. */
  readonly why: string | null;
}

/**
 * Counts the answers that an agent outside gives to reminders (`context.hooks`) by the text that it hands over with them, as
 * on the line: what is still found is ignored, whatever was answered, and what is gone is complied with. An IGNORE that the
 * rule does not allow is refused; that it was not done counts all the same.
 */
async function countHooks(
  { inspection, rules }: EngineAnswer,
  { hooks, digest, context }: Handed,
  answerHook: AnswerHook,
): Promise<readonly CountedHook[]> {
  const counted: CountedHook[] = [];
  for (const [id, answer] of hooks) {
    const rule = rules.get(id);
    const isFound = inspection.findings.some(
      (one) => one.rule === id && one.status === 'VIOLATED' && one.suppressed === undefined,
    );
    const isKept = inspection.results.some((one) => one.rule === id && one.status === 'PASS');
    const why =
      rule === undefined
        ? 'there is no such rule'
        : rule.handler !== 'SOFT_HOOK'
          ? `it is no reminder (${rule.handler})`
          : isFound || isKept
            ? null
            : 'it does not check the input';
    const action = isFound ? 'IGNORED' : 'COMPLIED';
    const ignored =
      why === null
        ? await answerHook({
            rule: id,
            action,
            answer,
            by: (context.agentType ?? 'unknown').slice(0, 100),
            text: digest,
          })
        : null;
    const isRefused = why === null && isFound && answer === 'IGNORE' && rule?.soft_hooks?.can_be_ignored === false;
    counted.push({
      rule_id: id,
      answer,
      action: why === null ? action : null,
      ignore_count: ignored,
      why: isRefused ? 'it may not be ignored (can_be_ignored: false): do what it asks for' : why,
    });
  }
  return counted;
}
