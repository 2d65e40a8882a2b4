import { toDigestLine, listStories, type RepositoryNight } from './repository-night.ts';
import type { Digest, Need, DataGap, SentBack } from './digest.ts';
import { listNeeds } from './needs.ts';
import { findDataGaps } from './data-gaps.ts';
import { listGivenUp, listMerged } from './results.ts';
import { listRejections } from './list-rejections.ts';
import { listSpending, sumUsage } from './spent.ts';
import { listWaiting } from './waits.ts';

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
  const parts = nights.map((night) => {
    const stories = listStories(night);
    const spent = listSpending(night, stories);
    const merged = listMerged(night, stories);
    return {
      needs_you: listNeeds(night, stories, to),
      merged,
      rejections: listRejections(night, stories),
      given_up: listGivenUp(night, stories),
      spent,
      waits: listWaiting(night, stories, to),
      not_known: findDataGaps(night, stories, { spent, merged }),
    };
  });
  const tasks = parts.flatMap(({ spent }) => spent);
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
    spent: { together: sumUsage(tasks), tasks, ceilings },
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
  'nobody watches',
  'unwell',
  'refused',
  'overdue',
];

/** Questions first, and the oldest first of each kind. */
export const compareUrgency = (one: Need, two: Need): number =>
  URGENCY.indexOf(one.kind) - URGENCY.indexOf(two.kind) || (one.since ?? '').localeCompare(two.since ?? '');
