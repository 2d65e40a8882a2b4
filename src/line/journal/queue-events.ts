import { LINE } from '../../base/names.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import type { QueueMove, Begun } from '../order/queued-turn.ts';
import type { SpecPart } from '../order/find-earlier-parts.ts';
import type { Journal } from './journal.ts';

/** The state of tasks and queue by the journal. */
export interface QueueEvents {
  /** The state of every task that was ever begun. */
  readonly tasks: ReadonlyMap<string, Begun>;
  /** The specs whose parts they are. */
  readonly parts: ReadonlyMap<string, SpecPart>;
  /** Moves by hand of tasks that have not begun since, oldest first. */
  readonly moves: readonly QueueMove[];
  /** Tasks that have not ended, in the order of their admission. */
  readonly unfinished: ReadonlySet<string>;
  /** Those of them that are parked, in the order of their parking. */
  readonly parked: ReadonlySet<string>;
}

/** Reads the journal; later calls read only newer entries. */
export function readQueueEvents(journal: Journal): QueueEvents {
  const index = INDEXES.get(journal) ?? new Index();
  INDEXES.set(journal, index);
  index.catchUp(journal);
  return index;
}

class Index implements QueueEvents {
  readonly tasks = new Map<string, Begun>();
  readonly parts = new Map<string, SpecPart>();
  moves: readonly QueueMove[] = [];
  readonly unfinished = new Set<string>();
  readonly parked = new Set<string>();
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
      this.unfinished.add(taskId);
      this.tasks.set(taskId, { is: 'under way' });
      this.parts.delete(taskId);
      if (entry.contract.spec !== undefined) this.parts.set(taskId, entry.contract.spec);
      this.moves = this.moves.filter(({ task }) => task !== taskId);
    }
    if (entry.kind === 'parked') this.parked.add(taskId);
    if (entry.kind === 'taken_up') this.parked.delete(taskId);
    if (entry.kind === 'undone') this.tasks.set(taskId, { is: 'undone', commit: entry.commit });
    if (entry.kind !== 'moved') return;
    const { to, facts } = entry;
    if (to === 'merged' || to === 'abandoned') {
      this.tasks.set(taskId, { is: to });
      this.unfinished.delete(taskId);
      this.parked.delete(taskId);
    } else if (to !== 'erik_consultation') this.tasks.set(taskId, { is: 'under way' });
    else if (facts.halt !== undefined) this.tasks.set(taskId, { is: 'halted', by: facts.halt.trip.breaker });
  }

  private takeMove({ task, to, before }: JournalEntry & { kind: 'ranked' }): void {
    const others = this.moves.filter((move) => move.task !== task);
    this.moves = to === 'out' ? others : [...others, { task, to, before }];
  }
}

const INDEXES = new WeakMap<Journal, Index>();
