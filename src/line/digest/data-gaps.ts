import { formatCount } from '../../base/format-count.ts';
import { TASK_ID } from '../../base/names.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import type { MergedTask, DataGap, TaskSpent } from './digest.ts';
import { toDigestLine, type RecordChange, type RepositoryNight, type TaskStory } from './repository-night.ts';

export function findDataGaps(
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
    ...spent.flatMap((one) => unpriced(one).map((what) => here(what, one.task_id))),
    ...stories.flatMap(({ taskId, news }) => cutOff(news).map((what) => here(what, taskId))),
    ...merged.flatMap((one) => listLostMerges(one).map((what) => here(what, one.task_id, 'andon doctor --journal'))),
    ...unasked(merged, line).map((what) => here(what, null, 'andon doctor --journal')),
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

function unpriced({
  calls_without_price: prices,
  calls_without_tokens: tokens,
  usd_reserved: reserved,
}: TaskSpent): readonly string[] {
  const counted = reserved > 0 ? `; $${reserved.toFixed(4)} that was reserved is counted for it` : '';
  return [
    ...(prices === 0 ? [] : [`the price of ${formatCount(prices, 'call')} is unknown${counted}`]),
    ...(tokens === 0 ? [] : [`the tokens of ${formatCount(tokens, 'call')} are unknown`]),
  ];
}

const cutOff = (news: readonly RecordChange[]): readonly string[] => {
  const cut = news.flatMap(({ entry }) => (entry.kind === 'interrupted' ? [entry] : []));
  // Nobody saw when a call ended whose andon died.
  const time = cut.some(({ ms }) => ms === undefined) ? '; its time counts until andon started again' : '';
  return cut.length === 0
    ? []
    : [`${formatCount(cut.length, 'call')} broke off: what the agent had done by then is not known${time}`];
};

/** A merge that its branch lost without a revert. */
const listLostMerges = ({ held, target, commit }: MergedTask): readonly string[] =>
  held === false ? [`${target} no longer contains its merge (${commit.slice(0, 12)}): the branch was moved`] : [];

/** Merges that could not be looked up in git. */
function unasked(merged: readonly MergedTask[], line: RepositoryNight['line']): readonly string[] {
  const count = merged.filter(({ held }) => held === null).length;
  if (count === 0 || line === undefined) return []; // the missing lookup is reported elsewhere
  return [
    `whether ${count === 1 ? 'a merge' : `${count} of the merges`} still ${count === 1 ? 'is' : 'are'} in the target could not be looked up`,
  ];
}
