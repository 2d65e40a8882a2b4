import { foldEntry } from '../../line/record.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { maskEntry } from '../../record/read-entry.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import type { Needs } from '../../wiring/services.ts';

/** Notes a person's sentence for the agents of an open task; the prompt of each later step has it. */
export function sayToAgents(
  services: Needs<'journal' | 'clock' | 'say'>,
  record: LineRecord,
  { text, by }: { readonly text: string; readonly by: string },
): LineRecord {
  const entry = maskEntry({ kind: 'said', at: services.clock.now(), by, text: withoutSecrets(text) });
  services.journal.append(record.taskId, [entry]);
  const after = foldEntry(record, entry) ?? record;
  services.say({ kind: 'entry', entry, record: after });
  return after;
}
