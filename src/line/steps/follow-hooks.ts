import { RULES } from '../../base/names.ts';
import { createUsageError } from '../../base/problem.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { Request } from '../../project/requests/request.ts';
import type { RuledFinding } from '../../rules/model/ruling.ts';
import { foldHooks, hookAnswers, hookEvents, type HookEvent, type HookEventOfTask } from '../../rules/soft-hooks.ts';
import { upgradeOf } from '../../rules/enforce/ladder.ts';
import { loadRulebook } from '../../rules/files/rulebook.ts';
import type { ProjectRule } from '../../agents/fence-text.ts';
import type { Needs } from '../services/services.ts';

type Means = Needs<'audit' | 'clock' | 'journal' | 'notices' | 'project'>;

/** The open soft hooks of all tasks of this repository, by rule. A deleted rule reminds of nothing. */
export async function listReminders(services: Needs<'journal' | 'project'>): Promise<readonly ProjectRule[]> {
  const standing = listHooks(services);
  if (standing.size === 0) return [];
  const { rules } = await loadRulebook(services.project);
  return rules
    .filter(({ rule }) => rule.handler === 'SOFT_HOOK' && rule.soft_hooks?.enabled !== false && standing.has(rule.id))
    .map(({ rule: { id, message, suggestion } }) => ({
      rule: id,
      says: suggestion === undefined ? message : `${message} ${suggestion}`,
    }));
}

/** The reminders stood in a brief that was answered: from now on they can be complied with, or ignored. */
export function noteTold(services: Means, record: TaskRecord, reminders: readonly ProjectRule[], head: string): void {
  if (reminders.length === 0) return;
  const at = services.clock.now();
  services.journal.append(
    RULES,
    reminders.map(({ rule }) => ({ kind: 'hooked', at, rule, action: 'TOLD', task: record.taskId, tree: head })),
  );
}

/** Records the outcome of the soft hooks for a change; each tree counts once. */
export async function followHooks(
  services: Means,
  record: TaskRecord,
  found: readonly RuledFinding[],
  { tree, notes }: { readonly tree: string; readonly notes: string },
): Promise<void> {
  const past = eventsOf(services);
  const seen = new Set(
    past.flatMap((one) => (one.action !== 'TOLD' && one.task === record.taskId && one.tree === tree ? [one.rule] : [])),
  );
  const standing = foldHooks(past);
  // A hook that was ignored too often counts for more, and stays open.
  const isHook = ({ rule, handler, does }: RuledFinding): boolean =>
    does !== 'suppressed' && does !== 'not_sure' && (does === 'hook' || handler === 'SOFT_HOOK' || standing.has(rule));
  const rules = new Set(found.filter(isHook).map(({ rule }) => rule));
  const events = hookEvents(past, record.taskId, rules).filter(({ rule }) => !seen.has(rule));
  await note(services, record, events, { tree, notes });
}

/**
 * Counts what became of a soft hook in a text that an agent outside handed over with its answer: it is raised first where
 * it did not stand, and complying with what does not stand is nothing. Gives back how often it was ignored by now.
 */
export async function answerFromOutside(
  services: Means,
  { rule, action, answer, by, text }: Omit<Extract<Request, { do: 'hook' }>, 'do'>,
): Promise<{ readonly ignored: number }> {
  const { rules } = await loadRulebook(services.project);
  if (!rules.some((one) => one.rule.id === rule && one.rule.handler === 'SOFT_HOOK'))
    throw createUsageError(`there is no reminder ${rule} in this project`, 'andon rules list shows every rule');
  const isStanding = listHooks(services).has(rule);
  const wasCounted = eventsOf(services).some(
    (one) => one.task === OUTSIDE && one.rule === rule && one.tree === text && one.action === action,
  );
  const events: readonly HookEvent[] = [
    ...(isStanding || action === 'COMPLIED' ? [] : [{ rule, action: 'RAISED' } as const]),
    ...(isStanding || action === 'IGNORED' ? [{ rule, action }] : []),
  ].filter(() => !wasCounted);
  await note(services, { taskId: OUTSIDE }, events, { tree: text, notes: `${answer} ${rule}`, agent: by });
  return { ignored: listHooks(services).get(rule) ?? 0 };
}

/** What is answered outside of any task is known by this; no task can be called so. */
const OUTSIDE = '(mcp)';

async function note(
  services: Means,
  record: Pick<TaskRecord, 'taskId'>,
  events: readonly HookEvent[],
  { tree, notes, agent = 'Implementer' }: { readonly tree: string; readonly notes: string; readonly agent?: string },
): Promise<void> {
  if (events.length === 0) return;
  const at = services.clock.now();
  services.journal.append(
    RULES,
    events.map(({ rule, action }) => ({ kind: 'hooked', at, rule, action, task: record.taskId, tree })),
  );
  const hooks = listHooks(services);
  const answers = hookAnswers(notes);
  const book = await loadRulebook(services.project);
  for (const { rule, action } of events) {
    const isToldOf = book.rules.some((one) => one.rule.id === rule && one.rule.soft_hooks?.notify_on_ignore);
    if (action !== 'IGNORED' || !isToldOf) continue;
    const count = hooks.get(rule) ?? 0;
    services.notices?.tell({
      key: `rule:ignored:${rule}:${record.taskId}:${tree}`,
      event: 'rule',
      taskId: record.taskId === OUTSIDE ? undefined : record.taskId,
      sentence: `${agent} ignored the reminder ${rule} (${count} ${count === 1 ? 'time' : 'times'} by now)`,
      next: `andon rules show ${rule}`,
    });
  }
  const threshold = (id: string): number | null => {
    const placed = book.rules.find(({ rule }) => rule.id === id);
    return placed === undefined ? null : (upgradeOf(placed.rule)?.threshold ?? null);
  };
  await services.audit.append(
    events.flatMap(({ rule, action }) =>
      action === 'TOLD'
        ? []
        : [
            {
              log: 'hooks',
              entry: {
                timestamp: at,
                rule_id: rule,
                action,
                ignore_count: hooks.get(rule) ?? 0,
                ...(answers.has(rule) ? { answer: answers.get(rule) } : {}),
                metadata: {
                  agent,
                  phase: 'IMPLEMENTATION',
                  upgrade_threshold: threshold(rule),
                  task: record.taskId === OUTSIDE ? null : record.taskId,
                },
              },
            },
          ],
    ),
  );
}

export const listHooks = (services: Needs<'journal'>): ReadonlyMap<string, number> => foldHooks(eventsOf(services));

const eventsOf = (services: Needs<'journal'>): readonly (HookEventOfTask & { readonly tree: string })[] =>
  services.journal.entries(RULES).flatMap((entry) => (entry.kind === 'hooked' ? [entry] : []));
