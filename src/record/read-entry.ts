import { journalEntrySchema } from './journal-entry.ts';
import type { JournalEntry } from './journal-entry.ts';
import { ofToday } from './older-entries.ts';
import { inOneTerminalLine } from '../base/plain-text.ts';

/**
 * One entry as its row holds it. What cannot be read (a newer andon wrote it, or an older one a figure that was none) is
 * an entry too, which says so: its task halts over it, and nothing else does.
 */
export function readEntry(seq: number, body: string): JournalEntry {
  let found: unknown;
  try {
    found = JSON.parse(body);
  } catch {
    return { kind: 'unreadable', at: '', seq, why: 'it is no JSON' };
  }
  const read = journalEntrySchema().safeParse(ofToday(found));
  if (read.success) return read.data;
  const { kind, at } = Object(found) as { readonly kind?: unknown; readonly at?: unknown };
  const named = inOneTerminalLine(String(kind), 40);
  const [issue] = read.error.issues;
  return { kind: 'unreadable', at: typeof at === 'string' ? at : '', seq, why: `${named}: ${inWords(issue)}` };
}

/** Why an entry could not be read again once it is written; undefined when it can be. */
export function whyUnwritable(entry: JournalEntry): string | undefined {
  try {
    const read = journalEntrySchema().safeParse(JSON.parse(JSON.stringify(entry)));
    return read.success ? undefined : inWords(read.error.issues[0]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error); // too long for any text, or no data at all
  }
}

const inWords = (issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string =>
  inOneTerminalLine(`${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`.replace(/^: /, ''), 200);
