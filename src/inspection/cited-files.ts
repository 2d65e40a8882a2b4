import { decodeFileText } from '../base/decode-file-text.ts';
import type { Repository } from '../ports/repository.ts';
import { openDir } from '../wiring/files.ts';
import { citedLines } from '../rules/guards/cited.ts';
import { isSame } from '../rules/guards/things.ts';

/** Lines are counted in at most this many files. */
const MOST_FILES = 50;

/**
 * How many lines the files have, in the tree of a commit, that a review cites lines of; undefined where it cites none.
 * A file that is not there is not in it.
 */
export async function countCitedLines(
  repository: Pick<Repository, 'files' | 'read'>,
  commit: string,
  text: string,
): Promise<ReadonlyMap<string, number> | undefined> {
  const cited = [...new Set(citedLines(text).map(({ path }) => path))].slice(0, MOST_FILES);
  if (cited.length === 0) return undefined;
  const paths = (await repository.files(commit))
    .map(({ path }) => path)
    .filter((path) => cited.some((one) => isSame(one, path)));
  const read = await repository.read(commit, paths);
  return new Map([...read].map(([path, bytes]) => [path, linesIn(decodeFileText(bytes).text)]));
}

/**
 * The same of the files as they lie in a folder now. Of one that was just changed a line may be cited that it no longer
 * has, and a name that does not exist there may be short for another: no line of these is too many.
 */
export function countCitedLinesOnDisk(
  root: string,
  text: string,
  changed: readonly string[],
): ReadonlyMap<string, number> | undefined {
  const cited = [...new Set(citedLines(text).map(({ path }) => path))].slice(0, MOST_FILES);
  if (cited.length === 0) return undefined;
  const door = openDir(root);
  return new Map(
    cited.map((path) => {
      const read = changed.some((one) => isSame(one, path)) ? undefined : door.text(path, LONGEST_FILE);
      return [path, read?.ok === true && read.value !== undefined ? linesIn(read.value) : Infinity];
    }),
  );
}

/** In bytes; of a longer file no line is too many. */
const LONGEST_FILE = 5_000_000;

/** A last line without an end counts too. */
const linesIn = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
