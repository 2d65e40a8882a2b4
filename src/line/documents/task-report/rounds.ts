import { isBlockingFinding, type Finding } from '../../../record/finding.ts';
import type { JournalEntry, Moved } from '../../../record/journal-entry.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import type { JudgeReport } from '../../../record/review.ts';
import { isJudgeReview, listReviews, type StoredReview } from '../../../record/reviews.ts';
import { foldEntry } from '../../record.ts';

/** A blocking finding, and its state in the next round of the same reviewer. */
export interface Blocking {
  readonly finding: Finding;
  /** Undefined when that reviewer had no further round. */
  readonly isGone: boolean | undefined;
}

/** One review of a change. */
export interface ReviewRound {
  readonly by: StoredReview['station'];
  /** The station's own reviewer, or an additional one. */
  readonly reviewer: string;
  /** Counted per reviewer, from 1. */
  readonly number: number;
  readonly at: string;
  readonly attempt: number;
  readonly verdict: string;
  readonly blocking: readonly Blocking[];
  readonly others: readonly Finding[];
  readonly report: JudgeReport | undefined;
  /** The line's reaction: the next event, and its reason. */
  readonly ledTo: { readonly event: string; readonly reason: string } | undefined;
}

/** Every round of reviewer and judge, oldest first; "gone" refers to the next round of the same reviewer. */
export function listRounds(entries: readonly JournalEntry[]): readonly ReviewRound[] {
  const rounds: ReviewRound[] = [];
  let record: LineRecord | undefined;
  for (const entry of entries) {
    record = foldEntry(record, entry);
    if (entry.kind !== 'moved') continue;
    const last = rounds.at(-1);
    if (last !== undefined && last.ledTo === undefined && entry.facts.report === undefined)
      rounds[rounds.length - 1] = { ...last, ledTo: ledTo(entry) };
    for (const review of listReviews(entry.facts)) {
      const round = roundOf(entry, review, record?.change?.attempt ?? record?.attempt ?? 0);
      rounds.push({ ...round, number: rounds.filter((one) => isBySame(one, round)).length + 1 });
    }
  }
  return rounds.map((round, index) =>
    compare(
      round,
      rounds.slice(index + 1).find((one) => isBySame(one, round)),
    ),
  );
}

const isBySame = (one: ReviewRound, other: ReviewRound): boolean =>
  one.by === other.by && one.reviewer === other.reviewer;

function roundOf(entry: Moved, review: StoredReview, attempt: number): ReviewRound {
  const { station: by, reviewer, verdict } = review;
  const plain = { at: entry.at, attempt, number: 0, by, reviewer, verdict };
  const open = (findings: readonly Finding[]): ReviewRound['blocking'] =>
    findings.map((finding) => ({ finding, isGone: undefined }));
  if (isJudgeReview(review))
    return { ...plain, blocking: open(review.blocking), others: [], report: review, ledTo: undefined };
  return {
    ...plain,
    blocking: open(review.findings.filter(isBlockingFinding)),
    others: review.findings.filter((finding) => !isBlockingFinding(finding)),
    report: undefined,
    ledTo: ledTo(entry),
  };
}

const ledTo = ({ event, reason, facts }: Moved): { event: string; reason: string } => ({
  event: facts.halt === undefined ? event : 'circuit_breaker_halt',
  reason,
});

function compare(round: ReviewRound, next: ReviewRound | undefined): ReviewRound {
  if (next === undefined) return round;
  const named = (finding: Finding): boolean => next.blocking.some((later) => isSame(later.finding, finding));
  return { ...round, blocking: round.blocking.map(({ finding }) => ({ finding, isGone: !named(finding) })) };
}

/** Equal texts, or the same kind of fault within five lines: lines shift between rounds. */
function isSame(one: Finding, other: Finding): boolean {
  if (one.file !== other.file) return false;
  if (one.description === other.description) return true;
  if (one.category !== other.category || one.line === undefined || other.line === undefined) return false;
  return Math.abs(one.line - other.line) <= 5;
}
