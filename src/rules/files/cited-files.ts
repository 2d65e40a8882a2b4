import { decodeFileText } from '../../base/decode-file-text.ts';
import type { Repository } from '../../project/git/git-repository.ts';
import { citedLines, type LineCounts, isSame } from '../guards/named-files.ts';
import { openDir } from '../../base/system/safe-fs.ts';

/**
 * Counts the lines of the files whose lines a text cites, in the tree of a commit; undefined where it cites none. A file
 * that is not there is left out.
 */
export async function countCitedLines(
  repository: Pick<Repository, 'files' | 'read'>,
  commit: string,
  text: string,
): Promise<LineCounts | undefined> {
  const cited = filesIn(text);
  if (cited.length === 0) return undefined;
  const paths = (await repository.files(commit))
    .map(({ path }) => path)
    .filter((path) => cited.some((one) => isSame(one, path)));
  const read = await repository.read(commit, paths);
  return new Map([...read].map(([path, bytes]) => [path, countLines(decodeFileText(bytes).text)]));
}

/**
 * The same in a folder. A changed file may be cited as it was before, and a name that is not there may be short for
 * another: no line of these is too many.
 */
export function countCitedLinesOnDisk(root: string, text: string, changed: readonly string[]): LineCounts | undefined {
  const cited = filesIn(text);
  if (cited.length === 0) return undefined;
  const dir = openDir(root);
  return new Map(
    cited.map((path) => {
      const read = changed.some((one) => isSame(one, path)) ? undefined : dir.text(path, LONGEST_FILE);
      return [path, read?.ok === true && read.value !== undefined ? countLines(read.value) : Infinity];
    }),
  );
}

const filesIn = (text: string): readonly string[] =>
  [...new Set(citedLines(text).map(({ path }) => path))].slice(0, MOST_FILES);

const MOST_FILES = 50;
/** In bytes; of a longer file no line is too many. */
const LONGEST_FILE = 5_000_000;

/** A last line without an end counts too. */
const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
