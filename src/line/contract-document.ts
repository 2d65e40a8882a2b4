import { diffStat } from '../record/change.ts';
import { blocks, inOneLine } from '../record/finding.ts';
import type { Moved } from '../record/journal-entry.ts';
import type { LineRecord } from '../record/line-record.ts';
import { localReview } from '../record/reviews.ts';
import { forJson, forTerminal } from '../base/plain-text.ts';
import { writeContract } from '../contract/write-contract.ts';

/** How much of the history the contract shows; the whole of it is in the journal and in transition.ndjson. */
const SHOWN_HISTORY = 50;

/** The contract as it must stand on disk now: a pure function of the record, so that its digest is the seal. */
export function contractText(record: LineRecord): string {
  const review = localReview(record);
  const shown = record.history.slice(-SHOWN_HISTORY).map((step) => ({ ...step, reason: forTerminal(step.reason) }));
  return writeContract(record.document, {
    status: record.status,
    statusReason: forTerminal(record.statusReason),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    attempt: record.attempt,
    rebuttals: record.rebuttals,
    reviewCycles: record.reviewCycles,
    tokens: record.spent.unknownTokens > 0 ? undefined : record.spent.tokens,
    usd: record.spent.unknownUsd > 0 ? undefined : round(record.spent.usd),
    breaker: record.halt === undefined ? 'armed' : 'tripped',
    ...(record.halt === undefined
      ? {}
      : { triggeredBy: record.halt.trip.breaker, triggerReason: forTerminal(record.halt.trip.reason) }),
    changedFiles: (record.change?.files ?? []).map(({ path }) => path),
    ...(JUDGED.has(record.status) && record.change !== undefined
      ? { artifacts: record.change.files.map(({ path }) => path) }
      : {}),
    notes: forTerminal(record.change?.notes ?? ''),
    history: shown,
    historyOmitted: record.history.length - shown.length,
    ...(review === undefined
      ? {}
      : {
          localReview: {
            passed: !review.findings.some(blocks),
            issues: review.findings.map((one) => forTerminal(inOneLine(one))),
          },
        }),
    ...(record.change === undefined ? {} : { diffSummary: diffStat(record.change) }),
  });
}

/** While the judge is asked, and while it judges. */
const JUDGED: ReadonlySet<string> = new Set(['pending_judge_review', 'review_in_progress']);

/** A transition as a line of `transition.ndjson`. */
export function transitionLine(
  record: LineRecord,
  entry: Moved,
  seal: { readonly seq: number; readonly hash: string },
): string {
  return forJson(
    {
      timestamp: entry.at,
      task_id: record.taskId,
      event: record.history.at(-1)?.event ?? entry.event,
      old_status: entry.from,
      new_status: entry.to,
      status_reason: entry.reason,
      attempt: record.attempt,
      cumulative_cost_usd: record.spent.unknownUsd > 0 ? null : round(record.spent.usd),
      sequence: seal.seq,
      hash: seal.hash,
    },
    0,
  );
}

const round = (usd: number): number => Math.round(usd * 1e6) / 1e6;
