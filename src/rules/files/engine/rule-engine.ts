import { setImmediate as turn } from 'node:timers/promises';
import type { Inspection } from '../../model/inspection.ts';
import type { PlacedRule, Rule, Rulebook } from '../../model/rule.ts';
import type { Phase } from '../../model/rule-words.ts';
import { PLAN_PROSE } from '../../checks/plan.ts';
import { runRules } from '../../run-rules.ts';
import { createUsageError, Problem } from '../../../base/problem.ts';
import { responseLanes, rulesForResponse } from '../check-response.ts';
import { askAboutRules, extractBy, judgeBy, type OpenModels } from '../lane-tools.ts';
import { formatRuleSource } from '../../../project/config/rule-fault.ts';
import { openKept } from '../../../project/workspace/open-reader.ts';
import { auditViolations } from '../audit-violations.ts';
import { openWorkTree } from '../project-files.ts';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import { loadRulebook, type ProjectRulebook } from '../rulebook/rulebook.ts';
import type { Handed } from './context-subject.ts';
import { takeRule } from './take-rule.ts';

/** One question from outside. */
interface EngineQuestion {
  readonly handed: Handed;
  readonly phase: Phase | undefined;
  /** Only this rule. */
  readonly ruleId: string | undefined;
  readonly signal: AbortSignal;
  /** Told after every step of three. */
  readonly progress: (step: number, what: string) => Promise<void>;
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
  async apply({ handed, phase, ruleId, signal, progress }: EngineQuestion): Promise<EngineAnswer> {
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
    await step(1, `${rules.length} rules`);
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
    if (inspection.faults.length > 0)
      throw new Problem(
        'bad-configuration',
        inspection.faults.map(({ where, what }) => `${where}: ${what}`),
        inspection.faults[0]?.remedy ?? '',
      );
    await step(2, 'rules applied');
    await auditViolations(this.#place, inspection, {
      agent: (handed.context.agentType ?? 'unknown').slice(0, 100),
      surface: 'mcp',
      action: ({ deferredTo }) => (deferredTo === undefined ? 'log' : 'later'),
      most: MOST_ENTRIES,
    });
    await step(3, 'violations written down');
    return { inspection, rules: new Map(rules.map(({ rule }) => [rule.id, rule])) };

    /** Lets a cancellation come in, and goes no further after one. */
    async function step(number: number, what: string): Promise<void> {
      await progress(number, what);
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
    return loadRulebook(this, openWorkTree(this.#place.facts.root));
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
