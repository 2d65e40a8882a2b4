import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { readDiff, type DiffFile } from '../../base/read-diff.ts';
import type { SubjectFile } from '../model/inspection.ts';

/** The files of a unified diff with their new lines. Refuses a diff that is not understood whole, so that every line is checked. */
export function readUnifiedDiff(text: string): Outcome<readonly SubjectFile[], string> {
  if (text.trim() === '') return success([]);
  if (/^(?:diff --(?:cc|combined) |@@@)/m.test(text))
    return failure('it is a combined diff of a merge; make it against one parent (git diff <base>...HEAD)');
  const files = readDiff(text);
  if (files.length === 0) return failure('it holds no file header (--- and +++, or diff --git)');
  for (const file of files) {
    const fault = faultOf(file);
    if (fault !== undefined) return failure(fault);
  }
  return success(files.map(toSubject));
}

/** Parses the files of a diff from outside; returns the reason if it is invalid or names a path outside the repository. */
export function readOutsideDiff(text: string): Outcome<readonly SubjectFile[], string> {
  const read = readUnifiedDiff(text);
  if (!read.ok) return read;
  const out = read.value.flatMap(({ path, from = path }) => [path, from]).find((path) => LEAVES.test(path));
  if (out === undefined) return success(read.value);
  const line = text.split('\n').findIndex((one) => one.includes(out)) + 1;
  const where = line === 0 ? '' : `line ${line} `;
  return failure(`${where}names ${toTerminalLine(out, 120)}, which leads out of the repository`);
}

/** Absolute, or by way of a folder above; git writes no such path. */
const LEAVES = /^(?:[/\\]|[A-Za-z]:[/\\])|(?:^|[/\\])\.\.(?:[/\\]|$)/;

function faultOf({ path, rows, isCut }: DiffFile): string | undefined {
  if (path === '') return 'it has a part that names no file; make it with git diff';
  const [first] = rows;
  const headers = rows.filter(({ kind }) => kind === 'header').map(({ text }) => text);
  if (isCut) return `the diff of ${path} from row ${first?.row ?? 1} on has a hunk that is shorter than its head says`;
  if (headers.some((header, at) => header.startsWith('+') && !isName(headers, at)))
    return 'it holds added lines that belong to no hunk (@@ … @@)';
  const hasHunk = rows.some(({ kind }) => kind === 'hunk');
  return hasHunk || isWhole(headers)
    ? undefined
    : 'it has a file header with no hunk (@@ … @@) after it: it was cut off';
}

const isName = (headers: readonly string[], at: number): boolean =>
  (headers[at] ?? '').startsWith('+++ ') && (headers[at - 1] ?? '').startsWith('--- ');

/** Whether a file needs no hunk: a binary one, a deletion, a move without an edit, another mode alone, or an empty new file. */
function isWhole(headers: readonly string[]): boolean {
  const has = (pattern: RegExp): boolean => headers.some((header) => pattern.test(header));
  if (has(/^\+\+\+ /)) return false;
  return (
    has(/^(?:Binary files |GIT binary patch|deleted file mode )/) ||
    (has(/^similarity index 100%/) && has(/^(?:rename|copy) to /)) ||
    (has(/^old mode /) && has(/^new mode /) && !has(/^(?:index|similarity index) /)) ||
    (has(/^new file mode /) && has(/^index 0+\.\.(?:e69de29|473a0f4)/))
  );
}

const BINARY_UNREAD = 'binary, which a patch does not show';
/** A copy is a new file, and a patch shows only what differs from the old one. */
const COPY_UNREAD = 'a copy, which a patch does not show';

function toSubject({ path, from, change, isBinary, rows }: DiffFile): SubjectFile {
  const unread = isBinary ? BINARY_UNREAD : change === 'copied' ? COPY_UNREAD : undefined;
  const hasText = rows.some(({ kind }) => kind === 'hunk');
  return {
    path,
    ...(from === undefined || change === 'copied' ? {} : { from }),
    change: change === 'copied' ? 'added' : change,
    binary: isBinary,
    ...(unread === undefined || change === 'deleted' ? {} : { unread }),
    ...(change === 'added' && !hasText && !isBinary ? { content: '' } : {}),
    added: rows.flatMap(({ kind, line, text }) => (kind === 'added' && line !== undefined ? [{ line, text }] : [])),
  };
}
