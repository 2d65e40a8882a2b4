import { sentencesOf } from './units.ts';
import type { Sentence } from './units.ts';

/** A plan taken apart, and every concept in it. */
export interface ReadPlan {
  readonly sentences: readonly Sentence[];
  readonly concepts: ReadonlySet<string>;
}

/** Takes a plan apart; the same one is asked about for every rule, so the last is kept. */
export function readPlan(plan: string): ReadPlan {
  if (last?.plan === plan) return last.read;
  const sentences = sentencesOf(plan);
  const concepts = sentences.flatMap(({ units }) =>
    units.flatMap(({ meanings }) => meanings.map(({ concept }) => concept)),
  );
  last = { plan, read: { sentences, concepts: new Set(concepts) } };
  return last.read;
}

let last: { readonly plan: string; readonly read: ReadPlan } | undefined;
