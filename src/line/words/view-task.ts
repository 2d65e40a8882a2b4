import { TERMINAL, toBranchName } from '../../base/names.ts';
import { formatDiffStat } from '../record/change.ts';
import { type Finding, formatFinding } from '../../rules/model/finding.ts';
import { describeWeakening } from '../../rules/model/weakening.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { JudgeReport, LocalReview } from '../record/review.ts';
import { getKnownUse } from '../record/get-budget.ts';
import { getCurrentImplementer } from '../record/implementers.ts';
import { formatRuling } from '../../rules/model/ruling.ts';
import { haltReach } from '../record/trip.ts';
import { getContractTitle } from './commit-messages.ts';
import { createCommentPath } from '../core/comment-path.ts';
import { formatModelName } from '../core/cost.ts';
import { summarizeHalt } from '../halts/halt-summary.ts';

/** When the implementer answered, while its answer is checked and the gates of its change run. */
export function findGatesStart({
  status,
  answered,
  openCall,
  hold,
  calls,
}: Pick<TaskRecord, 'status' | 'answered' | 'openCall' | 'hold' | 'calls'>): string | null {
  const isChecked = answered?.started.station === 'implementer' && openCall === undefined && hold === undefined;
  return status === 'pending_implementer' && isChecked ? (calls.at(-1)?.at ?? null) : null;
}

/** Whether a task has no gate: by its last gate run, before that by the gates at admission. */
export const isUngated = ({ gates, ungated }: TaskRecord): boolean =>
  gates === undefined ? ungated === true : gates.results.length === 0;

/** One sentence for each rule that is not sure. */
export const listDoubtSentences = ({ doubts }: Pick<TaskRecord, 'doubts'>): readonly string[] => [
  ...new Set(doubts.flatMap(({ found }) => found.map(formatRuling))),
];

const isOpen = ({ status }: TaskRecord): boolean => !TERMINAL.includes(status);

const viewReview = (
  station: 'local-reviewer' | 'judge',
  { tree, verdict }: LocalReview | JudgeReport,
  findings: readonly Finding[],
) => ({ station, reviewer: station, tree, verdict, findings: findings.length });

/** A record for people and programs; unknown figures are null. */
export function viewTask(record: TaskRecord) {
  const { change, gates, review, report, halt, openCall } = record;
  const { usd, tokens, minutes } = getKnownUse(record);
  const paths: readonly string[] = (halt?.paths ?? []).map(({ title }, index) => `${index + 1}: ${title}`);
  return {
    task_id: record.taskId,
    title: getContractTitle(record.contract),
    project: record.contract.project,
    status: record.status,
    status_reason: record.statusReason,
    since: record.updatedAt,
    attempt: record.attempt,
    // The current implementer, and each takeover with its reason.
    implementer: getCurrentImplementer(record),
    takeovers: record.takeovers,
    refused_answers: record.refusedAnswers,
    review_cycles: record.reviewCycles,
    rebuttals: record.rebuttals,
    target: toBranchName(record.target),
    branch: `task/${record.taskId}`,
    base: record.base,
    commit: change?.commit ?? null,
    diff: change === undefined ? null : formatDiffStat(change),
    // The number of tests that passed is null where a gate has no machine-readable results.
    gates: (gates?.results ?? []).map(({ name, outcome, base, passed }) => ({
      name,
      outcome,
      base,
      tests_passed: passed ?? null,
    })),
    // Nothing but the reviewers decides on this task.
    ungated: isUngated(record),
    // What the change does to gates and tests, and who allowed it; empty when it weakens nothing.
    weakened: (record.weakeningReport?.weakenings ?? []).map(describeWeakening),
    // Rules that are not sure, and what would answer them.
    not_sure: listDoubtSentences(record),
    verdict: report?.verdict ?? null,
    // The last word of each station on the current change.
    reviews: [
      ...(review === undefined ? [] : [viewReview('local-reviewer', review, review.findings)]),
      ...(report === undefined ? [] : [viewReview('judge', report, report.blocking)]),
    ],
    findings: [...(review?.findings ?? []), ...(report?.blocking ?? [])].map(formatFinding),
    cost_usd: usd,
    tokens,
    agent_minutes: Math.round(minutes * 100) / 100,
    agent_seconds: Math.round(minutes * 600) / 10,
    working:
      openCall === undefined
        ? null
        : { station: openCall.station, model: formatModelName(openCall), since: openCall.at },
    // Since when the implementer's answer is checked and its gates run.
    gates_since: findGatesStart(record),
    // What the line waits for; no failure.
    hold:
      record.hold === undefined
        ? null
        : {
            station: record.hold.station,
            reason: record.hold.reason,
            since: record.hold.since,
            until: record.hold.until,
            // Which of andon's own limits holds it; null where it waits for its program.
            own: record.hold.own ?? null,
          },
    halt:
      halt === undefined
        ? null
        : {
            id: halt.id,
            breaker: halt.trip.breaker,
            reason: halt.trip.reason,
            // `task`: others may continue meanwhile; `line`: nothing does.
            reach: haltReach(halt),
            paths,
            // What sending it back with comments does; null where only a path is possible.
            send_back: createCommentPath(record)?.does ?? null,
            // Why the newest answer through the folder does not count; null without one.
            refused: record.refusedAnswer ?? null,
            // What a person decides by: phrase, question, suggestion, sums.
            summary: summarizeHalt(record, halt),
          },
    // Comments of a person that are required fixes, until an attempt that was asked for them passes its gates.
    comments: record.comments.map(({ about, file, line, text, asked }) => ({
      attempt: about,
      file: file ?? null,
      line: line ?? null,
      text,
      asked: asked !== undefined,
    })),
    // Since when it is parked; its files are in `_handoff/tasks/<task_id>/`.
    parked: isOpen(record) ? (record.parked ?? null) : null,
    undone_as: record.undone ?? null,
    merged_as: record.status === 'merged' ? (record.merge?.commit ?? null) : null,
  };
}

/** A task in `status`, `list` and `show` with `--json`. */
export type TaskView = ReturnType<typeof viewTask>;
