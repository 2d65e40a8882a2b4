import { maskKnownIn } from '../base/known-secrets.ts';
import type { Facts } from './facts.ts';
import type { JournalEntry } from './journal-entry.ts';

/** What a later step compares with a file or with git, or writes back, byte for byte. */
const EXACT = ['change', 'partial', 'tampered', 'editedDocument'] as const;

/** Facts without known secrets, except in what must stay exact. */
export function maskKnownFacts(facts: Facts): Facts {
  const exact = Object.fromEntries(EXACT.flatMap((key) => (facts[key] === undefined ? [] : [[key, facts[key]]])));
  return { ...maskKnownIn(facts), ...exact };
}

/** An entry as it may be kept for ever. A contract stays as its author wrote it: it is compared with the file. */
export function maskEntry(entry: JournalEntry): JournalEntry {
  if (entry.kind === 'admitted') return entry;
  return entry.kind === 'moved' ? { ...maskKnownIn(entry), facts: maskKnownFacts(entry.facts) } : maskKnownIn(entry);
}
