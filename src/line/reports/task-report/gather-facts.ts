import type { JournalEntry } from '../../record/journal-entry.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { TERMINAL } from '../../../base/names.ts';
import { computeCost } from '../../core/cost.ts';
import { foldJournal } from '../../core/fold-journal.ts';
import type { LineFacts } from '../../words/line-facts.ts';
import { viewActivity } from '../../words/view-activity.ts';
import { listAttempts } from './list-attempts.ts';
import { listHalts, type HaltFacts } from './list-halts.ts';
import { listRounds } from './list-rounds.ts';
import { stationSpans, type StationSpan } from './station-spans.ts';
import { millisecondsBetween } from './format-figures.ts';

export interface ReportContext {
  /** When the report is made: the end of an unfinished task. */
  readonly now: string;
  /** The refs that keep attempts, by commit. */
  readonly refs: ReadonlyMap<string, string>;
  readonly isChainWhole: boolean;
  /** The line that an open task is on; undefined where only the journal is known. */
  readonly line?: LineFacts | undefined;
}

/** What the sentences of a report are made from. */
export type ReportBasis = ReturnType<typeof gatherFacts>;

/** Gathers the facts of a task since its last admission. */
export function gatherFacts(
  record: TaskRecord,
  entries: readonly JournalEntry[],
  { now, refs, isChainWhole, line }: ReportContext,
) {
  const first = Math.max(
    0,
    entries.findLastIndex(({ kind }) => kind === 'admitted'),
  );
  const story = entries.slice(first);
  const before = foldJournal(entries.slice(0, first));
  const isOver = TERMINAL.includes(record.status);
  const to = isOver ? (record.history.at(-1)?.at ?? record.updatedAt) : now; // an undo is no part of its work
  const timeline = stationSpans(story, to, before);
  const halts = listHalts(record, story);
  return {
    record,
    activity: viewActivity(record, line),
    from: record.createdAt,
    to,
    isOver,
    isChainWhole,
    story,
    timeline,
    halts,
    rounds: listRounds(story),
    attempts: listAttempts(story, before, refs),
    cost: computeCost(story),
    waits: measureWaits(halts, timeline, to),
    /** Who reverted the merge. */
    undoneBy: story.findLast((entry) => entry.kind === 'undone')?.by,
  };
}

/** Milliseconds halted, and milliseconds waiting for unavailable agents. */
function measureWaits(halts: readonly HaltFacts[], timeline: readonly StationSpan[], to: string) {
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
  return {
    human: sum(halts.map(({ at, choice }) => millisecondsBetween(at, choice?.at ?? to))),
    agents: sum(timeline.map((one) => (one.kind === 'wait' ? millisecondsBetween(one.from, one.to) : 0))),
  };
}
