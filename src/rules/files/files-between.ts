import type { SubjectFile, HistoryPiece, HistoryText, Subject } from '../model/inspection.ts';
import { listNewLines } from '../../base/list-new-lines.ts';
import { decodeFileText } from '../../base/decode-file-text.ts';
import { readUnifiedDiff } from '../text/unified-diff.ts';
import type { TreeFile, CommitText } from '../../project/git/repository-facts.ts';
import type { Repository } from '../../project/git/git-repository.ts';
import { createUsageError } from '../../base/problem.ts';
import { MAX_SOURCE_BYTES, TOO_LARGE } from './read-files.ts';
import { isKeptForRules } from './kept-files.ts';
import { readPatchHistory, type HiddenBytes } from '../text/patch-history.ts';
import type { ChangeRange } from '../../project/git/changes.ts';

/**
 * The files that differ between two commits, with their new lines and their new text. What is too large is named, and
 * never read.
 */
export async function readFilesBetween(
  repository: Repository,
  from: string,
  to: string,
): Promise<{ readonly files: readonly SubjectFile[]; readonly project: readonly string[] }> {
  const bounds = { largest: MAX_SOURCE_BYTES, most: MOST_OF_A_CHANGE, also: isKeptForRules };
  const compared = await repository.compare(from, to, bounds);
  const [before, after] = [byPath(compared.before), byPath(compared.after)];
  const patch = refuseTooMuch(compared.patch, before, after);
  // What was a file and is a link now is two patches to git: one that takes it away, and one that brings it.
  const files = patched(patch).filter(({ path, change }) => change !== 'deleted' || !after.has(path));
  const old = files
    .filter(({ path, binary, change }) => binary && change !== 'added' && isReadable(after.get(path)))
    .map(oldPathOf);
  const oldContents = await repository.read(
    from,
    old.filter((path) => isReadable(before.get(path))),
  );
  return {
    files: files.map((file) =>
      withText(file, after.get(file.path), compared.contents.get(file.path), oldContents.get(oldPathOf(file))),
    ),
    project: compared.after.map(({ path }) => path),
  };
}

/** A larger change is refused: it would take minutes and too much memory. */
const MOST_OF_A_CHANGE = 25_000_000;
const SUBMODULE = '160000';

const byPath = (files: readonly TreeFile[]): ReadonlyMap<string, TreeFile> =>
  new Map(files.map((file) => [file.path, file]));

const isReadable = (file: TreeFile | undefined): boolean =>
  file !== undefined && file.mode !== SUBMODULE && file.size <= MAX_SOURCE_BYTES;

/** The patch, unless it is too large. Deletions are not checked and do not count. */
function refuseTooMuch(
  patch: string | undefined,
  before: ReadonlyMap<string, TreeFile>,
  after: ReadonlyMap<string, TreeFile>,
): string {
  const bytes = [...after.values()].reduce((sum, { path, oid, mode, size }) => {
    const old = before.get(path);
    const both = old?.oid === oid && old.mode === mode ? 0 : size + (old?.size ?? 0);
    return Math.max(size, old?.size ?? 0) > MAX_SOURCE_BYTES ? sum : sum + both;
  }, 0);
  if (patch !== undefined && bytes <= MOST_OF_A_CHANGE) return patch;
  const least = Math.max(bytes, MOST_OF_A_CHANGE + 1);
  throw createUsageError(
    `the change holds ${Math.ceil(least / 1_000_000)} MB; at most ${MOST_OF_A_CHANGE / 1_000_000} MB can be checked at once`,
    'make it in parts; what a program makes is best kept out of the repository',
  );
}

function patched(patch: string): readonly SubjectFile[] {
  const read = readUnifiedDiff(patch);
  if (read.ok) return read.value;
  throw createUsageError(
    `the diff that git makes cannot be checked: ${read.why}`,
    'report this: it is a fault of andon',
  );
}

const oldPathOf = ({ path, from }: SubjectFile): string => from ?? path;

/** What git calls binary is read all the same, and compared here. */
function withText(
  patch: SubjectFile,
  listed: TreeFile | undefined,
  bytes: Uint8Array | undefined,
  before: Uint8Array | undefined,
): SubjectFile {
  const { unread, ...file } = patch;
  if (file.change === 'deleted') return file;
  if (listed?.mode === SUBMODULE) return { ...file, isSubmodule: true };
  if (bytes === undefined) {
    if (listed !== undefined) return { ...file, unread: explainUnread(listed) };
    return unread === undefined ? file : patch;
  }
  const { text, isPieces } = decodeFileText(bytes);
  const all = file.change === 'moved' ? { all: listNewLines('', text) } : {};
  if (!file.binary) return isPieces ? { ...file, ...all } : { ...file, ...all, content: text };
  const added = listNewLines(before === undefined ? '' : decodeFileText(before).text, text);
  return isPieces ? { ...file, ...all, added } : { ...file, ...all, binary: false, content: text, added };
}

/** git is asked for files by their names, and the bytes of a name that is no UTF-8 are not known here. */
function explainUnread({ path, size }: TreeFile): string {
  if (size > MAX_SOURCE_BYTES) return TOO_LARGE;
  return path.includes('\ufffd') ? 'its name is not UTF-8, so it cannot be asked for' : 'git cannot read it';
}

/** What commits of a branch brought that its net difference does not show, and the files of it that could not be read. */
export async function readHistory(
  repository: Repository,
  { from, to, base }: ChangeRange,
  files: readonly SubjectFile[],
): Promise<{ readonly history: NonNullable<Subject['history']>; readonly missed: readonly string[] }> {
  const without = base === undefined ? [from] : [...new Set([from, base.commit])];
  const patches = await repository.patches(to, without, MOST_OF_A_HISTORY);
  const commitTexts = await repository.commitTexts(to, without, MOST_OF_A_HISTORY);
  if (patches === undefined || commitTexts === undefined)
    return { history: { pieces: [], unread: TOO_LONG }, missed: [] };
  const shown = new Set(files.flatMap(({ added }) => added.map(({ text }) => text)));
  const { lines, bytes, takenBy } = readPatchHistory(patches, (line) => shown.has(line));
  const pieces = lines.map((run): HistoryPiece => {
    const taker = run.added.map(({ text }) => (shown.has(text) ? undefined : takenBy.get(text))).find(Boolean);
    return taker === undefined ? run : { ...run, takenBy: taker };
  });
  const still = new Set((bytes.length === 0 ? [] : await repository.files(to)).map(({ oid }) => oid));
  const gone = bytes.filter(({ oid }) => !still.has(oid));
  const { read, missed } = await textsOf(repository, gone);
  return { history: { pieces: [...pieces, ...read], texts: commitTexts.map(historyText) }, missed };
}

/** Under the name by which people find it again. */
function historyText({ commit, kind, text }: CommitText): HistoryText {
  const id = commit.slice(0, 12);
  if (kind === 'tag') return { what: `the tag of commit ${id}`, text };
  return { what: `the ${kind} ${kind === 'note' ? 'on' : 'of'} commit ${id}`, text };
}

/** What git shows no text of is read all the same, as far as that is cheap. */
async function textsOf(
  repository: Repository,
  gone: readonly HiddenBytes[],
): Promise<{ readonly read: readonly HistoryPiece[]; readonly missed: readonly string[] }> {
  const first = new Map(gone.toReversed().map((one) => [one.oid, one]));
  const newest = [...first.values()].toReversed();
  const contents = await repository.blobs(
    newest.slice(0, MOST_FILES).map(({ oid }) => oid),
    LARGEST_FILE,
  );
  const read: HistoryPiece[] = [];
  const missed: string[] = [];
  for (const { oid, path, commit } of newest) {
    const content = contents.get(oid);
    if (content === undefined) {
      missed.push(`${path} (in ${commit.slice(0, 12)})`);
      continue;
    }
    const { text, isPieces } = decodeFileText(content);
    const added = text.split(/\r?\n/).map((line, at) => ({ line: at + 1, text: line }));
    read.push({ path, commit, added, ...(isPieces ? { isPieces: true as const } : {}) });
  }
  return { read, missed };
}

/** More patches than this are not read: it would take minutes. */
const MOST_OF_A_HISTORY = 50_000_000;
const MOST_FILES = 100;
const LARGEST_FILE = 1_000_000;
const TOO_LONG = `the commits of this branch hold more than ${MOST_OF_A_HISTORY / 1_000_000} MB of changes; merge them in parts, or name a nearer branch with --base`;
