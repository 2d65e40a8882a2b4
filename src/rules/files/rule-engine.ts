import { setImmediate as turn } from 'node:timers/promises';
import type { Inspection } from '../model/inspection.ts';
import type { PlacedRule, Rule, Rulebook } from '../model/rule.ts';
import type { Phase } from '../model/rule-words.ts';
import { PLAN_PROSE } from '../checks/plan.ts';
import { runRules } from '../run-rules.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { responseLanes, rulesForResponse } from './check-response.ts';
import { askAboutRules, extractBy, judgeBy, type OpenModels } from './lane-tools.ts';
import { formatRuleSource } from '../../project/config/rule-fault.ts';
import { openKept } from '../../project/workspace/open-reader.ts';
import { auditViolations } from './audit-log.ts';
import { openWorkTree } from './project-files.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { loadRulebook, type ProjectRulebook } from './rulebook.ts';
import type { Handed } from './context-subject.ts';
import { isObject } from '../../base/json-object.ts';
import { readYaml } from '../../base/strict-yaml.ts';
import { readRulebook, register, type Registration } from '../load/read-rulebook.ts';

/** One question from outside. */
interface EngineQuestion {
  readonly handed: Handed;
  readonly phase: Phase | undefined;
  /** Only this rule. */
  readonly ruleId: string | undefined;
  readonly signal: AbortSignal;
}

/** An inspection, and the rules it was asked for. */
export interface EngineAnswer {
  readonly inspection: Inspection;
  readonly rules: ReadonlyMap<string, Rule>;
}

/** What an outside caller may do, and what the rules need of andon. */
interface EngineOptions {
  readonly mayRegister: boolean;
  readonly openModels: OpenModels;
  /** How often each reminder was ignored in this project, on the line and from outside. */
  readonly countIgnored: (place: Workspace) => ReadonlyMap<string, number>;
}

/** The rules of one project for an outside caller, over many calls. */
export class RuleEngine {
  readonly #place: Workspace;
  readonly #env: NodeJS.ProcessEnv;
  readonly #options: EngineOptions;
  /** The agent of `llm`, opened at the first question that needs it. */
  #models: { readonly llm: string; readonly open: ReturnType<OpenModels> } | undefined;
  readonly #session = new Map<string, PlacedRule>();

  constructor(place: Workspace, env: NodeJS.ProcessEnv, options: EngineOptions) {
    this.#place = place;
    this.#env = env;
    this.#options = options;
  }

  /** Every rule that could be asked, the project's own first; a fault of the rulebook is in it. */
  async rulebook(): Promise<ProjectRulebook> {
    const book = await this.#project();
    return { ...book, rules: [...book.rules, ...this.#session.values()] };
  }

  async register(written: unknown): Promise<Awaited<ReturnType<typeof takeRule>>> {
    if (!this.#options.mayRegister)
      throw createUsageError(
        'rules cannot be registered here',
        'a human starts it with `andon mcp --allow-register`, or puts the rule into .andon/rules/',
      );
    return takeRule(written, (await this.#project()).rules, this.#session);
  }

  /** Applies the rules; a rulebook with faults, and a rule that is not there, are mistakes and never a pass. */
  async apply({ handed, phase, ruleId, signal }: EngineQuestion): Promise<EngineAnswer> {
    const { enforcement, pipeline } = this.#place.settings;
    const isResponse = handed.subject.response !== undefined;
    const book = await this.rulebook();
    if (book.faults.length > 0) throw broken(book.faults);
    const asked = book.rules.filter(({ rule }) => ruleId === undefined || rule.id === ruleId);
    const rules = (isResponse ? rulesForResponse(asked, handed.query, pipeline) : asked).map((placed) =>
      handed.isUnnamed ? { ...placed, rule: forAnyFile(placed.rule) } : placed,
    );
    if (ruleId !== undefined && asked.length === 0)
      throw createUsageError(`there is no rule ${ruleId.slice(0, 80)}`, 'ask without a rule to see all of them');
    await checkAbort();
    const tools = await this.#modelTools(handed, signal);
    const inspection = await runRules(
      { ...book, rules },
      handed.subject,
      {
        ...handed.context,
        task: handed.query ?? handed.context.task,
        quality: handed.context.quality ?? enforcement.quality,
        ignored: this.#options.countIgnored(this.#place),
        now: new Date().toISOString(),
        phase,
        stack: book.stack,
      },
      {
        surface: isResponse ? 'response' : 'gate',
        tools: {
          ...(isResponse ? responseLanes(pipeline, tools) : {}),
          ...(tools === undefined ? {} : { ask: tools.ask, asksOnlyDoubts: true }),
        },
        mode: enforcement.mode,
        threshold: enforcement.scoreThreshold,
        subject: handed.title,
      },
    );
    await checkAbort();
    await auditViolations(this.#place, inspection, {
      agent: (handed.context.agentType ?? 'unknown').slice(0, 100),
      surface: 'mcp',
      action: ({ deferredTo }) => (deferredTo === undefined ? 'log' : 'later'),
      most: MOST_ENTRIES,
    });
    return { inspection, rules: new Map(rules.map(({ rule }) => [rule.id, rule])) };

    /** Lets a cancellation come in, and goes no further after one. */
    async function checkAbort(): Promise<void> {
      await turn();
      signal.throwIfAborted();
    }
  }

  /** The agent of `llm` for questions about prose; undefined where none is named. */
  async #modelTools({ subject }: Handed, signal: AbortSignal) {
    const { llm } = this.#place.settings;
    if (llm.agent === undefined || !PLAN_PROSE.some((key) => subject[key] !== undefined)) return undefined;
    const key = JSON.stringify(llm);
    if (this.#models?.llm !== key) this.#models = { llm: key, open: this.#options.openModels(this.#place, this.#env) };
    const access = (await this.#models.open)(signal);
    return {
      ask: askAboutRules(access),
      judge: judgeBy(access, openKept(this.#place)),
      extract: extractBy(access),
    };
  }

  #project(): Promise<ProjectRulebook> {
    return loadRulebook(openWorkTree(this.#place.facts.root));
  }
}

function forAnyFile(rule: Rule): Rule {
  if (rule.match === undefined) return rule;
  const { file_patterns: _, exclude_patterns: __, ...match } = rule.match;
  return { ...rule, match };
}

function broken(faults: Rulebook['faults']): Problem {
  const lines = faults
    .slice(0, MOST_FAULTS)
    .map(({ source, path, message }) => `${formatRuleSource(source)} ${path}: ${message}`);
  const more = faults.length > lines.length ? [`and ${faults.length - lines.length} more`] : [];
  return new Problem(
    'bad-configuration',
    ['the rulebook has faults, so nothing was checked', ...lines, ...more],
    faults[0]?.remedy ?? 'andon rules lint shows them',
  );
}

const MOST_FAULTS = 10;
/** An outside caller may not fill the audit by one question. */
const MOST_ENTRIES = 200;

/** The most bytes of one rule, and the most rules of one session. */
const MOST_BYTES = 64 * 1024;
const MOST_RULES = 100;

/**
 * Takes a rule from outside into `session`: read and tried like a rule of the project, but never a hard constraint, never a
 * command, and never in the place of one of the project's own.
 */
async function takeRule(
  written: unknown,
  project: readonly PlacedRule[],
  session: Map<string, PlacedRule>,
): Promise<{ readonly rule: Rule; readonly outcome: Registration['kind']; readonly notes: readonly string[] }> {
  const text = textOf(written);
  const { rules, faults, notes } = await readRulebook([{ name: NAME, text }]);
  const [fault] = faults;
  if (fault !== undefined) {
    const line = fault.source.line === undefined ? '' : `line ${fault.source.line}: `;
    throw createUsageError(`rule not taken: ${line}${fault.path}: ${fault.message}`, fault.remedy);
  }
  const [placed] = rules;
  if (placed === undefined || rules.length > 1)
    throw createUsageError('rule not taken: expected exactly one rule', 'register one after the other');
  const { rule } = placed;
  refuse(rule);
  if (project.some((own) => own.rule.id === rule.id))
    throw createUsageError(`rule not taken: ${rule.id} is a rule of the project`, 'give it another id');
  const outcome = register(session.get(rule.id)?.rule, rule);
  if (outcome.kind === 'refused') throw createUsageError(`rule not taken: ${outcome.why}`, outcome.remedy);
  if (outcome.kind === 'added' && session.size >= MOST_RULES)
    throw createUsageError(`rule not taken: ${MOST_RULES} rules are registered`, 'put it into .andon/rules/');
  if (outcome.kind !== 'kept') session.set(rule.id, { rule, source: { name: NAME } });
  return { rule, outcome: outcome.kind, notes: notes.map(({ message }) => message) };
}

const NAME = 'registered';

/** The rule as file text, so that faults have line numbers: text unchanged, an object as indented JSON. */
function textOf(written: unknown): string {
  const isText = typeof written === 'string';
  if (!isText && !isObject(written))
    throw createUsageError('rule is missing: register takes a rule', 'give the rule as an object');
  const text = isText ? written : JSON.stringify({ rule: written }, null, 2);
  if (new TextEncoder().encode(text).length > MOST_BYTES)
    throw createUsageError(`rule not taken: more than ${MOST_BYTES / 1024} kB`, 'make it shorter');
  const read = readYaml(text, MOST_BYTES);
  const value = read.ok ? read.value.value : undefined;
  if (isObject(value) && ('extends' in value || 'priority_mapping' in value))
    throw createUsageError('rule not taken: only a rule can be registered', 'leave extends and mappings out');
  return text;
}

function refuse(rule: Rule): void {
  if (rule.is_hard_constraint)
    throw createUsageError('rule not taken: is_hard_constraint', 'hard constraints are files of the project');
  if (rule.checks.some(({ type }) => type.trim().toLowerCase() === 'command'))
    throw createUsageError('rule not taken: a check of the type command', 'commands are files of the project');
}
