import type { Facts } from '../record/facts.ts';
import type { JudgeReport } from '../record/review.ts';
import { maskText, withoutSecrets } from '../../rules/secrets/mask-secrets.ts';

/** Facts that andon compares or writes back later. Only words in them that no step compares are masked. */
const EXACT = [
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
] as const satisfies readonly (keyof Facts)[];

/** What a station found out, as it may be kept for ever: without secrets. A new fact is masked unless it is named above. */
export function maskFacts(facts: Facts): Facts {
  const { baseRed, change, gates, tampered } = facts;
  return {
    ...maskText(facts),
    ...Object.fromEntries(EXACT.flatMap((key) => (facts[key] === undefined ? [] : [[key, facts[key]]]))),
    ...(baseRed && { baseRed: { ...baseRed, output: withoutSecrets(baseRed.output) } }),
    ...(change && { change: { ...change, notes: withoutSecrets(change.notes) } }),
    ...(gates && {
      gates: { ...gates, results: gates.results.map((one) => ({ ...maskText(one), name: one.name, run: one.run })) },
    }),
    // An edited contract may be admitted as it is; a report is only shown.
    ...(tampered?.file && { tampered: { ...tampered, edited: withoutSecrets(tampered.edited) } }),
  };
}

/** A judge's report without secrets; masked before it is written anywhere, so that its digest is that of what is kept. */
export const maskReport = (report: JudgeReport): JudgeReport => maskText(report);
