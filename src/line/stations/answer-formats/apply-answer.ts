import type { FileWrite, EditedFile } from '../../../base/changed-file.ts';
import { failure, success, type Outcome } from '../../../base/outcome.ts';
import { listFolders, listParents } from '../../../base/list-folders.ts';
import { foldPath } from '../../../base/path-spellings.ts';
import {
  checkWrittenPath,
  classifyPath,
  classifyRefusedPath,
  isNamedExactly,
  type PathScope,
} from '../../../base/paths.ts';
import type { Block, Edit } from './answer.ts';
import {
  NEW_TEXT,
  encodeLines,
  isSameText,
  splitAnswerLines,
  decodeText,
  stripCarriageReturn,
  type FileText,
} from './file-text.ts';
import { locateBlocks } from './search-replace.ts';
import { LEAST_LINES_TO_KEEP_HALF } from '../../core/grants.ts';
import { isElision, isProseFile } from './whole-file.ts';

/** A file in git: text or binary, executable, a symbolic link (120000) or a submodule (160000). */
export interface CurrentFile {
  readonly bytes: Uint8Array;
  readonly mode: '100644' | '100755' | '120000' | '160000';
  /** Its lines before the task: an attempt may remove its own lines. Default: the current number. */
  readonly linesBefore?: number;
}

/** Why one edit was refused; `detail` is a remedy for the next brief. */
export interface EditRefusal {
  readonly kind: RefusalKind;
  readonly path: string;
  readonly detail: string;
  /** With `search-miss`: the block that matches no unique place. */
  readonly block?: Block;
}

// prettier-ignore
type RefusalKind =
  | 'scope' | 'protected' | 'forbidden' | 'path' | 'placeholder' | 'shrunk' | 'conflict-markers'
  | 'example' | 'no-op' | 'search-miss' | 'not-text' | 'delete' | 'link' | 'case-twin' | 'unseen';

export interface AnswerContext {
  current(path: string): CurrentFile | undefined;
  readonly paths: { has(path: string): boolean };
  readonly folders: { has(path: string): boolean };
  /** Tracked files and folders that differ from this path in spelling only. */
  readonly spelledLike: (path: string) => Iterable<string>;
  readonly scope: PathScope;
  readonly allowDeletes: boolean;
  readonly allowShrink?: boolean;
  readonly inPart?: ReadonlySet<string>;
  /** The path in the prompt's example; an answer with it has copied the example. */
  readonly example: string;
}

/** An edit of an answer, or a file as an agent left it that edits in place. */
type EditOrFile = Edit | EditedFile;

/** Converts edits into file writes, or into every reason against them; the bytes of edited files stay as written. */
export function applyEdits(
  edits: readonly EditOrFile[],
  services: AnswerContext,
): Outcome<readonly FileWrite[], readonly EditRefusal[]> {
  const land = readTargetTree(services, edits);
  const results = edits.map((edit) => applyEdit(edit, services, land));
  const refusals = results.flatMap((result) => (result.ok ? [] : result.why));
  if (refusals.length > 0) return failure(refusals);
  const changes = results.flatMap((result) => (result.ok && result.value !== undefined ? [result.value] : []));
  if (changes.length > 0 || edits.length === 0) return success(changes);
  const detail = 'The answer changes nothing; make the change, or say NO CHANGE and why.';
  return failure([{ kind: 'no-op', path: edits[0]?.path ?? '', detail }]);
}

type EditFault = readonly [kind: RefusalKind, detail: string, block?: Block];

/** Undefined if the file is already so. */
function applyEdit(
  edit: EditOrFile,
  services: AnswerContext,
  land: Land,
): Outcome<FileWrite | undefined, readonly EditRefusal[]> {
  const { path } = edit;
  const refused = (faults: readonly EditFault[]) =>
    failure(faults.map(([kind, detail, block]) => ({ kind, path, detail, ...(block === undefined ? {} : { block }) })));
  const misspelt = checkSpelling(path, services.scope);
  if (misspelt !== undefined) return refused([misspelt]);
  const faults = checkPlace(path, services, land);
  if ('unfit' in edit) return refused([...faults, ['not-text', edit.unfit]]);
  if (faults.some(([kind]) => kind === 'link' || kind === 'path')) return refused(faults);
  const file = services.current(path);
  if ('kind' in edit ? edit.kind === 'delete' : edit.content === null) {
    faults.push(...checkDeletion(file, services));
    return faults.length > 0 ? refused(faults) : success({ path, content: null });
  }
  const old = file === undefined ? NEW_TEXT : decodeText(file.bytes);
  if (old === undefined) return refused([...faults, ['not-text', 'The file is not UTF-8 text; leave it unchanged.']]);
  const text = 'kind' in edit ? readEdit(edit, file && old, services) : readEditedFile(edit, file, old);
  if (!text.ok) return refused([...faults, ...text.why]);
  const { lines, content, isExecutable } = text.value;
  const before = Math.min(old.lines.length, file?.linesBefore ?? old.lines.length);
  const [fresh, known] = [lines.map(stripCarriageReturn), old.lines.map(stripCarriageReturn)];
  faults.push(...checkContent(fresh, known, before, edit, services));
  if (faults.length > 0) return refused(faults);
  if ('kind' in edit && file !== undefined && isSameText(lines, old.lines)) return success(undefined);
  return success({ path, mode: isExecutable ? '100755' : '100644', content: content() });
}

/** The new text of a file. */
interface NewText {
  readonly lines: readonly string[];
  readonly content: () => Uint8Array;
  readonly isExecutable: boolean;
}

/** The text of an edit over the old one; undefined without a file. */
function readEdit(
  edit: Edit,
  old: FileText | undefined,
  services: AnswerContext,
): Outcome<NewText, readonly EditFault[]> {
  const { path } = edit;
  if (edit.kind === 'write' && old !== undefined && services.inPart?.has(path) === true)
    return failure([['unseen', 'Only parts of the file were shown; give SEARCH/REPLACE blocks, not the whole file.']]);
  if (edit.kind === 'write' && edit.isNew === true && old !== undefined)
    return failure([
      ['path', 'The diff adds the file, but it exists; keep lines around what you change, or give it whole.'],
    ]);
  const style = old ?? NEW_TEXT;
  const lines =
    edit.kind === 'replace'
      ? replaced(edit.blocks, old)
      : success(splitAnswerLines(edit.kind === 'write' ? edit.content : '', style));
  if (!lines.ok) return lines;
  const content = (): Uint8Array => encodeLines(lines.value, style);
  return success({ lines: lines.value, content, isExecutable: services.current(path)?.mode === '100755' });
}

/** The text of a file as an agent left it, whose bytes stay as written. */
function readEditedFile(
  edited: Exclude<EditedFile, { readonly unfit: string }>,
  file: CurrentFile | undefined,
  { isWindows }: FileText,
): Outcome<NewText, readonly EditFault[]> {
  if (edited.content === null) throw new Error('a deleted file has no text');
  if (file !== undefined && edited.executable !== (file.mode === '100755'))
    return failure([['path', 'The right to run the file was changed; leave that as it was.']]);
  const text = isWindows ? edited.content : toGitText(edited.content);
  const lines = text.split('\n').map(stripCarriageReturn);
  if (lines.at(-1) === '') lines.pop();
  return success({ lines, content: () => new TextEncoder().encode(text), isExecutable: edited.executable });
}

// Path checks.

/** The current and future files, with every spelling by folded form. */
type Land = ReturnType<typeof readTargetTree>;

function readTargetTree({ paths, folders, spelledLike }: AnswerContext, edits: readonly { readonly path: string }[]) {
  const files = new Set(edits.map(({ path }) => path));
  const theirFolders = listFolders(files);
  const spellings = new Map<string, Set<string>>();
  for (const place of [...files, ...theirFolders]) {
    const folded = foldPath(place);
    const known = spellings.get(folded);
    if (known === undefined) spellings.set(folded, new Set([...spelledLike(place), place]));
    else known.add(place);
  }
  return {
    isTracked: (place: string) => paths.has(place) || folders.has(place),
    isFile: (place: string) => paths.has(place) || files.has(place),
    isFolder: (place: string) => folders.has(place) || theirFolders.has(place),
    spellings,
  };
}

/** The fault of a path that no task may write; one that leads out of the scope counts as a wish to leave it. */
function checkSpelling(path: string, scope: PathScope): EditFault | undefined {
  const misspelt = checkWrittenPath(path, scope);
  if (misspelt === undefined) return undefined;
  const leadsTo = classifyRefusedPath(path, scope);
  return [leadsTo === undefined ? 'path' : OUT_OF_SCOPE[leadsTo][0], misspelt];
}

/** The faults of an edit's path: outside the scope, on a link, in conflict with another. */
function checkPlace(path: string, services: AnswerContext, land: Land): EditFault[] {
  const faults: EditFault[] = [];
  if (foldPath(path) === foldPath(services.example)) {
    return [['example', 'This is the example of the instructions; answer with the files of the task.']];
  }
  const isNamed = isNamedExactly(path, services.scope); // then decomposed letters are intended
  const scope = classifyPath(path, services.scope);
  if (scope !== 'allowed') faults.push(OUT_OF_SCOPE[scope]);
  for (const place of [...listParents(path), path]) {
    const mode = services.current(place)?.mode;
    if (mode === '120000' || mode === '160000') {
      faults.push(['link', `\`${place}\` is a symbolic link or a submodule; name a file that is reached without it.`]);
    } else if (place !== path && land.isFile(place)) {
      faults.push(['path', `\`${place}\` is a file and cannot be a folder too; choose another path.`]);
    }
    const twin = [...(land.spellings.get(foldPath(place)) ?? [])].find(
      (other) => other !== place && !(isNamed && other.normalize('NFC') === place.normalize('NFC')),
    );
    if (twin !== undefined && !land.isTracked(place)) {
      faults.push(['case-twin', `\`${place}\` differs from \`${twin}\` only in its spelling; write it as that one.`]);
    }
  }
  if (land.isFolder(path)) faults.push(['path', 'There is a folder of that name; name a file in it, or another file.']);
  return faults;
}

const OUT_OF_SCOPE: Readonly<Record<'outside' | 'forbidden' | 'protected', EditFault>> = {
  outside: ['scope', 'The file is outside the allowed paths; change only what the contract allows.'],
  forbidden: ['forbidden', 'The contract forbids this file; leave it unchanged.'],
  protected: ['protected', 'This is a protected control file; leave it unchanged.'],
};

function checkDeletion(file: CurrentFile | undefined, { allowDeletes }: AnswerContext): readonly EditFault[] {
  const faults: EditFault[] = [];
  if (!allowDeletes) faults.push(['delete', 'The contract allows no deletions; leave the file where it is.']);
  if (file === undefined) faults.push(['path', 'There is no such file to delete; name one that exists.']);
  return faults;
}

// Content checks.

/** Why a new content is refused: an elision, far too few lines, no text. */
function checkContent(
  lines: readonly string[],
  old: readonly string[],
  linesBefore: number,
  edit: Pick<Edit, 'path'>,
  services: AnswerContext,
): readonly EditFault[] {
  const faults: EditFault[] = [];
  const known = new Set(old);
  const fresh = lines.map((line) => (known.has(line) ? '' : line));
  const gap = fresh.findIndex((line) => isElision(line, isProseFile(edit.path)));
  if (gap !== -1) {
    const line = `Line ${String(gap + 1)} replaces omitted text: ${(fresh[gap] ?? '').trim()}`;
    faults.push(['placeholder', `${line} — write out everything that belongs there.`]);
  }
  if (linesBefore >= LEAST_LINES_TO_KEEP_HALF && lines.length * 2 < linesBefore && services.allowShrink !== true) {
    const counts = `The file would shrink from ${String(linesBefore)} to ${String(lines.length)} lines`;
    faults.push([
      'shrunk',
      `${counts}; give it whole, with everything that stays (the contract does not say allow_shrink).`,
    ]);
  }
  const marker = fresh.findIndex((line) => /^(?:<{7}|>{7})(?: |$)/.test(line));
  if (marker !== -1) faults.push(['conflict-markers', `Line ${String(marker + 1)} is a conflict marker; resolve it.`]);
  if (fresh.some((line) => line.includes('\0') || !line.isWellFormed())) {
    faults.push(['not-text', 'The new content is not text (NUL or a broken character); write plain UTF-8.']);
  }
  return faults;
}

function replaced(
  blocks: readonly Block[],
  old: FileText | undefined,
): Outcome<readonly string[], readonly EditFault[]> {
  if (old === undefined) return failure([['path', 'There is no such file to search in; give the whole new file.']]);
  const places = locateBlocks(old.lines.map(stripCarriageReturn), blocks);
  if (!places.ok) return failure(places.why.map(({ detail, block }): EditFault => ['search-miss', detail, block]));
  const lines: string[] = [];
  let from = 0;
  for (const { at, length, replace } of places.value) {
    for (const line of old.lines.slice(from, at)) lines.push(line);
    for (const line of splitAnswerLines(replace, old, old.lines.slice(at, at + length))) lines.push(line);
    from = at + length;
  }
  return success([...lines, ...old.lines.slice(from)]);
}

/** A checkout may convert line ends, which git does not keep; a file with mixed ends is the agent's doing. */
function toGitText(text: string): string {
  const isEvery = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
  return isEvery ? text.replaceAll('\r\n', '\n') : text;
}
