import { pathInPatch } from './git-name.ts';

/** A line that a change adds or removes. */
export interface PatchLine {
  /** The file; of one that moved, by both its names. */
  readonly paths: readonly string[];
  readonly side: 'added' | 'removed';
  /** Its number in the new file, or in the old one where it was removed. */
  readonly line: number;
  /** Its number in the diff itself. */
  readonly at: number;
  readonly text: string;
}

/** What a unified diff of git changes: its added and removed lines, and what its headers say of files. */
export function patchLines(patch: string): {
  readonly lines: readonly PatchLine[];
  readonly headers: readonly string[];
} {
  const lines: PatchLine[] = [];
  const headers: string[] = [];
  let paths: readonly string[] = [];
  let [oldAt, newAt, oldLeft, newLeft] = [0, 0, 0, 0];
  for (const [index, raw] of patch.split('\n').entries()) {
    const row = raw.replace(/\r$/, '');
    if (oldLeft <= 0 && newLeft <= 0) {
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(row);
      if (hunk !== null)
        [oldAt, oldLeft, newAt, newLeft] = [hunk[1], hunk[2] ?? '1', hunk[3], hunk[4] ?? '1'].map(Number) as [
          number,
          number,
          number,
          number,
        ];
      else if (row.startsWith('--- ')) paths = [pathInPatch(row)];
      else if (row.startsWith('+++ '))
        paths = [...new Set([...paths, pathInPatch(row)])].filter((path) => path !== NOWHERE);
      else if (row !== '' && !row.startsWith('\\')) headers.push(row);
      continue;
    }
    const [mark, text] = [row[0], row.slice(1)];
    const at = index + 1;
    if (mark === '+') lines.push({ paths, side: 'added', line: newAt, at, text });
    if (mark === '-') lines.push({ paths, side: 'removed', line: oldAt, at, text });
    if (mark === '\\') continue;
    if (mark !== '-') [newAt, newLeft] = [newAt + 1, newLeft - 1];
    if (mark !== '+') [oldAt, oldLeft] = [oldAt + 1, oldLeft - 1];
  }
  return { lines, headers };
}

const NOWHERE = '/dev/null';
