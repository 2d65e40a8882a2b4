import type { Facts } from '../record/facts.ts';
import { mapTexts } from '../../base/map-texts.ts';
import { maskKnown } from '../../base/known-secrets.ts';
import type { JournalEntry } from '../record/journal-entry.ts';
import { maskKnownFacts } from '../record/read-entry.ts';
import type { JudgeReport } from '../record/review.ts';
import { maskText, withoutSecrets } from '../../rules/secrets/mask-secrets.ts';

/** Facts that andon compares or writes back later. Only words in them that no step compares are masked. */
const EXACT: ReadonlySet<string> = new Set([
  'baseRed',
  'change',
  'choice',
  'consents',
  'editedDocument',
  'gates',
  'halt',
  'merge',
  'partial',
  'protectedRefused',
  'rulings',
  'scopeRefused',
  'takeover',
  'tampered',
  'targetMoved',
] satisfies readonly (keyof Facts)[]);

/** What a station found out, as it may be kept for ever: without secrets. A new fact is masked unless it is named above. */
export function maskFacts(facts: Facts): Facts {
  const { baseRed, change, gates, tampered } = facts;
  const masked = Object.entries(facts).map(([key, fact]) => [key, EXACT.has(key) ? fact : maskText(fact)]);
  return maskKnownFacts({
    ...(Object.fromEntries(masked) as Facts),
    ...(baseRed && { baseRed: { ...baseRed, output: withoutSecrets(baseRed.output) } }),
    ...(change && { change: { ...change, notes: withoutSecrets(change.notes) } }),
    ...(gates && {
      gates: { ...gates, results: gates.results.map((one) => ({ ...maskText(one), name: one.name, run: one.run })) },
    }),
    // An edited contract may be admitted as it is; a report is only shown.
    ...(tampered?.file && { tampered: { ...tampered, edited: withoutSecrets(tampered.edited) } }),
  });
}

/** Every entry but a contract and a transition. */
export type NotedEntry = Exclude<JournalEntry, { readonly kind: 'admitted' | 'moved' }>;

/** An entry without secrets, except for what is compared with git or with an answer. */
export function maskEntry(entry: NotedEntry): JournalEntry {
  if (entry.kind === 'merging') return entry; // its refs are compared with git
  const masked = mapTexts(entry, maskWords);
  // The paths of what an agent was shown are compared with its answer.
  return masked.kind === 'started' && entry.kind === 'started' ? { ...masked, context: entry.context } : masked;
}

/** Short words, digests and times hold no secret; they are most texts of an entry. */
const maskWords = (text: string): string => (HARMLESS.test(text) ? maskKnown(text) : withoutSecrets(text));
const HARMLESS = /^(?:.{0,15}|[0-9a-f]{40}|[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

/** A judge's report without secrets; masked before it is written anywhere, so that its digest is that of what is kept. */
export const maskReport = (report: JudgeReport): JudgeReport => maskText(report);
