import { maskKnownIn } from '../base/known-secrets.ts';
import type { Facts } from './facts.ts';
import type { JournalEntry } from './journal-entry.ts';

/** Fields that a later step compares or writes back byte for byte. */
const EXACT = ['change', 'partial', 'tampered', 'editedDocument'] as const;

/** Masks known secrets, except in fields that must stay exact. */
export function maskKnownFacts(facts: Facts): Facts {
  const exact = Object.fromEntries(EXACT.flatMap((key) => (facts[key] === undefined ? [] : [[key, facts[key]]])));
  return { ...maskKnownIn(facts), ...exact };
}

/** The stored form of an entry. A contract stays verbatim: it is compared with the file. */
export function maskEntry(entry: JournalEntry): JournalEntry {
  if (entry.kind === 'admitted') return entry;
  return entry.kind === 'moved' ? { ...maskKnownIn(entry), facts: maskKnownFacts(entry.facts) } : maskKnownIn(entry);
}
