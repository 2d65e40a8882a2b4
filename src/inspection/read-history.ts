import type { HistoryPiece, HistoryText, Subject, SubjectFile } from '../rule-model/inspection.ts';
import { readPatchHistory, type HiddenBytes } from '../rules/text/patch-history.ts';
import { decodeFileText } from '../base/decode-file-text.ts';
import type { ChangeRange } from '../ports/changes.ts';
import type { CommitText, Repository } from '../ports/repository.ts';

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
  const asked = [...first.values()].toReversed();
  const contents = await repository.blobs(
    asked.slice(0, MOST_FILES).map(({ oid }) => oid),
    LARGEST_FILE,
  );
  const read: HistoryPiece[] = [];
  const missed: string[] = [];
  for (const { oid, path, commit } of asked) {
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
