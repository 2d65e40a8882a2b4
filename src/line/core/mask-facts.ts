import type { Facts } from '../record/facts.ts';
import type { JudgeReport } from '../record/review.ts';
import { maskText, withoutSecrets } from '../../rules/secrets/mask-secrets.ts';

/** Facts in words: of agents, gates and git. */
const IN_WORDS = [
  'feedback',
  'strike',
  'review',
  'report',
  'panel',
  'panelAgain',
  'rebuttal',
  'fault',
  'judgeUnreadable',
  'mergeBlocked',
  'unavailable',
  'cord',
  'weakeningReport',
] as const satisfies readonly (keyof Facts)[];

/**
 * What a station found out, as it may be kept for ever: without secrets. What andon still has to compare or to write back
 * (the change, a partial answer, a contract) is not touched.
 */
export function maskFacts(facts: Facts): Facts {
  const { tampered, gates, change } = facts;
  return {
    ...facts,
    ...Object.fromEntries(IN_WORDS.flatMap((key) => (facts[key] === undefined ? [] : [[key, maskText(facts[key])]]))),
    ...(tampered && { tampered: { ...tampered, edited: withoutSecrets(tampered.edited) } }),
    ...(gates && {
      gates: { ...gates, results: gates.results.map((one) => ({ ...one, output: withoutSecrets(one.output) })) },
    }),
    ...(change && { change: { ...change, notes: withoutSecrets(change.notes) } }),
  };
}

/** A judge's report without secrets; masked before it is written anywhere, so that its digest is that of what is kept. */
export const maskReport = (report: JudgeReport): JudgeReport => maskText(report);
