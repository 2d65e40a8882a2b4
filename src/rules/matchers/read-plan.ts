import { sentencesOf, type PlanSentence } from '../text/units.ts';

/** A plan by its sentences, and every concept in it. */
export interface ReadPlan {
  readonly sentences: readonly PlanSentence[];
  readonly concepts: ReadonlySet<string>;
}

/** Reads a plan; every rule asks for the same one, so the last is kept. */
export function readPlan(plan: string): ReadPlan {
  if (last?.plan === plan) return last.read;
  const sentences = sentencesOf(plan);
  const units = sentences.flatMap((sentence) => sentence.units);
  const concepts = new Set(units.flatMap(({ meanings }) => meanings.map(({ concept }) => concept)));
  last = { plan, read: { sentences, concepts } };
  return last.read;
}

let last: { readonly plan: string; readonly read: ReadPlan } | undefined;

/** Whether the letters of a text are mostly Latin ones: the grammar of no other script is known. */
export function isReadable(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const foreign = text.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0;
  return foreign <= letters * MOST_FOREIGN;
}

const MOST_FOREIGN = 0.1;
