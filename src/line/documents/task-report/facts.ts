import type { JournalEntry } from '../../../record/journal-entry.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import { TERMINAL } from '../../../base/names.ts';
import { withoutSecrets } from '../../../rules/secrets/mask.ts';
import { computeCost, type TaskCost } from '../../cost.ts';
import { foldJournal } from '../../record.ts';
import { listAttempts, type Attempt } from './attempts.ts';
import { listHalts, type HaltTold } from './halts.ts';
import { listRounds, type ReviewRound } from './rounds.ts';
import { stationSpans, type StationSpan } from './spans.ts';
import { millisecondsBetween } from './words.ts';

/** The facts about a task outside its journal. */
export interface ReportContext {
  /** When the report is made: the end of an unfinished task. */
  readonly now: string;
  /** The change as a patch; undefined without a change or its commits. */
  readonly patch: string | undefined;
  /** The refs that keep attempts, by commit. */
  readonly refs: ReadonlyMap<string, string>;
  readonly isChainWhole: boolean;
}

/** The facts of a report before rendering. */
export interface TaskReport extends ReportContext {
  readonly record: LineRecord;
  readonly from: string;
  readonly to: string;
  readonly isOver: boolean;
  readonly spans: readonly StationSpan[];
  readonly halts: readonly HaltTold[];
  readonly rounds: readonly ReviewRound[];
  readonly attempts: readonly Attempt[];
  readonly cost: TaskCost;
  readonly story: readonly JournalEntry[];
  /** Who reverted the merge. */
  readonly undoneBy: string | undefined;
}

/** Gathers the facts of a task since its last admission. */
export function gatherReport(
  record: LineRecord,
  entries: readonly JournalEntry[],
  surroundings: ReportContext,
): TaskReport {
  const first = entries.findLastIndex(({ kind }) => kind === 'admitted');
  const story = entries.slice(Math.max(0, first));
  const before = foldJournal(entries.slice(0, Math.max(0, first)));
  const isOver = TERMINAL.includes(record.status);
  const to = isOver ? record.updatedAt : surroundings.now;
  return {
    ...surroundings,
    patch: surroundings.patch === undefined ? undefined : withoutSecrets(surroundings.patch),
    record,
    from: record.createdAt,
    to,
    isOver,
    spans: stationSpans(story, to, before),
    halts: listHalts(story),
    rounds: listRounds(story),
    attempts: listAttempts(story, before),
    cost: computeCost(story),
    story,
    undoneBy: story.findLast((entry) => entry.kind === 'undone')?.by,
  };
}

/** Milliseconds halted, and milliseconds waiting for unavailable agents. */
export function measureWaits({ halts, spans, to }: TaskReport): { readonly human: number; readonly agents: number } {
  const human = halts.reduce((sum, { at, choice }) => sum + millisecondsBetween(at, choice?.at ?? to), 0);
  const agents = spans
    .filter(({ kind }) => kind === 'wait')
    .reduce((sum, one) => sum + millisecondsBetween(one.from, one.to), 0);
  return { human, agents };
}
