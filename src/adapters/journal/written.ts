import { valueIn } from '../../base/json-object.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import { readEntry } from '../../record/read-entry.ts';
import type { Glance, Written } from '../../ports/journal.ts';

/** A row as whoever reads the whole journal gets it: parsed when somebody looks at it, checked when somebody wants it. */
export function written({ seq, task_id: taskId, body }: Row): Written {
  let entry: JournalEntry | undefined;
  let glance: Glance | undefined;
  return {
    seq,
    taskId,
    get entry() {
      return (entry ??= readEntry(seq, body));
    },
    get glance() {
      return (glance ??= headOf(body));
    },
  };
}

interface Row {
  readonly seq: number;
  readonly task_id: string;
  readonly body: string;
}

function headOf(body: string): Glance {
  const { kind, at, to } = Object(valueIn(body)) as Glance;
  return { kind, at, to };
}
