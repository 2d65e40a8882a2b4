import { formatDollarsExactly } from '../../agents/budget/normalise-usage.ts';
import { getBudget } from '../record/get-budget.ts';
import type { BreakerId } from '../record/trip.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { HANDOFF, toBranchName } from '../../base/names.ts';
import { formatRuling } from '../../rules/model/ruling.ts';
import { NOTIFICATION_EVENTS, type EventId, type Notification } from '../../project/config/notification.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { HALT_WORDS, phraseOfHalt } from '../halts/halt-words.ts';
import { getContractTitle } from './commit-messages.ts';
import { viewHold } from '../core/compute-next-try.ts';
import { joinReason } from './view-activity.ts';
import { resumeEither } from '../halts/resume-command.ts';

/** An event for notification; `key` identifies it. */
export interface Happening {
  readonly key: string;
  readonly event: EventId;
  readonly taskId: string | undefined;
  readonly title?: string;
  readonly sentence: string;
  readonly next: string;
  readonly haltId?: string;
  readonly breaker?: BreakerId;
  readonly digest?: Notification['digest'];
}

/** The share of a budget that is announced. */
const NEARLY = 0.8;

/** The events of a record. The same record always gives the same keys. Pure. */
export function listNotifications(record: TaskRecord): readonly Happening[] {
  const { taskId, createdAt, status, statusReason, halt, hold, merge, target, undone } = record;
  const happening = (event: EventId, key: string, sentence: string, next: string): Happening => ({
    key: `${event}:${taskId}:${createdAt}:${key}`, // an id can be admitted again
    event,
    taskId,
    title: getContractTitle(record.contract),
    sentence: `${taskId} ${sentence}`,
    next,
  });
  if (halt !== undefined) {
    const { breaker, reason } = halt.trip;
    const next = `${resumeEither(taskId, halt.id)}; read the report first: andon status names it`;
    const halted = happening('halt', halt.id, `is halted (${phraseOfHalt(breaker)}): ${reason}`, next);
    return [{ ...halted, haltId: halt.id, breaker }];
  }
  if (status === 'merged') {
    const sentence = `is merged into ${toBranchName(target)} as ${merge?.commit.slice(0, 12) ?? 'a commit'}`;
    return undone === undefined ? [happening('merged', merge?.commit ?? '', sentence, `andon show ${taskId}`)] : [];
  }
  if (status === 'abandoned')
    return [happening('abandoned', '', `is given up: ${statusReason}`, `andon show ${taskId}`)];
  const near = nearBudget(record).map(({ kind, limit, words }) =>
    happening('budget', `${kind}:${limit}`, words, `andon show ${taskId} --cost`),
  );
  const rules = rulesToTell(record).map(({ rule, fingerprint, sentence }) =>
    happening('rule', `${rule}:${fingerprint}`, sentence, `andon show ${taskId}`),
  );
  // Closed hours were planned; hours that are never long enough were not.
  if (hold === undefined || (hold.own === 'hours' && hold.until !== null)) return [...near, ...rules];
  return [...near, ...rules, happening('hold', hold.since, joinReason(viewHold(hold)), 'andon status')];
}

function nearBudget(record: TaskRecord) {
  const allowed = getBudget(record);
  return (['usd', 'tokens', 'minutes'] as const).flatMap((kind) => {
    const limit = allowed[kind];
    const spent = record.spent[kind];
    if (limit === undefined || limit <= 0 || spent < NEARLY * limit) return [];
    const percent = Math.floor((spent / limit) * 100);
    return [{ kind, limit, words: `has used ${percent} % of its budget of ${formatUnits(kind, limit)}` }];
  });
}

/** Violations that a person wants to know of without a halt (`notify_human`). */
const rulesToTell = ({ lastFacts }: TaskRecord) =>
  (lastFacts.rulings ?? [])
    .flatMap(({ found }) => found)
    .filter(({ notify, does }) => notify === true && does !== 'suppressed' && does !== 'later')
    .slice(0, MOST_TOLD)
    .map((one) => ({ ...one, sentence: `breaks a rule (${one.priority}): ${formatRuling(one)}` }));

const MOST_TOLD = 10;

const formatUnits = (kind: 'usd' | 'tokens' | 'minutes', value: number): string =>
  kind === 'usd'
    ? formatDollarsExactly(value)
    : kind === 'tokens'
      ? `${value} tokens`
      : `${value} minutes of agents' time`;

/** A contract was refused, without a task yet. The name of a file may be unsafe for a shell. */
export const refusalNotification = (key: string, name: string, sentence: string): Happening => ({
  key,
  event: 'refused',
  taskId: undefined,
  sentence,
  next: /^[\w./-]+$/.test(name) ? `andon contract lint ${HANDOFF}/${name}` : 'andon watch --dry-run',
});

/** Where an event comes from. */
interface NotificationOrigin {
  readonly root: string;
  /** The id of the repository on the board. */
  readonly repository: string;
  readonly at: string;
  readonly id: string;
  /** The address of the board, where the configuration has one. */
  readonly url?: string | undefined;
}

/** The page of the board about an event; for a halt its own. */
function pageOf(repository: string, { event, taskId, haltId }: Happening): string {
  if (event === 'digest') return '/digest';
  if (taskId === undefined) return '/';
  const own = `${encodeURIComponent(repository)}/${encodeURIComponent(taskId)}`;
  return haltId === undefined ? `/task/${own}` : `/halt/${own}?halt=${encodeURIComponent(haltId)}`;
}

const PHRASES: Readonly<Record<EventId, string>> = {
  halt: 'Needs you',
  refused: 'A contract is refused',
  broken: 'andon stopped',
  hold: 'Waits for an agent',
  merged: 'Merged',
  budget: `${NEARLY * 100} % of a budget is used`,
  rule: 'A rule is broken',
  digest: 'The digest is ready',
  abandoned: 'Given up',
  test: 'A test of notifications',
};

/** An event as a message: one line, safe for terminals, short enough for a pop-up. */
export function toNotification(happening: Happening, origin: NotificationOrigin): Notification {
  const { root, repository, at, id, url } = origin;
  const page = pageOf(repository, happening);
  return {
    id,
    event: happening.event,
    priority: NOTIFICATION_EVENTS[happening.event],
    repository: { name: toTerminalLine(root.split('/').at(-1) ?? '', 80), root },
    task_id: happening.taskId ?? null,
    title: happening.title === undefined ? null : toTerminalLine(happening.title, 120),
    phrase: happening.breaker === undefined ? PHRASES[happening.event] : HALT_WORDS[happening.breaker].phrase,
    sentence: toTerminalLine(happening.sentence, 300),
    next: toTerminalLine(happening.next, 200),
    at,
    halt_id: happening.haltId ?? null,
    breaker: happening.breaker ?? null,
    page,
    ...(url === undefined ? {} : { link: url + page }),
    ...(happening.digest === undefined ? {} : { digest: happening.digest }),
  };
}
