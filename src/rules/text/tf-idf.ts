import { domainOf } from './concepts.ts';
import type { Unit } from './units.ts';

/** A text as its weighted terms: words by how rare they are, concepts, and the domains that these belong to. */
export interface TermVector {
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Weighs the terms of sentences by tf-idf over the shipped reference, so that a vector depends on its own text alone. */
export function vectorOf(sentences: readonly (readonly Unit[])[]): TermVector {
  const counts = new Map<string, { count: number; rarity: number }>();
  for (const units of sentences)
    for (const unit of units)
      for (const [term, rarity] of termsIn(unit))
        counts.set(term, { count: (counts.get(term)?.count ?? 0) + 1, rarity });
  const weights = new Map([...counts].map(([term, { count, rarity }]) => [term, (1 + Math.log(count)) * rarity]));
  return { weights, length: Math.hypot(...weights.values()) };
}

/** How near two texts are, 0 to 1, and which terms they share, heaviest first. */
export function compare(
  one: TermVector,
  other: TermVector,
): { score: number; terms: readonly { term: string; weight: number }[] } {
  if (one.length === 0 || other.length === 0) return { score: 0, terms: [] };
  const [small, large] = one.weights.size < other.weights.size ? [one, other] : [other, one];
  const terms: { term: string; weight: number }[] = [];
  let score = 0;
  for (const [term, weight] of small.weights) {
    const product = (weight * (large.weights.get(term) ?? 0)) / (one.length * other.length);
    if (product === 0) continue;
    score += product;
    terms.push({ term: term.replace(/^=/, ''), weight: Math.round(product * 1000) / 1000 });
  }
  return { score: Math.min(1, score), terms: terms.toSorted((a, b) => b.weight - a.weight) };
}

const RARITY_OF_CONCEPT = 6;
const RARITY_OF_DOMAIN = 6;

/** The terms of a unit; a concept stands for itself and, so that near ones meet, for its domain. */
function termsIn({ meanings, weight }: Unit): readonly (readonly [term: string, rarity: number])[] {
  return meanings.flatMap(({ concept, sign }) => {
    const term = sign === 1 ? concept : `against ${concept}`;
    if (concept.startsWith('=')) return [[concept, weight * 8]];
    if (weight < 1) return [[term, weight * RARITY_OF_CONCEPT]];
    return [
      [term, weight * RARITY_OF_CONCEPT],
      [`${domainOf(concept)} (domain)`, weight * RARITY_OF_DOMAIN],
    ];
  });
}
