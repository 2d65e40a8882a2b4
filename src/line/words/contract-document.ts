import { formatDiffStat } from '../record/change.ts';
import { isBlockingFinding, formatFinding } from '../../rules/model/finding.ts';
import type { Moved } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { getKnownUse } from '../record/get-budget.ts';
import { toSafeJson, toTerminal } from '../../base/plain-text.ts';
import { writeContract } from '../../project/contract/write-contract.ts';

/** How much history the contract shows; the journal and transition.ndjson have all of it. */
const SHOWN_HISTORY = 50;

/** The current text of the contract on disk: a pure function of the record, so that its digest is the seal. */
export function renderContract(record: TaskRecord): string {
  const review = record.review;
  const { change, halt, history } = record;
  const used = getKnownUse(record);
  const shown = history.slice(-SHOWN_HISTORY).map((step) => ({ ...step, reason: toTerminal(step.reason) }));
  const paths = (change?.files ?? []).map(({ path }) => path);
  return writeContract(record.document, {
    status: record.status,
    status_reason: toTerminal(record.statusReason),
    attempt: record.attempt,
    timestamps: { created_at: record.createdAt, updated_at: record.updatedAt },
    handoff_data: {
      implementer_notes: toTerminal(change?.notes ?? ''),
      changed_files: paths,
      artifacts: JUDGED.has(record.status) && change !== undefined ? paths : undefined,
      diff_summary: change === undefined ? '' : formatDiffStat(change),
      local_review_passed: review === undefined ? null : !review.findings.some(isBlockingFinding),
      local_review_issues: (review?.findings ?? []).map((one) => toTerminal(formatFinding(one))),
    },
    breaker: {
      status: halt === undefined ? 'armed' : 'tripped',
      rebuttal_count: record.rebuttals,
      triggered_by: halt?.trip.breaker ?? null,
      trigger_reason: halt === undefined ? null : toTerminal(halt.trip.reason),
      review_cycle_count: record.reviewCycles,
      tokens_used: used.tokens ?? undefined,
      cost_usd: used.usd ?? undefined,
    },
    history: shown,
    history_omitted: history.length - shown.length,
  });
}

/** From the request to the judge until its report. */
const JUDGED: ReadonlySet<string> = new Set(['pending_judge_review', 'review_in_progress']);

/** A transition as a line of `transition.ndjson`. */
export function renderTransition(
  record: TaskRecord,
  entry: Moved,
  seal: { readonly seq: number; readonly hash: string },
): string {
  return toSafeJson(
    {
      timestamp: entry.at,
      task_id: record.taskId,
      event: record.history.at(-1)?.event ?? entry.event,
      old_status: entry.from,
      new_status: entry.to,
      status_reason: entry.reason,
      attempt: record.attempt,
      cumulative_cost_usd: getKnownUse(record).usd,
      sequence: seal.seq,
      hash: seal.hash,
    },
    0,
  );
}
