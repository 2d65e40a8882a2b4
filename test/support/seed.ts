import { createHash } from 'node:crypto';

/** What chance in a test begins with: the same seed gives the same run. `ANDON_SEED=…` names another one. */
export const SEED = Number(process.env['ANDON_SEED'] ?? 1);

/** Only points whose name holds this text are tried: one violation is repeated by its own words. */
const ONLY = process.env['ANDON_ONLY'] ?? '';

/** Numbers between 0 and 1 that are the same for the same seed and the same name. */
export function chanceOf(name: string, seed = SEED): () => number {
  let state = rankOf(name, seed);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * At most so many of these, in their order. The seed and each point's own name decide, not its place in the list: a run in
 * which andon did a little more or less tries the same moments.
 */
export function chosen<Point>(
  points: readonly Point[],
  most: number,
  nameOf: (point: Point) => string,
): readonly Point[] {
  const named = points.map((point, at) => ({ point, at, name: nameOf(point) }));
  const wanted = named.filter(({ name }) => name.includes(ONLY));
  if (wanted.length <= most) return wanted.map(({ point }) => point);
  return wanted
    .map((one) => ({ ...one, rank: rankOf(one.name, SEED) }))
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, most)
    .toSorted((a, b) => a.at - b.at)
    .map(({ point }) => point);
}

/** How a run is done again, as its output says. */
export const again = (file: string): string => `seed ${SEED}; again: ANDON_SEED=${SEED} npm run test:crash -- ${file}`;

const rankOf = (name: string, seed: number): number =>
  createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE();
