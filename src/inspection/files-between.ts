import type { SubjectFile } from '../rule-model/inspection.ts';
import { newLines } from '../base/new-lines.ts';
import { textInBytes } from '../base/text-in-bytes.ts';
import { readUnifiedDiff } from '../rules/text/unified-diff.ts';
import type { Repository, TreeFile } from '../ports/repository.ts';
import { Problem } from '../base/problem.ts';
import { MOST_BYTES, TOO_LARGE } from './read-files.ts';

/**
 * The files that differ between two commits, with their new lines and their new text. Their sizes are known before
 * anything of them is read: what is too large is named, and never read.
 */
export async function filesBetween(
  repository: Repository,
  from: string,
  to: string,
): Promise<{ readonly files: readonly SubjectFile[]; readonly project: readonly string[] }> {
  const before = byPath(await repository.files(from));
  const listed = await repository.files(to);
  const after = byPath(listed);
  const differing = differences(before, after);
  const large = differing.filter(isLarge);
  refuseTooMuch(differing, large);
  // What was a file and is a link now is two patches to git: one that takes it away, and one that brings it.
  const files = [...(await patched(repository, from, to, differing, large)), ...large.map(unpatched)].filter(
    ({ path, change }) => change !== 'deleted' || !after.has(path),
  );
  const there = files.filter(({ path, change }) => change !== 'deleted' && isReadable(after.get(path)));
  const old = there.filter(({ binary, change }) => binary && change !== 'added').map(oldPathOf);
  const contents = await repository.read(
    to,
    there.map(({ path }) => path),
  );
  const oldContents = await repository.read(
    from,
    old.filter((path) => isReadable(before.get(path))),
  );
  return {
    files: files.map((file) =>
      withText(file, after.get(file.path), contents.get(file.path), oldContents.get(oldPathOf(file))),
    ),
    project: listed.map(({ path }) => path),
  };
}

/** More than this is never made into a patch: it would take minutes, and more memory than there is. */
const MOST_OF_A_CHANGE = 25_000_000;
/** Each of them is named to git. */
const MOST_LARGE_FILES = 200;
const SUBMODULE = '160000';

interface Difference {
  readonly path: string;
  readonly old: TreeFile | undefined;
  readonly fresh: TreeFile | undefined;
}

const byPath = (files: readonly TreeFile[]): ReadonlyMap<string, TreeFile> =>
  new Map(files.map((file) => [file.path, file]));

function differences(
  before: ReadonlyMap<string, TreeFile>,
  after: ReadonlyMap<string, TreeFile>,
): readonly Difference[] {
  const come = [...after.values()].filter(({ path, oid, mode }) => {
    const old = before.get(path);
    return old?.oid !== oid || old.mode !== mode;
  });
  const gone = [...before.values()].filter(({ path }) => !after.has(path));
  return [...come, ...gone].map(({ path }) => ({ path, old: before.get(path), fresh: after.get(path) }));
}

const isReadable = (file: TreeFile | undefined): boolean =>
  file !== undefined && file.mode !== SUBMODULE && file.size <= MOST_BYTES;

const isLarge = ({ old, fresh }: Difference): boolean => Math.max(old?.size ?? 0, fresh?.size ?? 0) > MOST_BYTES;

const bytesOf = (differing: readonly Difference[]): number =>
  differing.reduce((sum, { old, fresh }) => sum + (old?.size ?? 0) + (fresh?.size ?? 0), 0);

/** What goes needs no look, and counts for nothing. */
function refuseTooMuch(differing: readonly Difference[], large: readonly Difference[]): void {
  const bytes = bytesOf(differing.filter((one) => one.fresh !== undefined && !isLarge(one)));
  if (bytes <= MOST_OF_A_CHANGE && large.length <= MOST_LARGE_FILES) return;
  throw new Problem(
    'bad-argument',
    large.length > MOST_LARGE_FILES
      ? `${large.length} files of the change are ${TOO_LARGE}, among them ${JSON.stringify(large[0]?.path)}`
      : `the change holds ${Math.ceil(bytes / 1_000_000)} MB; at most ${MOST_OF_A_CHANGE / 1_000_000} MB are looked at at once`,
    'make it in parts; what a program makes is best kept out of the repository',
  );
}

async function patched(
  repository: Repository,
  from: string,
  to: string,
  differing: readonly Difference[],
  large: readonly Difference[],
): Promise<readonly SubjectFile[]> {
  const isMuch = large.length > 0 || bytesOf(differing) > MOST_OF_A_CHANGE;
  const without = isMuch ? large.map(({ path }) => path) : undefined;
  const read = readUnifiedDiff(await repository.patch(from, to, without));
  if (read.ok) return read.value;
  throw new Problem(
    'bad-argument',
    `the diff that git makes cannot be checked: ${read.why}`,
    'report this: it is a fault of andon',
  );
}

/** A file of which no patch was made; where it was too large only before, every line of it is taken for new. */
const unpatched = ({ path, old, fresh }: Difference): SubjectFile => ({
  path,
  change: fresh === undefined ? 'deleted' : old === undefined ? 'added' : 'modified',
  binary: true,
  added: [],
});

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
    if (listed !== undefined) return { ...file, unread: whyUnread(listed) };
    return unread === undefined ? file : patch;
  }
  const { text, isPieces } = textInBytes(bytes);
  const all = file.change === 'moved' ? { all: newLines('', text) } : {};
  if (!file.binary) return isPieces ? { ...file, ...all } : { ...file, ...all, content: text };
  const added = newLines(before === undefined ? '' : textInBytes(before).text, text);
  return isPieces ? { ...file, ...all, added } : { ...file, ...all, binary: false, content: text, added };
}

/** git is asked for files by their names, and the bytes of a name that is no UTF-8 are not known here. */
function whyUnread({ path, size }: TreeFile): string {
  if (size > MOST_BYTES) return TOO_LARGE;
  return path.includes('\ufffd') ? 'its name is not UTF-8, so it cannot be asked for' : 'git cannot read it';
}
