import type { Rule } from './model/rule.ts';

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
