import { findNearestWord } from '../base/nearest-word.ts';
import { createUsageError } from '../base/problem.ts';
import type { Drill } from './drill.ts';
import { allDrills } from './all-drills.ts';

/** The argument for every drill: `andon drill all`. */
const ALL = 'all';

/** The named drills, in list order; throws a Problem with the nearest names for unknown ones. */
export function chooseDrills(names: readonly string[]): readonly Drill[] {
  const drills = allDrills();
  const known = drills.map(({ name }) => name);
  const unknown = names.filter((name) => ![...known, ALL].some((one) => isSame(one, name)));
  if (unknown.length > 0) {
    const nearest = [...new Set(unknown.flatMap((name) => findNearestWord(spelt(name), known) ?? []))];
    throw createUsageError(
      `Unknown drill: ${unknown.map((name) => name.slice(0, 80)).join(', ')}.${nearest.length === 0 ? '' : ` The nearest is ${nearest.join(', ')}.`}`,
      'Run `andon drill` to see all drills.',
    );
  }
  return names.some((name) => isSame(name, ALL))
    ? drills
    : drills.filter((drill) => names.some((name) => isSame(drill.name, name)));
}

const isSame = (one: string, other: string): boolean => spelt(one) === spelt(other);

/** Accepts dashes for the underscores of breakers. */
const spelt = (name: string): string => name.toLowerCase().replaceAll('-', '_');
