import { findNearestWord } from '../base/nearest-word.ts';
import { foldProtectedEntry, PROTECTED_PATHS, type ProtectedChange } from '../base/protected-paths.ts';

/**
 * The changes to the list of protected files: what a project adds, what its user removes, and removed entries that do
 * not exist.
 */
export function readProtectedChange(
  more: readonly string[],
  less: readonly string[],
): { readonly change: ProtectedChange | undefined; readonly unknown: readonly string[] } {
  const out = new Set(less.map(foldProtectedEntry));
  const known = new Set([...PROTECTED_PATHS, ...more].map(foldProtectedEntry));
  const kept = more.filter((entry) => !out.has(foldProtectedEntry(entry)));
  return {
    change: kept.length === 0 && less.length === 0 ? undefined : { more: kept, less },
    unknown: less.flatMap((entry) => {
      if (ALWAYS.has(foldProtectedEntry(entry))) return [`${entry} is protected always`];
      if (known.has(foldProtectedEntry(entry))) return [];
      const nearest = findNearestWord(entry, [...PROTECTED_PATHS, ...more]);
      return [`the list has no entry ${entry}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`];
    }),
  };
}

const ALWAYS: ReadonlySet<string> = new Set(['.git', '_handoff', '.andon']);
