import { countTalk } from '../message-stats.ts';
import { said, storiesOf } from './night.ts';
import { reviewerFacts, reviewerLedger } from '../reviewer-ledger.ts';
import type { Night, Story } from './night.ts';
import type { Digest, Need, NotKnown } from './digest.ts';
import { needsOf } from './needs.ts';
import { notKnownIn } from './not-known.ts';
import { givenUpIn, mergedIn } from './results.ts';
import { sentBackIn } from './sent-back.ts';
import { spentIn, together } from './spent.ts';
import { waitsOf } from './waits.ts';

/**
 * Gathers a digest: events of each repository since its own mark, and the current state. Pure; for any number of
 * repositories and open tasks.
 */
export function digestOf(
  nights: readonly Night[],
  {
    from,
    to,
    notKnown = [],
    ceilings = [],
    planned = [],
  }: {
    readonly from: string;
    readonly to: string;
    readonly notKnown?: readonly NotKnown[];
    readonly ceilings?: Digest['spent']['ceilings'];
    readonly planned?: Digest['nights'];
  },
): Digest {
  const parts = nights.map((night) => {
    const stories = storiesOf(night);
    const spent = spentIn(night, stories);
    const merged = mergedIn(night, stories);
    return {
      needs_you: needsOf(night, stories, to),
      merged,
      sent_back: sentBackIn(night, stories),
      given_up: givenUpIn(night, stories),
      spent,
      said: stories.map(({ news }) => news.map(({ entry }) => entry)),
      reviewed: stories.filter(wasReviewed),
      waits: waitsOf(night, stories, to),
      not_known: notKnownIn(night, stories, { spent, merged }),
    };
  });
  const tasks = parts.flatMap(({ spent }) => spent);
  return {
    from,
    to,
    repositories: nights.map(({ name, root }) => ({ name: said(name, 80), root })),
    needs_you: parts.flatMap(({ needs_you }) => needs_you).toSorted(byUrgency),
    merged: parts.flatMap(({ merged }) => merged),
    sent_back: parts.flatMap(({ sent_back }) => sent_back),
    given_up: parts.flatMap(({ given_up }) => given_up),
    spent: { together: together(tasks), tasks, ceilings },
    messages: countTalk(parts.flatMap(({ said: entries }) => entries).filter((entries) => entries.length > 0)),
    reviewers: reviewerLedger(parts.flatMap(({ reviewed }) => reviewed.map(({ entries }) => entries))).map((row) => ({
      ...reviewerFacts(row),
      reviewer: said(row.reviewer, 80),
      model: said(row.model, 80),
    })),
    nights: planned,
    waits: parts.flatMap(({ waits }) => waits),
    not_known: [...notKnown, ...parts.flatMap(({ not_known }) => not_known)],
  };
}

/** Whether a review or a judge's report is new. */
const wasReviewed = ({ news }: Story): boolean =>
  news.some(({ entry }) => entry.kind === 'moved' && (entry.facts.review ?? entry.facts.report) !== undefined);

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
export const byUrgency = (one: Need, two: Need): number =>
  URGENCY.indexOf(one.kind) - URGENCY.indexOf(two.kind) || (one.since ?? '').localeCompare(two.since ?? '');
