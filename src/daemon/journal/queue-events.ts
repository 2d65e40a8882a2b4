import { LINE } from '../../base/names.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import type { QueueMove } from '../../line/order/apply-moves.ts';
import type { SpecPart } from '../../line/order/parts.ts';
import type { Begun } from '../../line/order/turns.ts';
import type { Journal } from '../../ports/journal.ts';

/** What a journal says about the order of what waits. */
export interface QueueEvents {
  /** What became of every task that was ever begun. */
  readonly tasks: ReadonlyMap<string, Begun>;
  /** The specs that they are parts of. */
  readonly parts: ReadonlyMap<string, SpecPart>;
  /** What was put somewhere by hand and has not begun since, oldest first. */
  readonly moves: readonly QueueMove[];
}

/** Reads what became of tasks, and what was put somewhere by hand; later calls read only what was written since. */
export function readQueueEvents(journal: Journal): QueueEvents {
  const index = INDEXES.get(journal) ?? new Index();
  INDEXES.set(journal, index);
  index.catchUp(journal);
  return { tasks: index.tasks, parts: index.parts, moves: index.moves };
}

/** Remembers that a target holds the merge of a task of which this journal knows nothing: another one made it. */
export function noteMergedElsewhere(journal: Journal, taskId: string): void {
  readQueueEvents(journal);
  INDEXES.get(journal)?.tasks.set(taskId, { is: 'merged' });
}

class Index {
  readonly tasks = new Map<string, Begun>();
  readonly parts = new Map<string, SpecPart>();
  moves: readonly QueueMove[] = [];
  private seen = 0;

  catchUp(journal: Journal): void {
    for (const { seq, taskId, entry } of journal.since(this.seen)) {
      this.seen = seq;
      if (taskId !== LINE) this.takeTask(taskId, entry);
      else if (entry.kind === 'ranked') this.takeMove(entry);
    }
  }

  private takeTask(taskId: string, entry: JournalEntry): void {
    if (entry.kind === 'admitted') {
      this.tasks.set(taskId, { is: 'under way' });
      this.parts.delete(taskId);
      if (entry.contract.spec !== undefined) this.parts.set(taskId, entry.contract.spec);
      this.moves = this.moves.filter(({ task }) => task !== taskId);
    }
    if (entry.kind === 'undone') this.tasks.set(taskId, { is: 'undone', commit: entry.commit });
    if (entry.kind !== 'moved') return;
    const { to, facts } = entry;
    if (to === 'merged' || to === 'abandoned') this.tasks.set(taskId, { is: to });
    else if (to !== 'erik_consultation') this.tasks.set(taskId, { is: 'under way' });
    else if (facts.halt !== undefined) this.tasks.set(taskId, { is: 'halted', by: facts.halt.trip.breaker });
  }

  private takeMove({ task, to, before }: JournalEntry & { kind: 'ranked' }): void {
    const others = this.moves.filter((move) => move.task !== task);
    this.moves = to === 'out' ? others : [...others, { task, to, before }];
  }
}

const INDEXES = new WeakMap<Journal, Index>();
