import {
  HANDLERS,
  PHASES,
  PRIORITIES,
  RULE_SEVERITIES,
  type Handler,
  type Modality,
  type Phase,
  type RulePriority,
  type RuleSeverity,
} from '../model/rule-words.ts';
import type { InspectionContext } from '../model/inspection.ts';
import type { Rule } from '../model/rule.ts';

/** What follows from a severity: how binding it is, and what the line does; of what may be set only `handler` changes that. */
export interface Rung {
  readonly severity: RuleSeverity;
  readonly priority: RulePriority;
  readonly handler: Handler;
  readonly modality: Modality;
  readonly notify_human: boolean;
  readonly rollback: boolean;
  /** What a violation adds to the iteration count; `MAX` ends the task's iterations at once. */
  readonly iteration_penalty: number | 'MAX';
  readonly mayBeHard: boolean;
}

/** One rung per severity; a project may override what its priorities do. */
export type Ladder = Readonly<Record<RuleSeverity, Rung>>;

/** The one ladder of severities that rules stand on; what each is called in a report is a matter of `src/rules/reporters/`. */
export const LADDER: Ladder = {
  CRITICAL: {
    ...rung('CRITICAL', 'P0', 'TERMINATE', 'MUST'),
    notify_human: true,
    rollback: true,
    iteration_penalty: 'MAX',
    mayBeHard: true,
  },
  HIGH: { ...rung('HIGH', 'P1', 'QUICK_FIX', 'MUST'), mayBeHard: true },
  MEDIUM: rung('MEDIUM', 'P2', 'LOG_ONLY', 'SHOULD'),
  LOW: rung('LOW', 'P3', 'SOFT_HOOK', 'MAY'),
};

function rung(severity: RuleSeverity, priority: RulePriority, handler: Handler, modality: Modality): Rung {
  const usual = { notify_human: false, rollback: false, iteration_penalty: 0, mayBeHard: false };
  return { severity, priority, handler, modality, ...usual };
}

/** A project's settings for one priority; missing keys keep their defaults. */
export type RungOverride = Partial<Pick<Rung, 'handler' | 'notify_human' | 'rollback' | 'iteration_penalty'>>;

/** The ladder with a project's own mapping; P0 always stops the line and calls a human. */
export function withOverrides(overrides: Readonly<Partial<Record<RulePriority, RungOverride>>>): Ladder {
  const rungs = RULE_SEVERITIES.map((severity) => {
    const rung = LADDER[severity];
    const own = { ...rung, ...overrides[rung.priority] };
    return [severity, rung.priority === 'P0' ? { ...own, handler: rung.handler, notify_human: true } : own] as const;
  });
  return Object.fromEntries(rungs) as unknown as Ladder;
}

export const getRung = (priority: RulePriority, ladder: Ladder = LADDER): Rung =>
  ladder[RULE_SEVERITIES[PRIORITIES.indexOf(priority)] ?? 'CRITICAL'];

export const isWeaker = (handler: Handler, than: Handler): boolean =>
  HANDLERS.indexOf(handler) > HANDLERS.indexOf(than);

export const pickStricter = (a: RulePriority, b: RulePriority): RulePriority =>
  PRIORITIES.indexOf(a) <= PRIORITIES.indexOf(b) ? a : b;

/** The lowest priority that may act in each phase; lower ones are recorded and wait. */
const LOWEST_ACTING: Readonly<Record<Phase, RulePriority>> = {
  ANALYSIS: 'P3',
  TASKS: 'P2',
  IMPLEMENTATION: 'P1',
  REVIEW: 'P2',
  TEST: 'P3',
};

/** Whether a violation of this priority may act in this phase. */
export const mayAct = (priority: RulePriority, phase: Phase): boolean =>
  PRIORITIES.indexOf(priority) <= PRIORITIES.indexOf(LOWEST_ACTING[phase]);

/** The phase to which a violation is put off; undefined when it may act now, or when no phase was asked for. */
export function findDeferredPhase(priority: RulePriority, phase: Phase | undefined): Phase | undefined {
  if (phase === undefined || mayAct(priority, phase)) return undefined;
  return PHASES.slice(PHASES.indexOf(phase) + 1).find((later) => mayAct(priority, later));
}

/** Consequences of a violation in addition to its handler, unless its action implies them. */
interface Consequences {
  /** A human is notified, although nothing halts. */
  readonly notify?: true;
  /** Whether the attempt is set aside, so that the work begins again from the target. */
  readonly rollback?: boolean;
  /** What it adds to the iterations of the task; `MAX` ends them. */
  readonly penalty?: number | 'MAX';
}

/**
 * What `priority_mapping`, or the rule itself, says of a violation. A halt tells a human in any case, and goes back to the
 * target by default; everything else does neither by default.
 */
export function findConsequences(
  rule: Pick<Rule, 'notify_human' | 'rollback' | 'iteration_penalty'>,
  priority: RulePriority,
  isStop: boolean,
  ladder: Ladder = LADDER,
): Consequences {
  const [rung, usual] = [getRung(priority, ladder), getRung(priority)];
  const notify = rule.notify_human ?? rung.notify_human;
  const goesBack = rule.rollback ?? (isStop && rung.rollback === usual.rollback ? true : rung.rollback);
  const penalty =
    rule.iteration_penalty ??
    (rung.iteration_penalty === usual.iteration_penalty && isStop ? 0 : rung.iteration_penalty);
  return {
    ...(notify && !isStop ? { notify } : {}),
    ...(goesBack === isStop ? {} : { rollback: goesBack }),
    ...(penalty === 0 || (isStop && penalty === 'MAX') ? {} : { penalty }),
  };
}

/** What a violation of a rule counts as here and now. */
export interface EffectiveHandling {
  readonly priority: RulePriority;
  readonly handler: Handler;
  /** Why it is not what the rule says. */
  readonly because?: string;
}

/** Times a hook may be ignored before it counts as more. */
const THRESHOLD = 3;

/** Priority and handler of a violation: a soft hook that was ignored too often, or is boosted in this phase, counts for more. */
export function effectiveHandling(
  rule: Rule,
  { phase, quality }: Pick<InspectionContext, 'phase' | 'quality'>,
  ignored = 0,
  ladder: Ladder = LADDER,
): EffectiveHandling {
  const usual: EffectiveHandling = { priority: rule.priority, handler: rule.handler };
  if (rule.handler !== 'SOFT_HOOK') return usual;
  if (rule.soft_hooks?.enabled === false)
    return { ...usual, handler: 'LOG_ONLY', because: 'its soft hooks are switched off' };
  const raises = [...upgrades(rule, ignored), ...boosts(rule, phase, quality)];
  const [first] = raises;
  if (first === undefined) return usual;
  const strictest = raises.reduce((a, b) => (pickStricter(a.priority, b.priority) === a.priority ? a : b), first);
  return {
    priority: strictest.priority,
    handler: getRung(strictest.priority, ladder).handler,
    because: strictest.because,
  };
}

/** How many times the rule's hook may be ignored, and what it becomes then. */
export function upgradeOf({
  soft_hooks: hooks,
  metadata,
}: Rule): { readonly threshold: number; readonly to: 'P1' | 'P2' } | undefined {
  if (metadata['enforceable'] === false) return undefined;
  const { threshold = THRESHOLD, upgrade_to: to = 'P2' } =
    hooks?.interceptors.find(({ type }) => type === 'referrer')?.config ?? {};
  return { threshold, to };
}

interface Raise {
  readonly priority: RulePriority;
  readonly because: string;
}

function upgrades(rule: Rule, ignored: number): Raise[] {
  const upgrade = upgradeOf(rule);
  if (upgrade === undefined || ignored < upgrade.threshold) return [];
  return [{ priority: upgrade.to, because: `it was ignored ${ignored} times` }];
}

function boosts(rule: Rule, phase: InspectionContext['phase'], quality: InspectionContext['quality']): Raise[] {
  const raised = pickStricter(rule.priority, 'P2');
  const byPhase = phase !== undefined && rule.soft_hooks?.priority_boost_phase === phase;
  const byQuality = quality === 'high' && rule.metadata['priority_boost'] === true;
  return [
    ...(byPhase ? [{ priority: raised, because: `it is boosted in ${phase}` }] : []),
    ...(byQuality ? [{ priority: raised, because: 'high quality is asked for' }] : []),
  ];
}
