import { readPatchPath } from '../../../base/git-name.ts';
import { success, type Outcome } from '../../../base/outcome.ts';
import { malformedAnswer, type Block, type Edit, type UnreadableAnswer } from './answer.ts';

/** Whether lines begin as a diff or as a codex patch. */
export const isPatchText = (rows: readonly string[]): boolean => {
  const [first = '', second = ''] = rows.filter((row) => row.trim() !== '');
  return (
    /^(?:\*\*\* Begin Patch|diff --git |@@ )/.test(first) || (first.startsWith('--- ') && second.startsWith('+++ '))
  );
};

/**
 * Parses a unified diff, or a patch between `*** Begin Patch` and `*** End Patch`. Each hunk becomes an exact
 * substitution; line numbers are ignored, so nothing is applied by guess. `path` is the file of hunks without one.
 */
export function readPatch(
  rows: readonly string[],
  path: string | undefined,
): Outcome<readonly Edit[], UnreadableAnswer> {
  const files = rows.some((row) => row.startsWith('*** Begin Patch')) ? codexFiles(rows) : unifiedFiles(rows, path);
  const edits: Edit[] = [];
  for (const file of files) {
    if (file.path === '')
      return malformedAnswer('A diff names no file; put `--- a/path` and `+++ b/path` before its hunks.');
    if (file.isMoved)
      return malformedAnswer(`The diff moves ${file.path}; delete the old file and give the new one whole.`);
    if (file.kind === 'delete') edits.push({ kind: 'delete', path: file.path });
    else if (file.kind === 'add') edits.push({ kind: 'write', path: file.path, content: joined(file.rows, '+') });
    else {
      const hunks = hunksOf(file.rows);
      const blocks = hunks.map(blockOf).filter(({ search, replace }) => search !== replace);
      if (blocks.some(({ search }) => search === ''))
        return malformedAnswer(`A hunk for ${file.path} has no line of the file; keep lines around what you add.`);
      if (blocks.length === 0) return malformedAnswer(`The diff for ${file.path} changes nothing.`);
      edits.push({ kind: 'replace', path: file.path, blocks });
    }
  }
  return edits.length === 0 ? malformedAnswer('The diff holds no change.') : success(edits);
}

interface PatchedFile {
  path: string;
  kind: 'add' | 'delete' | 'update';
  isMoved: boolean;
  readonly rows: string[];
}

function unifiedFiles(rows: readonly string[], path: string | undefined): readonly PatchedFile[] {
  const files: PatchedFile[] = [];
  const begin = (named: string): PatchedFile => {
    const file: PatchedFile = { path: named, kind: 'update', isMoved: false, rows: [] };
    files.push(file);
    return file;
  };
  let file: PatchedFile | undefined;
  for (let at = 0; at < rows.length; at += 1) {
    const [row = '', next = ''] = [rows[at], rows[at + 1]];
    if (row.startsWith('diff --git ')) file = undefined;
    else if (row.startsWith('--- ') && next.startsWith('+++ ')) {
      const [old, fresh] = [pathOf(row), pathOf(next)];
      file = begin(fresh === NOWHERE ? old : fresh);
      file.kind = old === NOWHERE ? 'add' : fresh === NOWHERE ? 'delete' : 'update';
      file.isMoved = file.kind === 'update' && old !== fresh;
      at += 1;
    } else if (file !== undefined || row.startsWith('@@')) (file ??= begin(path ?? '')).rows.push(row);
  }
  return files;
}

const NOWHERE = '/dev/null';
const pathOf = (row: string): string => readPatchPath(row.split('\t')[0] ?? row).trim();

function codexFiles(rows: readonly string[]): readonly PatchedFile[] {
  const files: PatchedFile[] = [];
  for (const row of rows) {
    const [, word, named = ''] = /^\*\*\* (Add|Delete|Update) File: (.*)$/.exec(row) ?? [];
    const file = files.at(-1);
    if (word !== undefined) {
      const kind = word === 'Add' ? 'add' : word === 'Delete' ? 'delete' : 'update';
      files.push({ path: named.trim(), kind, isMoved: false, rows: [] });
    } else if (row.startsWith('*** Move to: ') && file !== undefined) file.isMoved = true;
    else if (!/^\*\*\* (?:Begin Patch|End Patch|End of File)/.test(row)) file?.rows.push(row);
  }
  return files;
}

/** The lines between hunk headers; lines before the first header are their own group. */
function hunksOf(rows: readonly string[]): readonly (readonly string[])[] {
  const hunks: string[][] = [[]];
  for (const row of rows)
    if (row.startsWith('@@')) hunks.push([]);
    else hunks.at(-1)?.push(row);
  return hunks.map(withoutEnd).filter((hunk) => hunk.length > 0);
}

/** Drops empty lines between hunks. */
function withoutEnd(rows: readonly string[]): readonly string[] {
  let end = rows.length;
  while (end > 0 && rows[end - 1] === '') end -= 1;
  return rows.slice(0, end).filter((row) => !row.startsWith('\\ ')); // "No newline at end of file"
}

/** An empty line is a context line that lost its space. */
function blockOf(hunk: readonly string[]): Block {
  const kept = (row: string): boolean => row === '' || row.startsWith(' ');
  const lines = (mark: string): string =>
    hunk.flatMap((row) => (kept(row) || row.startsWith(mark) ? [`${row.slice(1)}\n`] : [])).join('');
  return { search: lines('-'), replace: lines('+') };
}

const joined = (rows: readonly string[], mark: string): string =>
  rows.flatMap((row) => (row.startsWith(mark) ? [`${row.slice(1)}\n`] : [])).join('');
