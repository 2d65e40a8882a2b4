import { pathInPatch } from './git-name.ts';

/** The lines that a unified diff adds, by the file's path and the line's number in the new version. */
export function changedLines(patch: string): ReadonlyMap<string, ReadonlySet<number>> {
  const files = new Map<string, Set<number>>();
  let lines = new Set<number>();
  let at = 0;
  let left = 0; // lines of the new side that the hunk still has
  for (const row of patch.split('\n')) {
    if (left <= 0 && row.startsWith('+++ ')) {
      lines = new Set();
      files.set(pathInPatch(row), lines);
      continue;
    }
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(row);
    if (left <= 0 && hunk !== null) {
      at = Number(hunk[1]);
      left = Number(hunk[2] ?? '1');
      continue;
    }
    if (row.startsWith('+')) lines.add(at);
    if (row.startsWith('+') || row.startsWith(' ')) {
      at += 1;
      left -= 1;
    }
  }
  return files;
}
