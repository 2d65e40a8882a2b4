import type { LineRecord } from '../../record/line-record.ts';
import { HANDOFF, TERMINAL } from '../../base/names.ts';
import { foldJournal } from '../../line/record.ts';
import type { Journal } from '../../ports/journal.ts';
import { Problem } from '../../base/problem.ts';
import type { Services } from '../wiring/services.ts';

/** The task that was admitted and has not ended; undefined when there is none. */
export function activeTask({ journal }: Pick<Services, 'journal'>): LineRecord | undefined {
  const index = INDEXES.get(journal) ?? new Unfinished(journal);
  INDEXES.set(journal, index);
  const id = index.newest();
  return id === undefined ? undefined : foldJournal(journal.entries(id));
}

/** The Problem of a task that is not on the line; it names the one that is. */
export function unknownTask(services: Pick<Services, 'journal' | 'queue'>, taskId: string): Problem {
  const record = activeTask(services);
  const underWay = record === undefined ? [] : [record.taskId];
  const waiting = services.queue.waiting(underWay).find((one) => one.taskId === taskId)?.name;
  if (waiting !== undefined)
    return new Problem(
      'no-task',
      `${taskId} has not begun: it waits in ${HANDOFF}/${waiting}`,
      `andon queue shows what for; andon queue withdraw ${taskId} takes it out`,
    );
  return new Problem(
    'no-task',
    `no task ${taskId} is on the line`,
    record === undefined ? 'andon list shows every task' : `${record.taskId} is (andon status)`,
  );
}

/** Which tasks have not ended, kept up to date with what the journal says since the last look. */
class Unfinished {
  private readonly journal: Journal;
  private readonly ids = new Set<string>();
  private seen = 0;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  newest(): string | undefined {
    for (const { seq, taskId, entry } of this.journal.since(this.seen)) {
      this.seen = seq;
      if (entry.kind === 'admitted') this.ids.add(taskId);
      if (entry.kind === 'moved' && TERMINAL.includes(entry.to)) this.ids.delete(taskId);
    }
    return [...this.ids].at(-1);
  }
}

const INDEXES = new WeakMap<Journal, Unfinished>();
