import type { JournalEntry } from '../../../record/journal-entry.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import { TERMINAL } from '../../../base/names.ts';
import { withoutSecrets } from '../../../rules/secrets/mask.ts';
import { costOf } from '../../cost.ts';
import type { TaskCost } from '../../cost.ts';
import { foldJournal } from '../../record.ts';
import { attemptsOf } from './attempts.ts';
import type { Attempt } from './attempts.ts';
import { haltsOf } from './halts.ts';
import type { HaltTold } from './halts.ts';
import { roundsOf } from './rounds.ts';
import type { Round } from './rounds.ts';
import { spansOf } from './spans.ts';
import type { Span } from './spans.ts';
import { between } from './words.ts';

/** The facts about a task outside its journal. */
export interface Surroundings {
  /** When the report is made: the end of an unfinished task. */
  readonly now: string;
  /** The change as a patch; undefined without a change or its commits. */
  readonly patch: string | undefined;
  /** The refs that keep attempts, by commit. */
  readonly refs: ReadonlyMap<string, string>;
  readonly isChainWhole: boolean;
}

/** The facts of a report before rendering. */
export interface TaskReport extends Surroundings {
  readonly record: LineRecord;
  readonly from: string;
  readonly to: string;
  readonly isOver: boolean;
  readonly spans: readonly Span[];
  readonly halts: readonly HaltTold[];
  readonly rounds: readonly Round[];
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
  surroundings: Surroundings,
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
    spans: spansOf(story, to, before),
    halts: haltsOf(story),
    rounds: roundsOf(story),
    attempts: attemptsOf(story, before),
    cost: costOf(story),
    story,
    undoneBy: story.findLast((entry) => entry.kind === 'undone')?.by,
  };
}

/** Milliseconds halted, and milliseconds waiting for unavailable agents. */
export function waited({ halts, spans, to }: TaskReport): { readonly human: number; readonly agents: number } {
  const human = halts.reduce((sum, { at, choice }) => sum + between(at, choice?.at ?? to), 0);
  const agents = spans.filter(({ kind }) => kind === 'wait').reduce((sum, one) => sum + between(one.from, one.to), 0);
  return { human, agents };
}
