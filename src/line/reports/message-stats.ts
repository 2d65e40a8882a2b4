import type { JournalEntry } from '../record/journal-entry.ts';
import { classifyEvent } from '../record/step-event.ts';

interface MessageStats {
  readonly station: string;
  readonly agent: string;
  readonly model: string;
  readonly answers: number;
  readonly sent_back: number;
  /** As praise or empty confirmation. */
  readonly praise: number;
  /** As approvals without evidence. */
  readonly empty_approvals: number;
  readonly out_of_scope: number;
  /** For an admitted gap. */
  readonly unfinished: number;
  /** Known tokens of answers that went back unread. */
  readonly tokens_kept_back: number;
  readonly tokens_again: number;
}

/** Message statistics for programs; shares are 0 to 1, null without a total. */
export interface TalkFacts {
  readonly tasks: number;
  readonly flattery_ratio: number | null;
  readonly empty_approval_rate: number | null;
  readonly scope_violations_per_task: number | null;
  /** Checklist items last known by words alone or not at all. */
  readonly unverified_completions: number | null;
  readonly retries_per_task: number | null;
  readonly workers: readonly MessageStats[];
}

/** Counts agents' answers, task by task; entries must be in order. */
export function countTalk(tasks: readonly (readonly JournalEntry[])[]): TalkFacts {
  const workers = new Map<string, MessageStats>();
  let [items, unverified] = [0, 0];
  for (const entries of tasks) {
    countTask(entries, workers);
    const todos = entries.findLast((entry) => entry.kind === 'moved' && entry.facts.todos !== undefined);
    const listed = todos?.kind === 'moved' ? (todos.facts.todos ?? []) : [];
    items += listed.length;
    unverified += listed.filter(({ state }) => state !== 'evidence').length;
  }
  const all = [...workers.values()];
  const sum = (of: keyof typeof NONE, ...stations: readonly string[]): number =>
    all
      .filter(({ station }) => stations.length === 0 || stations.includes(station))
      .reduce((total, one) => total + one[of], 0);
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return {
    tasks: tasks.length,
    flattery_ratio: share(sum('praise'), sum('answers')),
    empty_approval_rate: share(sum('empty_approvals'), sum('answers', 'local-reviewer', 'judge')),
    scope_violations_per_task: share(sum('out_of_scope'), tasks.length),
    unverified_completions: share(unverified, items),
    retries_per_task: share(sum('sent_back'), tasks.length),
    workers: all,
  };
}

type Called = Extract<JournalEntry, { kind: 'called' }>;

function countTask(entries: readonly JournalEntry[], workers: Map<string, MessageStats>): void {
  let last: Called | undefined;
  const isAgain = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'called') {
      if (entry.lane !== undefined) continue; // it is no message
      last = entry;
      if (!entry.ok) continue;
      const again = isAgain.delete(entry.station) ? tokensOf(entry) : 0;
      add(workers, entry, { answers: 1, tokens_again: again });
    } else if (entry.kind === 'moved' && last?.ok === true) {
      const why = countSendBack(entry);
      if (why !== undefined) {
        add(workers, last, { ...why, sent_back: 1, tokens_kept_back: last.tokensOut ?? 0 });
        isAgain.add(last.station);
      }
      last = undefined;
    }
  }
}

const tokensOf = ({ tokensIn, tokensOut }: Called): number => (tokensIn ?? 0) + (tokensOut ?? 0);

/** Why the answer before a transition was sent back; undefined when it counted. */
function countSendBack({ event, facts }: Extract<JournalEntry, { kind: 'moved' }>): Partial<MessageStats> | undefined {
  const lines = (facts.rulings ?? []).flatMap(({ found }) => found.map(({ message }) => message));
  if (classifyEvent(event).of !== 'answer') return undefined;
  const has = (words: string): 0 | 1 => (lines.some((message) => message.startsWith(words)) ? 1 : 0);
  const isUnproven = event === 'report_unproven' && lines.length === 0;
  return {
    praise: has('[SYSTEM] Response rejected'),
    empty_approvals: isUnproven || lines.some((message) => EMPTY.test(message)) ? 1 : 0,
    unfinished: has('[SYSTEM] Remaining'),
    out_of_scope: facts.scopeRefused === undefined ? 0 : 1,
  };
}

const EMPTY = /^\[SYSTEM\] APPROVE rejected|says PASS, but (?:its program's log|nothing that its program told)/;

const NONE = {
  answers: 0,
  sent_back: 0,
  praise: 0,
  empty_approvals: 0,
  out_of_scope: 0,
  unfinished: 0,
  tokens_kept_back: 0,
  tokens_again: 0,
};

function add(workers: Map<string, MessageStats>, { station, agent, model }: Called, more: Partial<MessageStats>): void {
  const key = JSON.stringify([station, agent, model]);
  const before = workers.get(key) ?? { station, agent, model, ...NONE };
  const sums = Object.fromEntries(
    (Object.keys(NONE) as (keyof typeof NONE)[]).map((name) => [name, before[name] + (more[name] ?? 0)]),
  );
  workers.set(key, { ...before, ...sums });
}

/** Message statistics in words; a share without a total is a dash. */
export function listMessageFigures(facts: TalkFacts): readonly (readonly [name: string, value: string])[] {
  return [
    ['Praise', `${percent(facts.flattery_ratio)} of answers`],
    ['Approvals without evidence', `${percent(facts.empty_approval_rate)} of reviews`],
    ['Scope violations', `${figure(facts.scope_violations_per_task)} a task`],
    ['Items not shown to be done', `${percent(facts.unverified_completions)} of checklists`],
    ['Sent back', `${figure(facts.retries_per_task)} a task`],
  ];
}

/** ` (1 praise, 2 without evidence)`; empty without such reasons. */
export function formatMessageReasons({
  praise,
  empty_approvals: empty,
  out_of_scope: outside,
  unfinished,
}: Pick<MessageStats, 'praise' | 'empty_approvals' | 'out_of_scope' | 'unfinished'>): string {
  const events = (
    [
      [praise, 'praise'],
      [empty, 'without evidence'],
      [outside, 'out of scope'],
      [unfinished, 'unfinished'],
    ] as const
  ).filter(([number]) => number !== 0);
  return events.length === 0 ? '' : ` (${events.map(([number, what]) => `${number} ${what}`).join(', ')})`;
}

const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`);
const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
