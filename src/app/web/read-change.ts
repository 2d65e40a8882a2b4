import { toPlainTexts } from '../../base/plain-texts.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { listShownRows, readDiff } from '../../base/read-diff.ts';
import { findTokens } from '../../source/find-tokens.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';
import type { Services } from '../../line/services/services.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import type { ChangeResponse, ColoursResponse, PatchResponse } from './api-types.ts';
import { MOST_IMAGE_BYTES, typeOfImage } from './image-type.ts';
import { withEntries } from './read-task.ts';

/** Maximum listed files of a change, */
const MOST_FILES = 500;
/** shown bytes of one file's patch, */
const MOST_OF_FILE = 256_000;
/** and bytes of a file that is coloured. */
const MOST_COLOURED = 256_000;

export interface CommitPair {
  readonly from: string;
  readonly to: string;
}

export const readChange = (place: Workspace, taskId: string, between: CommitPair): Promise<ChangeResponse> =>
  withCommits(place, taskId, between, async (repository) => {
    if (repository === undefined) return { is_there: false };
    const files = await repository.diff(between.from, between.to);
    return { is_there: true, files: files.slice(0, MOST_FILES), hidden: Math.max(0, files.length - MOST_FILES) };
  });

/** One file of a change: its path, then the path that it was moved from. */
interface FileOfChange extends CommitPair {
  readonly paths: readonly string[];
  readonly ignoresSpaces: boolean;
}

/** The diff of one file between two commits of a task. */
export const readPatchBetween = (place: Workspace, taskId: string, file: FileOfChange): Promise<PatchResponse> =>
  withFile(place, taskId, file, async (repository) => {
    const { rows, isCut } = await patchOf(repository, file);
    return { rows: listShownRows(rows), is_cut: isCut };
  });

async function patchOf(repository: Services['repository'], { from, to, paths, ignoresSpaces }: FileOfChange) {
  const { text, isCut } = await repository.patchOf(from, to, paths, MOST_OF_FILE, ignoresSpaces);
  return { rows: readDiff(text).flatMap((file) => file.rows), isCut };
}

/** The tokens of the lines that this diff shows. Lines that are shown otherwise than they are stay plain. */
export const readColours = (place: Workspace, taskId: string, file: FileOfChange): Promise<ColoursResponse> =>
  withFile(place, taskId, file, async (repository) => {
    const { rows } = await patchOf(repository, file);
    const linesOf = (isWanted: (kind: string) => boolean): ReadonlySet<number> =>
      new Set(rows.flatMap(({ kind, line }) => (line !== undefined && isWanted(kind) ? [line] : [])));
    const colour = async (
      commit: string,
      path: string,
      lines: ReadonlySet<number>,
    ): Promise<ColoursResponse['old']> => {
      const bytes = lines.size === 0 ? undefined : await repository.readSmall(commit, path, MOST_COLOURED);
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      const found = (await findTokens(path, text, lines)) ?? new Map();
      const written = text.split('\n');
      const isShownAsItIs = (line: number): boolean => {
        const one = written[line - 1]?.replace(/\r$/, '') ?? '';
        return toPlainTexts(one) === one;
      };
      return Object.fromEntries([...found].filter(([line]) => isShownAsItIs(line)));
    };
    const [path = '', before = path] = file.paths;
    return {
      old: await colour(
        file.from,
        before,
        linesOf((kind) => kind === 'removed'),
      ),
      fresh: await colour(
        file.to,
        path,
        linesOf((kind) => kind !== 'removed'),
      ),
    };
  });

/** An image of a commit of a task, with its type. */
export const readImage = (
  place: Workspace,
  taskId: string,
  { at, path }: { readonly at: string; readonly path: string },
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string }> =>
  withFile(place, taskId, { from: at, to: at, paths: [path] }, async (repository) => {
    const bytes = await repository.readSmall(at, path, MOST_IMAGE_BYTES);
    const type = bytes === undefined ? undefined : typeOfImage(bytes);
    if (bytes !== undefined && type !== undefined) return { bytes: new Uint8Array(bytes), type };
    const text = 'it is no PNG, JPEG, GIF or WebP image, or too large to be shown';
    throw new Problem('no-task', text, `andon show ${taskId} --diff`, 1);
  });

const withFile = <Value>(
  place: Workspace,
  taskId: string,
  { from, to, paths }: CommitPair & { readonly paths: readonly string[] },
  work: (repository: Services['repository']) => Promise<Value>,
): Promise<Value> =>
  withCommits(place, taskId, { from, to }, async (repository) => {
    if (paths.some((path) => path.includes('\0'))) throw createUsageError('no path holds a NUL', 'go to /');
    if (repository === undefined || paths.length === 0)
      throw new Problem('no-task', 'there is no such file in this repository (any more)', `andon show ${taskId}`, 1);
    return work(repository);
  });

/** Opens the repository, or undefined without these commits; only commits that the task's journal names are allowed. */
const withCommits = <Value>(
  place: Workspace,
  taskId: string,
  { from, to }: CommitPair,
  work: (repository: Services['repository'] | undefined) => Promise<Value>,
): Promise<Value> =>
  withEntries(place, taskId, async (entries) => {
    const known = new Set(
      entries.flatMap((entry) => {
        const change = entry.kind === 'moved' ? entry.facts.change : undefined;
        return change === undefined ? [] : [change.base, change.commit];
      }),
    );
    if (!known.has(from) || !known.has(to))
      throw createUsageError('the journal of this task names no such commits', `andon show ${taskId}`);
    const repository = await openForReading(place);
    return work((await holds(repository, [from, to])) ? repository : undefined);
  });

async function holds(repository: Services['repository'], commits: readonly string[]): Promise<boolean> {
  for (const commit of commits) if ((await repository.resolve(commit)) === undefined) return false;
  return true;
}
