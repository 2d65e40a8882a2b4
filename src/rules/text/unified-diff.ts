import { parsePatch } from 'diff';
import type { StructuredPatch } from 'diff';
import type { SubjectFile } from '../../rule-model/inspection.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';

/**
 * The files of a unified diff with their new lines. Anything that is not understood whole is refused, so that no line
 * of it goes unlooked at.
 */
export function readUnifiedDiff(text: string): Outcome<readonly SubjectFile[], string> {
  if (text.trim() === '') return success([]);
  if (/^(?:diff --(?:cc|combined) |@@@)/m.test(text))
    return failure('it is a combined diff of a merge; make it against one parent (git diff <base>...HEAD)');
  let patches: readonly StructuredPatch[];
  try {
    patches = parsePatch(text.replace(/^GIT binary patch\r?$/gm, 'Binary files differ'));
  } catch (error) {
    return failure(`it cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : 'it is malformed'}`);
  }
  const files: SubjectFile[] = [];
  for (const patch of patches) {
    if (patch.hunks.length === 0 && nameOf(patch) === undefined) continue;
    const file = fileOf(patch);
    if (file === undefined) return failure('it has a part that names no file; make it with git diff');
    files.push(file);
  }
  if (files.length === 0) return failure('it holds no file header (--- and +++, or diff --git)');
  if (patches.some(({ newHeader, hunks }) => newHeader !== undefined && hunks.length === 0) || isCutOff(text))
    return failure('it has a file header with no hunk (@@ … @@) behind it: it was cut off');
  if (hasAdditionsOutside(text, patches)) return failure('it holds added lines that belong to no hunk (@@ … @@)');
  return success(files);
}

const NOWHERE = '/dev/null';
/** A patch without the bytes of a file says nothing about what stands in it. */
const NOT_SHOWN = 'binary, which a patch does not show';
/** Of a copy, which is a new file whole, a patch holds only what differs from the old one. */
const COPY_NOT_SHOWN = 'a copy, which a patch does not show';

function fileOf(patch: StructuredPatch): SubjectFile | undefined {
  const name = nameOf(patch);
  if (name === undefined) return undefined;
  const { path, from } = name;
  const change = changeOf(patch, from !== undefined);
  const binary = patch.isBinary === true;
  const unread = binary ? NOT_SHOWN : patch.isCopy === true ? COPY_NOT_SHOWN : undefined;
  const isEmpty = patch.isCreate === true && patch.hunks.length === 0 && !binary;
  return {
    path,
    ...(from === undefined ? {} : { from }),
    change,
    binary,
    ...(unread !== undefined && change !== 'deleted' ? { unread } : {}),
    ...(isEmpty ? { content: '' } : {}),
    added: patch.hunks.flatMap(addedLines),
  };
}

function changeOf(
  { isCreate, isDelete, isRename, isCopy, oldFileName, newFileName }: StructuredPatch,
  hasMoved: boolean,
): SubjectFile['change'] {
  if (isDelete === true || newFileName === NOWHERE) return 'deleted';
  if (isCreate === true || isCopy === true || oldFileName === NOWHERE) return 'added';
  return isRename === true || hasMoved ? 'moved' : 'modified';
}

/** The path of a patch without git's prefixes, and the old one where it moved. */
function nameOf({
  oldFileName,
  newFileName,
  isCopy,
}: StructuredPatch): { readonly path: string; readonly from?: string } | undefined {
  const [before, after] = withoutPrefixes(oldFileName, newFileName);
  if (after !== undefined && after !== NOWHERE)
    return before === undefined || before === NOWHERE || before === after || isCopy === true
      ? { path: after }
      : { path: after, from: before };
  return before === undefined || before === NOWHERE ? undefined : { path: before };
}

/** `a/` and `b/`, or what `diff.mnemonicPrefix` puts there: index, work tree, commit, object, before and after. */
const PREFIXES: readonly (readonly [string, string])[] = [
  ['a/', 'b/'],
  ['i/', 'w/'],
  ['c/', 'i/'],
  ['c/', 'w/'],
  ['o/', 'w/'],
  ['1/', '2/'],
];

function withoutPrefixes(
  before: string | undefined,
  after: string | undefined,
): readonly [string | undefined, string | undefined] {
  const fits = (name: string | undefined, prefix: string): boolean =>
    name === undefined || name === NOWHERE || name.startsWith(prefix);
  const pair = PREFIXES.find(([old, fresh]) => fits(before, old) && fits(after, fresh));
  if (pair === undefined) return [before, after];
  const cut = (name: string | undefined): string | undefined =>
    name === undefined || name === NOWHERE ? name : name.slice(2);
  return [cut(before), cut(after)];
}

function addedLines({ newStart, lines }: StructuredPatch['hunks'][number]): { line: number; text: string }[] {
  let at = newStart;
  return lines.flatMap((row) => {
    if (row.startsWith('-') || row.startsWith('\\')) return [];
    const line = at;
    at += 1;
    return row.startsWith('+') ? [{ line, text: row.slice(1).replace(/\r$/, '') }] : [];
  });
}

/** Whether lines look added after the first header and are in no hunk: the parser passes over what it does not know. */
function hasAdditionsOutside(text: string, patches: readonly StructuredPatch[]): boolean {
  const rows = text.split('\n');
  const first = rows.findIndex((row) => /^(?:diff --git |Index: |--- )/.test(row));
  const additions = rows.filter((row, at) => at >= first && row.startsWith('+')).length;
  const inHunks = patches.flatMap(({ hunks }) =>
    hunks.map(({ lines }) => lines.filter((row) => row.startsWith('+')).length),
  );
  const headers = patches.filter(({ newHeader }) => newHeader !== undefined).length;
  return additions !== inHunks.reduce((sum, count) => sum + count, headers);
}

/** Whether git's header of a file says that its text changed, and nothing of that follows. */
function isCutOff(text: string): boolean {
  const parts = text.split(/^diff --git /m).slice(1);
  return parts.some(
    (part) => !/^(?:@@ |Binary files |GIT binary patch|deleted file mode )/m.test(part) && !isWhole(part),
  );
}

/** A move without an edit, another mode alone, or a file with nothing in it. */
const isWhole = (part: string): boolean =>
  (/^similarity index 100%/m.test(part) && /^(?:rename|copy) to /m.test(part)) ||
  (/^old mode /m.test(part) && /^new mode /m.test(part) && !/^(?:index|similarity index) /m.test(part)) ||
  (/^new file mode /m.test(part) && /^index 0+\.\.(?:e69de29|473a0f4)/m.test(part));
