import {
  toDigestLine,
  listStories,
  type RepositoryNight,
  type RecordChange,
  type TaskStory,
} from './repository-night.ts';
import type { Digest, Need, DataGap, SentBack, MergedTask, TaskSpent } from './digest.ts';
import { listNeeds } from './list-needs.ts';
import { listGivenUp, listMerged } from './list-merged.ts';
import { listRejections } from './list-rejections.ts';
import { listSpending } from './list-spending.ts';
import { listWaiting } from './list-waits.ts';
import { formatCount } from '../../base/format-count.ts';
import { TASK_ID } from '../../base/names.ts';
import type { JournalEntry } from '../record/journal-entry.ts';

/**
 * Gathers a digest: events of each repository since its own mark, and the current state. Pure; for any number of
 * repositories and open tasks.
 */
export function gatherDigest(
  nights: readonly RepositoryNight[],
  {
    from,
    to,
    notKnown = [],
    ceilings = [],
    planned = [],
  }: {
    readonly from: string;
    readonly to: string;
    readonly notKnown?: readonly DataGap[];
    readonly ceilings?: Digest['spent']['ceilings'];
    readonly planned?: Digest['nights'];
  },
): Digest {
  const told = nights.map((night) => ({ night, stories: listStories(night) }));
  const spent = listSpending(told);
  const parts = told.map(({ night, stories }) => {
    const tasks = spent.tasks.filter(({ repository }) => repository === night.root);
    const merged = listMerged(night, stories);
    return {
      needs_you: listNeeds(night, stories, to),
      merged,
      rejections: listRejections(night, stories),
      given_up: listGivenUp(night, stories),
      waits: listWaiting(night, stories, to),
      not_known: findDataGaps(night, stories, { spent: tasks, merged }),
    };
  });
  const rejections = parts.flatMap((part) => part.rejections);
  const hasSentBack = ({ rounds }: SentBack): boolean => rounds.some(({ of }) => of === 'change');
  return {
    from,
    to,
    repositories: nights.map(({ name, root }) => ({ name: toDigestLine(name, 80), root })),
    needs_you: parts.flatMap(({ needs_you }) => needs_you).toSorted(compareUrgency),
    merged: parts.flatMap(({ merged }) => merged),
    sent_back: rejections.filter(hasSentBack),
    answers_refused: rejections.filter((one) => !hasSentBack(one)),
    given_up: parts.flatMap(({ given_up }) => given_up),
    spent: { ...spent, ceilings },
    nights: planned,
    waits: parts.flatMap(({ waits }) => waits),
    not_known: [...notKnown, ...parts.flatMap(({ not_known }) => not_known)],
  };
}

/** The order of needs. */
export const URGENCY: readonly Need['kind'][] = [
  'halt',
  'decision',
  'stopped',
  'unwatched',
  'unwell',
  'refused',
  'overdue',
];

/** Questions first, and the oldest first of each kind. */
export const compareUrgency = (one: Need, two: Need): number =>
  URGENCY.indexOf(one.kind) - URGENCY.indexOf(two.kind) || (one.since ?? '').localeCompare(two.since ?? '');

function findDataGaps(
  night: RepositoryNight,
  stories: readonly TaskStory[],
  { spent, merged }: { readonly spent: readonly TaskSpent[]; readonly merged: readonly MergedTask[] },
): readonly DataGap[] {
  const here = (what: string, taskId: string | null = null, remedy: string | null = null): DataGap => ({
    repository: night.root,
    task_id: taskId,
    what: toDigestLine(what, 400),
    remedy,
  });
  const { since, entries, line } = night;
  return [
    ...night.notKnown,
    ...(line?.journal_lost ? [here(line.journal_lost, null, 'andon doctor --journal')] : []),
    ...entries.flatMap(({ seq, taskId, entry }) =>
      seq > since && entry.kind === 'unreadable'
        ? [here(unreadable(entry), TASK_ID.test(taskId) ? taskId : null, 'andon doctor --journal')]
        : [],
    ),
    ...listUnsent(night).map((what) => here(what, null, 'andon doctor --notify')),
    ...stories.flatMap(({ taskId, news }) => cutOff(news).map((what) => here(what, taskId))),
    ...merged.flatMap((one) => listLostMerges(one).map((what) => here(what, one.task_id, 'andon doctor --journal'))),
    ...(line === undefined ? [] : listMissingTargets(merged)).map(([what, remedy]) => here(what, null, remedy)),
    ...spent.flatMap((one) => unpriced(one).map((what) => here(what, one.task_id))),
    ...uncounted(spent).map((what) => here(what)),
  ];
}

const unreadable = ({ seq, why }: Extract<JournalEntry, { kind: 'unreadable' }>): string =>
  `entry ${seq} of the journal cannot be read (${why}): what it says is in no figure here`;

/** Notifications that could not be sent. */
const listUnsent = ({ entries, since }: RepositoryNight): readonly string[] =>
  entries.flatMap(({ seq, entry }) =>
    seq > since && entry.kind === 'notified' && entry.failed !== undefined
      ? [`you could not be told of "${entry.key.split(':')[0] ?? ''}" by ${entry.channel}: ${entry.failed}`]
      : [],
  );

function unpriced({ calls_without_price: prices, usd_reserved: reserved }: TaskSpent): readonly string[] {
  const counted = reserved > 0 ? `; $${reserved.toFixed(4)} that was reserved is counted for it` : '';
  return prices === 0 ? [] : [`the price of ${formatCount(prices, 'call')} is unknown${counted}`];
}

/** One line for all tasks. */
function uncounted(spent: readonly TaskSpent[]): readonly string[] {
  const calls = spent.reduce((sum, one) => sum + one.calls_without_tokens, 0);
  return calls === 0 ? [] : [`the tokens of ${formatCount(calls, 'call')} are unknown`];
}

const cutOff = (news: readonly RecordChange[]): readonly string[] => {
  const cut = news.flatMap(({ entry }) => (entry.kind === 'interrupted' ? [entry] : []));
  // The end of a call whose andon died is unknown.
  const time = cut.some(({ ms }) => ms === undefined) ? '; its time counts until andon started again' : '';
  return cut.length === 0
    ? []
    : [`${formatCount(cut.length, 'call')} broke off: what the agent had done by then is not known${time}`];
};

/** A merge that its branch lost without a revert. */
const listLostMerges = ({ held, target, commit }: MergedTask): readonly string[] =>
  held === false ? [`${target} no longer contains its merge (${commit.slice(0, 12)}): the branch was moved`] : [];

/** Targets that are no branch any more, each with the command that finds its merges. */
const listMissingTargets = (merged: readonly MergedTask[]): readonly (readonly [what: string, remedy: string])[] =>
  [
    ...Map.groupBy(
      merged.filter(({ held }) => held === null),
      ({ target }) => target,
    ),
  ].map(([target, merges]) => [
    `the branch ${target} cannot be found now (renamed or deleted?), so whether it holds ${formatCount(merges.length, 'merge')} is unknown`,
    `git branch --all --contains ${merges[0]?.commit.slice(0, 12) ?? ''}`,
  ]);
