import type { InspectionContext } from './model/inspection.ts';
import type { Rule } from './model/rule.ts';
import type { Handler, RulePriority } from './model/rule-words.ts';
import { LADDER, pickStricter, getRung, type Ladder } from './enforce/ladder.ts';

/** What became of a soft hook; `TOLD`: an agent has read of it, and only then can it comply or ignore. */
export interface HookEvent {
  readonly rule: string;
  readonly action: 'RAISED' | 'TOLD' | 'IGNORED' | 'COMPLIED';
}

/** The same, with the task in which it became so. */
export interface HookEventOfTask extends HookEvent {
  readonly task: string;
}

/**
 * The soft hooks that remain open after these events, by their rules: how often each was ignored since it was last
 * complied with.
 */
export function foldHooks(events: readonly HookEvent[]): ReadonlyMap<string, number> {
  const hooks = new Map<string, number>();
  for (const { rule, action } of events) {
    if (action === 'COMPLIED') hooks.delete(rule);
    else if (action !== 'TOLD') hooks.set(rule, (hooks.get(rule) ?? 0) + (action === 'IGNORED' ? 1 : 0));
  }
  return hooks;
}

/**
 * What became of the soft hooks with a change of a task: what is found for the first time is raised; what is found
 * although the agent was reminded of it is ignored, whatever it answered; what is gone is complied with, where the agent was
 * told or had raised it in this task. What it was never told counts as nothing.
 */
export function hookEvents(
  events: readonly HookEventOfTask[],
  task: string,
  found: ReadonlySet<string>,
): readonly HookEvent[] {
  const standing = foldHooks(events);
  const last = (rule: string): HookEventOfTask | undefined => events.findLast((one) => one.rule === rule);
  const isTold = (rule: string): boolean => last(rule)?.action === 'TOLD' && last(rule)?.task === task;
  return [
    ...[...found].flatMap((rule): readonly HookEvent[] => {
      if (!standing.has(rule)) return [{ rule, action: 'RAISED' }];
      return isTold(rule) ? [{ rule, action: 'IGNORED' }] : [];
    }),
    ...[...standing.keys()]
      .filter((rule) => !found.has(rule) && (isTold(rule) || last(rule)?.task === task))
      .map((rule) => ({ rule, action: 'COMPLIED' as const })),
  ];
}

/** What an agent answers to a soft hook in a line of its answer: `IGNORE <rule>: why`, or `COMPLY <rule>`. */
export function hookAnswers(text: string): ReadonlyMap<string, 'IGNORE' | 'COMPLY'> {
  const lines = text.slice(0, 20_000).matchAll(/^[ \t>*`-]{0,10}(IGNORE|COMPLY)[ \t:`*]{1,5}([A-Za-z][\w.-]{0,63})/gm);
  return new Map(
    [...lines].map(([, word, rule = '']) => [rule.replace(/\.+$/, ''), word === 'IGNORE' ? 'IGNORE' : 'COMPLY']),
  );
}

export const mayIgnore = ({ soft_hooks: hooks }: Rule): boolean => hooks?.can_be_ignored ?? true;

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
