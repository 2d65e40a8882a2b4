import { readDiff } from '../../base/read-diff.ts';

/** `src/a.ts:12`: the first line of the new side at or below a line of a text with a patch; undefined without one. */
export function findDiffPlace(lines: readonly string[], top: number): string | undefined {
  const begin = lines.findIndex((line) => line.startsWith('diff --git '));
  if (begin === -1) return undefined;
  for (const { path, rows } of readDiff(lines.slice(begin).join('\n'))) {
    const found = rows.find(({ kind, row }) => begin + row > top && (kind === 'added' || kind === 'context'));
    if (found?.line !== undefined && path !== '') return `${path}:${found.line}`;
  }
  return undefined;
}
