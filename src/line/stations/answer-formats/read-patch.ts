import { success, type Outcome } from '../../../base/outcome.ts';
import { readDiff, type DiffFile } from '../../../base/read-diff.ts';
import { malformedAnswer, type Block, type Edit, type UnreadableAnswer } from './answer.ts';

/**
 * Parses a unified diff, or a patch between `*** Begin Patch` and `*** End Patch`. Each hunk becomes an exact
 * substitution. Models miscount, so line numbers are ignored, and nothing is applied by guess. `path` is the file of
 * hunks without one.
 */
export function readPatch(
  rows: readonly string[],
  path: string | undefined,
): Outcome<readonly Edit[], UnreadableAnswer> {
  const isCodex = rows.some((row) => row.startsWith('*** Begin Patch'));
  const edits: Edit[] = [];
  for (const file of isCodex ? codexFiles(rows) : unifiedFiles(rows, path)) {
    const edit = readFile(file);
    if (!edit.ok) return edit;
    edits.push(edit.value);
  }
  return edits.length === 0 ? malformedAnswer(NO_NAME) : success(edits);
}

interface PatchedFile {
  readonly path: string;
  change: DiffFile['change'];
  /** Whether more than its text changes. */
  readonly isSpecial: boolean;
  readonly rows: string[];
}

function unifiedFiles(rows: readonly string[], path: string | undefined): readonly PatchedFile[] {
  const isNamed = rows.find((row) => row.trim() !== '')?.startsWith('@@') !== true || path === undefined;
  const named = isNamed ? rows : [`--- a/${path}`, `+++ b/${path}`, ...rows];
  const uncounted = named.map((row) => (row.startsWith('@@') ? '@@' : row));
  return readDiff(uncounted.join('\n')).map(({ rows: all, isBinary, ...file }) => {
    const texts = all.map(({ text }) => text);
    const start = texts.findIndex((text) => /^(?:\+\+\+ |@@)/.test(text));
    const head = start === -1 ? texts : texts.slice(0, start);
    const isSpecial = isBinary || head.some((text) => /^(?:old mode |new mode |new file mode (?!100644))/.test(text));
    return { path: file.path, change: file.change, isSpecial, rows: texts.slice(head.length + 1) };
  });
}

function codexFiles(rows: readonly string[]): readonly PatchedFile[] {
  const files: PatchedFile[] = [];
  for (const row of rows) {
    const [, word, path = ''] = /^\*\*\* (Add|Delete|Update) File: (.*)$/.exec(row) ?? [];
    const file = files.at(-1);
    if (word !== undefined) {
      const change = word === 'Add' ? 'added' : word === 'Delete' ? 'deleted' : 'modified';
      files.push({ path: path.trim(), change, isSpecial: false, rows: [] });
    } else if (row.startsWith('*** Move to: ') && file !== undefined) file.change = 'moved';
    else if (!/^\*\*\* (?:Begin Patch|End Patch|End of File)/.test(row)) file?.rows.push(row);
  }
  return files;
}

const NO_NAME = 'A diff names no file; put `--- a/path` and `+++ b/path` before its hunks.';

function readFile({ path, change, isSpecial, rows }: PatchedFile): Outcome<Edit, UnreadableAnswer> {
  if (path === '') return malformedAnswer(NO_NAME);
  if (change === 'moved' || change === 'copied')
    return malformedAnswer(`The diff moves ${path}; delete the old file and give the new one whole.`);
  if (isSpecial) return malformedAnswer(`The diff changes the mode of ${path} or its bytes; change only text.`);
  if (change === 'deleted') return success({ kind: 'delete', path });
  const hunks = splitHunks(rows);
  const stray = hunks.flat().find((row) => !(change === 'added' ? /^\+/ : /^(?:[-+ ]|$)/).test(row));
  if (stray !== undefined) {
    const signs = change === 'added' ? '`+`' : '`+`, `-` or a space';
    return malformedAnswer(`A line of the diff for ${path} does not begin with ${signs}: ${stray.slice(0, 120)}`);
  }
  const blocks = hunks.map(toBlock).filter(({ search, replace }) => search !== replace);
  if (change === 'added')
    return success({ kind: 'write', path, content: blocks.map(({ replace }) => replace).join(''), isNew: true });
  if (blocks.some(({ search }) => search === ''))
    return malformedAnswer(`A hunk for ${path} has no line of the file; keep lines around what you add.`);
  return blocks.length === 0
    ? malformedAnswer(`The diff for ${path} changes nothing.`)
    : success({ kind: 'replace', path, blocks });
}

/** The lines between hunk headers; lines before the first header are their own group. */
function splitHunks(rows: readonly string[]): readonly (readonly string[])[] {
  const hunks: string[][] = [[]];
  for (const row of rows)
    if (row.startsWith('@@')) hunks.push([]);
    else if (!row.startsWith('\\ ')) hunks.at(-1)?.push(row); // "\ No newline at end of file"
  return hunks.map((hunk) => hunk.slice(0, hunk.findLastIndex((row) => row !== '') + 1));
}

/** An empty row is a context line that lost its space. */
function toBlock(hunk: readonly string[]): Block {
  const pick = (sign: string): string =>
    hunk
      .flatMap((row) => (row === '' || row.startsWith(' ') || row.startsWith(sign) ? [`${row.slice(1)}\n`] : []))
      .join('');
  return { search: pick('-'), replace: pick('+') };
}
