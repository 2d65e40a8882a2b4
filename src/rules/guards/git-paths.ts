import { readDiff, unquoteGitName } from '../../base/read-diff.ts';

/** A file in output of git; `from` is its name before a move. */
export interface GitPath {
  readonly path: string;
  readonly from?: string | undefined;
}

/**
 * The files in output of git: `diff --name-only`, `--name-status`, `status --porcelain`, or a patch. Quoted names are
 * unquoted, a move is one file, untracked files count.
 */
export function gitPaths(output: string): readonly GitPath[] {
  const rows = output.split('\n').map((row) => row.replace(/\r$/, ''));
  const isPatch = rows.some((row) => row.startsWith('diff --git '));
  const found = isPatch ? readDiff(output).map(({ path, from }) => ({ path, from })) : rows.flatMap(fromRow);
  return [...new Map(found.map((one) => [one.path, one])).values()];
}

function fromRow(row: string): readonly GitPath[] {
  if (row.trim() === '' || /^(?:##|!! |commit |warning:|hint:|fatal:)/.test(row)) return [];
  const [, from, to] =
    /^[RC]\d*\t([^\t]+)\t([^\t]+)$/.exec(row) ??
    /^[RC][ MD] ("(?:[^"\\]|\\.)*"|.+?) -> ("(?:[^"\\]|\\.)*"|.+)$/.exec(row) ??
    [];
  if (from !== undefined && to !== undefined) return [{ path: unquoteGitName(to), from: unquoteGitName(from) }];
  const path = /^(?:[ACDMTUXB]\d*\t|[ MTADRCU?][ MTADRCU?] )(.+)$/.exec(row)?.[1] ?? row.trim();
  return [{ path: unquoteGitName(path) }];
}
