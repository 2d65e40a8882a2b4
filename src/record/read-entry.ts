import { journalEntrySchema, type JournalEntry } from './journal-entry.ts';
import { upgradeEntry } from './older-entries.ts';
import { toTerminalLine } from '../base/plain-text.ts';

/** Parses one journal row. An unreadable row becomes an entry that says so: it halts its own task and nothing else. */
export function readEntry(seq: number, body: string): JournalEntry {
  let found: unknown;
  try {
    found = JSON.parse(body);
  } catch {
    return { kind: 'unreadable', at: '', seq, why: 'it is no JSON' };
  }
  const read = journalEntrySchema().safeParse(upgradeEntry(found));
  if (read.success) return read.data;
  const { kind, at } = Object(found) as { readonly kind?: unknown; readonly at?: unknown };
  const named = toTerminalLine(String(kind), 40);
  const [issue] = read.error.issues;
  return { kind: 'unreadable', at: typeof at === 'string' ? at : '', seq, why: `${named}: ${inWords(issue)}` };
}

/** Why an entry could not be read back once written; undefined when it can. */
export function findWriteFault(entry: JournalEntry): string | undefined {
  try {
    const read = journalEntrySchema().safeParse(JSON.parse(JSON.stringify(entry)));
    return read.success ? undefined : inWords(read.error.issues[0]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error); // too long for a string, or not serialisable
  }
}

const inWords = (issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string =>
  toTerminalLine(`${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`.replace(/^: /, ''), 200);
