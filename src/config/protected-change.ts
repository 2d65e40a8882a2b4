import { nearestWord } from '../base/nearest-word.ts';
import { foldEntry, PROTECTED_PATHS } from '../base/protected-paths.ts';
import type { ProtectedChange } from '../base/protected-paths.ts';

/**
 * The changes to the list of protected files: what a project adds, what its user removes, and removed entries that do
 * not exist.
 */
export function changeOfProtected(
  more: readonly string[],
  less: readonly string[],
): { readonly change: ProtectedChange | undefined; readonly unknown: readonly string[] } {
  const out = new Set(less.map(foldEntry));
  const known = new Set([...PROTECTED_PATHS, ...more].map(foldEntry));
  const kept = more.filter((entry) => !out.has(foldEntry(entry)));
  return {
    change: kept.length === 0 && less.length === 0 ? undefined : { more: kept, less },
    unknown: less.flatMap((entry) => {
      if (ALWAYS.has(foldEntry(entry))) return [`${entry} is protected always`];
      if (known.has(foldEntry(entry))) return [];
      const nearest = nearestWord(entry, [...PROTECTED_PATHS, ...more]);
      return [`the list has no entry ${entry}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`];
    }),
  };
}

const ALWAYS: ReadonlySet<string> = new Set(['.git', '_handoff', '.andon']);
