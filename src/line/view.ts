import { TERMINAL, branchName } from '../base/names.ts';
import { diffStat } from '../record/change.ts';
import { inOneLine } from '../record/finding.ts';
import { bendInWords } from '../record/gate-bending.ts';
import type { LineRecord } from '../record/line-record.ts';
import { foundBy, judgeReport } from '../record/reviews.ts';
import type { Status } from '../base/names.ts';
import { implementerNow } from '../record/implementers.ts';
import { reachOf } from '../record/trip.ts';
import type { Reach } from '../record/trip.ts';
import { modelName } from './cost.ts';

/** A task as status, list and show print it with `--json`; unknown figures are null. */
export interface TaskView {
  readonly task_id: string;
  readonly project: string;
  readonly status: Status;
  readonly status_reason: string;
  readonly since: string;
  readonly attempt: number;
  /** Who implements now, and who did before: why each time the next of the list took over. */
  readonly implementer: string;
  readonly takeovers: LineRecord['takeovers'];
  readonly review_cycles: number;
  readonly rebuttals: number;
  readonly target: string;
  readonly branch: string;
  readonly base: string;
  readonly commit: string | null;
  readonly diff: string | null;
  readonly gates: readonly { readonly name: string; readonly outcome: string; readonly base: string }[];
  /** Nothing but the reviewers decides on this task. */
  readonly ungated: boolean;
  /** What the change does to gates and tests, and who allowed it; empty when it weakens nothing. */
  readonly weakened: readonly string[];
  readonly verdict: string | null;
  /** Who says what of which tree: of each reviewer the last word about the change that stands. */
  readonly reviews: readonly {
    readonly station: string;
    readonly reviewer: string;
    readonly tree: string;
    readonly verdict: string;
    readonly findings: number;
  }[];
  readonly findings: readonly string[];
  readonly cost_usd: number | null;
  readonly tokens: number | null;
  readonly agent_minutes: number;
  readonly agent_seconds: number;
  readonly working: { readonly station: string; readonly model: string; readonly since: string } | null;
  /** What the line waits for; no failure. */
  readonly hold: {
    readonly station: string;
    readonly reason: string;
    readonly since: string;
    readonly until: string | null;
    /** What of andon's own holds it; null where it waits for its program. */
    readonly own: 'hours' | 'night' | 'ceiling' | null;
  } | null;
  readonly halt: {
    readonly id: string;
    readonly breaker: string;
    readonly reason: string;
    /** `task`: others may go on meanwhile; `line`: nothing does. */
    readonly reach: Reach;
    readonly paths: readonly string[];
    /** Why the newest answer through the folder does not count; null when there was none. */
    readonly refused: string | null;
  } | null;
  /** Since when it is put aside while others go on; its papers lie in `_handoff/tasks/<task_id>/`. */
  readonly parked: string | null;
  readonly merged_as: string | null;
  readonly undone_as: string | null;
}

/** Whether a task has no gate at all: by its last run of gates, before that by what there was at admission. */
export const isUngated = ({ gates, ungated }: LineRecord): boolean =>
  gates === undefined ? ungated === true : gates.results.length === 0;

const isOpen = ({ status }: LineRecord): boolean => !TERMINAL.includes(status);

/** Shows a record to people and programs. */
export function viewTask(record: LineRecord): TaskView {
  const { change, gates, reviews, spent, halt, openCall } = record;
  return {
    task_id: record.taskId,
    project: record.contract.project,
    status: record.status,
    status_reason: record.statusReason,
    since: record.updatedAt,
    attempt: record.attempt,
    implementer: implementerNow(record),
    takeovers: record.takeovers,
    review_cycles: record.reviewCycles,
    rebuttals: record.rebuttals,
    target: branchName(record.target),
    branch: `task/${record.taskId}`,
    base: record.base,
    commit: change?.commit ?? null,
    diff: change === undefined ? null : diffStat(change),
    gates: (gates?.results ?? []).map(({ name, outcome, base }) => ({ name, outcome, base })),
    ungated: isUngated(record),
    weakened: (record.bending?.bends ?? []).map(bendInWords),
    verdict: judgeReport(record)?.verdict ?? null,
    reviews: reviews.map((review) => {
      const { station, reviewer, tree, verdict } = review;
      return { station, reviewer, tree, verdict, findings: foundBy(review).length };
    }),
    findings: reviews.flatMap(foundBy).map(inOneLine),
    cost_usd: spent.unknownUsd > 0 ? null : Math.round(spent.usd * 1e6) / 1e6,
    tokens: spent.unknownTokens > 0 ? null : spent.tokens,
    agent_minutes: Math.round(spent.minutes * 100) / 100,
    agent_seconds: Math.round(spent.minutes * 600) / 10,
    working:
      openCall === undefined ? null : { station: openCall.station, model: modelName(openCall), since: openCall.at },
    hold:
      record.hold === undefined
        ? null
        : {
            station: record.hold.station,
            reason: record.hold.reason,
            since: record.hold.since,
            until: record.hold.until,
            own: record.hold.own ?? null,
          },
    halt:
      halt === undefined
        ? null
        : {
            id: halt.id,
            breaker: halt.trip.breaker,
            reason: halt.trip.reason,
            reach: reachOf(halt),
            paths: halt.paths.map(({ title }, index) => `${index + 1}: ${title}`),
            refused: record.refusedAnswer ?? null,
          },
    parked: isOpen(record) ? (record.parked ?? null) : null,
    undone_as: record.undone ?? null,
    merged_as: record.status === 'merged' ? (record.merge?.commit ?? null) : null,
  };
}
