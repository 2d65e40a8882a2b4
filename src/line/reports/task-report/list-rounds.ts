import { isBlockingFinding, type Finding } from '../../../rules/model/finding.ts';
import type { JournalEntry, Moved } from '../../record/journal-entry.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import type { JudgeReport, LocalReview } from '../../record/review.ts';
import { foldEntry } from '../../core/fold-journal.ts';

/** One review of a change. */
export type RoundFacts = ReturnType<typeof roundOf>;

/** Every round of reviewer and judge, oldest first; "gone" refers to the next round at the same station. */
export function listRounds(entries: readonly JournalEntry[]): readonly RoundFacts[] {
  const rounds: RoundFacts[] = [];
  let record: TaskRecord | undefined;
  for (const entry of entries) {
    record = foldEntry(record, entry);
    if (entry.kind !== 'moved') continue;
    const last = rounds.at(-1);
    if (last !== undefined && last.led_to === null && entry.facts.report === undefined)
      rounds[rounds.length - 1] = { ...last, led_to: ledTo(entry) };
    const attempt = record?.change?.attempt ?? record?.attempt ?? 0;
    const { review, report } = entry.facts;
    for (const round of [
      ...(review === undefined ? [] : [roundOf(entry, attempt, review)]),
      ...(report === undefined ? [] : [roundOf(entry, attempt, report, report)]),
    ])
      rounds.push({ ...round, number: rounds.filter(({ by }) => by === round.by).length + 1 });
  }
  return rounds.map((round, index) =>
    compare(
      round,
      rounds.slice(index + 1).find(({ by }) => by === round.by),
    ),
  );
}

/** A reviewer's round is followed by its own event, a judge's by the next one. */
function roundOf(
  entry: Moved,
  attempt: number,
  { verdict, ...review }: LocalReview | JudgeReport,
  judge?: JudgeReport,
) {
  const by = judge === undefined ? ('local-reviewer' as const) : ('judge' as const);
  const findings = 'blocking' in review ? review.blocking : review.findings;
  const isBlocking = (finding: Finding): boolean => judge !== undefined || isBlockingFinding(finding);
  const { said, why, summary, fixes, suggestions, securityFlags, evidence = [] } = judge ?? {};
  return {
    by,
    reviewer: by,
    /** Counted per station, from 1. */
    number: 0,
    at: entry.at,
    attempt,
    verdict,
    /** Null when that reviewer had no further round. */
    blocking: findings.filter(isBlocking).map((one) => ({ ...one, gone_in_next_round: null as boolean | null })),
    others: findings.filter((one) => !isBlocking(one)),
    evidence,
    judged: judge === undefined ? null : { said, why, summary, fixes, suggestions, security_flags: securityFlags },
    led_to: judge === undefined ? ledTo(entry) : null,
  };
}

const ledTo = ({ event, reason, facts }: Moved): { event: string; reason: string } | null => ({
  event: facts.halt === undefined ? event : 'circuit_breaker_halt',
  reason,
});

function compare(round: RoundFacts, next: RoundFacts | undefined): RoundFacts {
  if (next === undefined) return round;
  const isGone = (finding: Finding): boolean => !next.blocking.some((later) => isSame(later, finding));
  return { ...round, blocking: round.blocking.map((one) => ({ ...one, gone_in_next_round: isGone(one) })) };
}

/** Equal texts, or the same kind of fault within five lines: lines shift between rounds. */
function isSame(one: Finding, other: Finding): boolean {
  if (one.file !== other.file) return false;
  if (one.description === other.description) return true;
  if (one.category !== other.category || one.line === undefined || other.line === undefined) return false;
  return Math.abs(one.line - other.line) <= 5;
}
