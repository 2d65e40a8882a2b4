import type { LineRecord } from '../../record/line-record.ts';
import { HANDOFF, TERMINAL } from '../../base/names.ts';
import { foldJournal } from '../../line/record.ts';
import type { Journal } from '../../ports/journal.ts';
import { Problem } from '../../base/problem.ts';
import type { Services } from '../../wiring/services.ts';

type Known = Pick<Services, 'journal'>;

/** The task that was admitted, has not ended and is not parked: it runs, or holds the line; undefined when there is none. */
export function findActiveTask({ journal }: Known): LineRecord | undefined {
  const id = indexOf(journal).inPlace();
  return id === undefined ? undefined : foldJournal(journal.entries(id));
}

/** Every task that was put aside and not taken up again, in the order in which they were: halted, or answered. */
export const listParkedTasks = ({ journal }: Known): readonly LineRecord[] =>
  recordsOf(journal, indexOf(journal).parked());

/** Every task that has not ended: the parked ones, then the one in the place. */
export const openTasks = ({ journal }: Known): readonly LineRecord[] => recordsOf(journal, indexOf(journal).open());

/** The ids of the parked ones; it costs no look at their stories. */
export const listParkedIds = ({ journal }: Known): readonly string[] => indexOf(journal).parked();

/** One of them, by its id; a Problem that names the others where it is none. */
export function openTask(services: Pick<Services, 'journal' | 'queue'>, taskId: string): LineRecord {
  const found = openTasks(services).find((one) => one.taskId === taskId);
  if (found === undefined) throw unknownTask(services, taskId);
  return found;
}

function unknownTask(services: Pick<Services, 'journal' | 'queue'>, taskId: string): Problem {
  const active = findActiveTask(services);
  const underWay = active === undefined ? [] : [active.taskId];
  const waiting = services.queue.waiting(underWay).find((one) => one.taskId === taskId)?.name;
  if (waiting !== undefined)
    return new Problem(
      'no-task',
      `${taskId} has not begun: it waits in ${HANDOFF}/${waiting}`,
      `andon queue shows what for; andon queue withdraw ${taskId} takes it out`,
    );
  const names = openTasks(services).map((one) => one.taskId);
  return new Problem(
    'no-task',
    `no task ${taskId} is on the line`,
    names.length === 0
      ? 'andon list shows every task'
      : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} (andon status)`,
  );
}

const recordsOf = (journal: Journal, ids: readonly string[]): readonly LineRecord[] =>
  ids.flatMap((id) => foldJournal(journal.entries(id)) ?? []);

function indexOf(journal: Journal): Unfinished {
  const index = INDEXES.get(journal) ?? new Unfinished(journal);
  INDEXES.set(journal, index);
  index.read();
  return index;
}

/** Which tasks have not ended, and which of them are parked; kept up to date with what the journal says since the last look. */
class Unfinished {
  private readonly journal: Journal;
  private readonly ids = new Set<string>();
  private readonly aside = new Set<string>();
  private seen = 0;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  read(): void {
    for (const { seq, taskId, entry } of this.journal.since(this.seen)) {
      this.seen = seq;
      if (entry.kind === 'admitted') this.ids.add(taskId);
      if (entry.kind === 'parked') this.aside.add(taskId);
      const hasEnded = entry.kind === 'moved' && TERMINAL.includes(entry.to);
      if (hasEnded || entry.kind === 'taken_up') this.aside.delete(taskId);
      if (hasEnded) this.ids.delete(taskId);
    }
  }

  inPlace(): string | undefined {
    return [...this.ids].findLast((id) => !this.aside.has(id));
  }

  parked(): readonly string[] {
    return [...this.aside];
  }

  open(): readonly string[] {
    return [...this.aside, ...[...this.ids].filter((id) => !this.aside.has(id))];
  }
}

const INDEXES = new WeakMap<Journal, Unfinished>();
