import type { Unit } from './units.ts';

/** A text as its weighted terms: words by how rare they are, concepts, and the domains of these. */
export interface TermVector {
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Weighs the terms of sentences by tf-idf over the shipped rarities, so that a vector depends on its own text alone. */
export function vectorOf(sentences: readonly (readonly Unit[])[]): TermVector {
  const counts = new Map<string, { count: number; rarity: number }>();
  for (const [term, rarity] of sentences.flat().flatMap(termsIn))
    counts.set(term, { count: (counts.get(term)?.count ?? 0) + 1, rarity });
  const weights = new Map([...counts].map(([term, { count, rarity }]) => [term, (1 + Math.log(count)) * rarity]));
  return { weights, length: Math.hypot(...weights.values()) };
}

/** The cosine of two texts, 0 to 1, and the terms that they share, heaviest first. */
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

/** The terms of a unit; a concept counts for its domain too, so that near ones meet. */
const termsIn = ({ meanings, weight }: Unit): readonly (readonly [term: string, rarity: number])[] =>
  meanings.flatMap(({ concept, sign }) => {
    if (concept.startsWith('=')) return [[concept, weight * 8] as const];
    const term = sign === 1 ? concept : `against ${concept}`;
    const rarity = weight * RARITY_OF_CONCEPT;
    return [[term, rarity] as const, [`${concept.split('.')[0] ?? ''} (domain)`, rarity * weight] as const];
  });

const RARITY_OF_CONCEPT = 6;
