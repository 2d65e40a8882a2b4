import { readDiff, type DiffRow } from '../../base/read-diff.ts';
import type { HistoryPiece } from '../model/inspection.ts';

/** Lines that one commit added to a file and that the net difference of its range does not show. */
export type HiddenLines = Pick<HistoryPiece, 'commit' | 'path' | 'added'>;

/** A file that git shows no text of, as one commit left it. */
export interface HiddenBytes extends Pick<HistoryPiece, 'commit' | 'path'> {
  readonly oid: string;
}

/**
 * Finds what the commits of a range brought that a later one of them took away again, in
 * `git log -p --cc -U0 --full-index --format='commit %H'`, oldest first. Of a merge only those lines count that it
 * has from none of its parents; `isKnown` says which lines need no look because the net difference shows them.
 */
export function readPatchHistory(text: string, isKnown: (line: string) => boolean) {
  const lines: HiddenLines[] = [];
  const bytes: HiddenBytes[] = [];
  const removed: { readonly commit: string; readonly text: string }[] = [];
  const [, ...parts] = text.split(/^commit ([0-9a-f]{40,64})$/m);
  for (let at = 0; at < parts.length; at += 2) {
    const commit = parts[at] ?? '';
    for (const { path, isBinary, rows } of readDiff(parts[at + 1] ?? '')) {
      const oid = isBinary ? newObjectId(rows) : undefined;
      if (oid !== undefined) bytes.push({ commit, path, oid });
      for (const row of rows) if (row.kind === 'removed') removed.push({ commit, text: row.text });
      for (const added of runsOf(rows))
        if (added.some((line) => !isKnown(line.text))) lines.push({ commit, path, added });
    }
  }
  const wanted = new Set(lines.flatMap(({ added }) => added.map((line) => line.text)));
  const takenBy = new Map(removed.filter((line) => wanted.has(line.text)).map((line) => [line.text, line.commit]));
  return {
    lines,
    bytes,
    /** The last commit that took a line away, by its text. */
    takenBy,
  };
}

/** The id of the new object in a file's `index` header; undefined where the file is gone. */
function newObjectId(rows: readonly DiffRow[]): string | undefined {
  const ids = rows.flatMap(({ text }) => /^index [0-9a-f,]+\.\.([0-9a-f]+)/.exec(text)?.[1] ?? []);
  return ids.find((oid) => !/^0*$/.test(oid));
}

/** Adjacent added lines. They are kept together, because a secret may span lines. */
function runsOf(rows: readonly DiffRow[]): readonly HiddenLines['added'][] {
  const runs: { line: number; text: string }[][] = [];
  let last: DiffRow | undefined;
  for (const row of rows) {
    const { kind, line, text } = row;
    if (kind === 'added' && line !== undefined) {
      const run = last?.kind === 'added' ? runs.at(-1) : undefined;
      if (run === undefined) runs.push([{ line, text }]);
      else run.push({ line, text });
    }
    last = row;
  }
  return runs;
}
